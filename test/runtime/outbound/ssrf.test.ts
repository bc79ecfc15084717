import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { createOutboundHttp, type OutboundAnswer } from '../../../runtime/outbound/http';
import { parseWebhookUrl } from '../../../entities/rules/webhooks/url';
import { createResolver } from '../../../runtime/outbound/resolver';

/** A listener on every local address that must never see a connection. */
let canary: Server;
let port: number;
let connections = 0;

const privateSentence = 'The URL leads to a private or reserved address.';
/** Counts as public, but no route leads there: a test never leaves the machine. */
const publicAddress = '2000::1';

beforeAll(async () => {
  canary = createServer((_request, response) => response.end('reached'));
  canary.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => canary.listen(0, '::', resolve));
  port = (canary.address() as AddressInfo).port;
});

afterAll(async () => {
  canary.closeAllConnections();
  await new Promise((resolve) => canary.close(resolve));
});

beforeEach(() => {
  connections = 0;
});

async function post(
  host: string,
  options: {
    resolve?: (name: string) => Promise<string[]>;
    allowPrivate?: boolean;
  } = {},
): Promise<OutboundAnswer> {
  const http = createOutboundHttp({
    allowPrivate: options.allowPrivate ?? false,
    connectTimeoutMs: 300,
    resolve: options.resolve ?? createResolver({ timeoutMs: 1_000 }),
  });
  try {
    return await http.post({
      url: `http://${host}:${port}/`,
      headers: {},
      body: '{}',
      timeoutMs: 1_000,
    });
  } finally {
    await http.close();
  }
}

const ownAddresses = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .filter(({ family }) => family === 'IPv4')
  .map(({ address }) => address);

describe('the canary', () => {
  it('is reached when private addresses are allowed, so that its silence means something', async () => {
    const answer = await post('127.0.0.1', { allowPrivate: true });
    expect(answer).toMatchObject({ ok: true, responseBody: 'reached' });
    expect(connections).toBe(1);
  });
});

describe('hosts that are literals of private or reserved addresses', () => {
  it.each([
    // IPv4 as people write it, and as the URL parser also understands it
    '127.0.0.1',
    '127.0.0.2',
    '127.255.255.254',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0x7F.1',
    '017700000001',
    '0177.0.0.1',
    '0177.0.0.01',
    '127.0.0.1.',
    '１２７.０.０.１',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '0.0.0.0',
    '0',
    '0x0',
    '0.1.2.3',
    '10.0.0.1',
    '10.255.255.255',
    '167772161',
    '100.64.0.1',
    '100.127.255.255',
    '169.254.0.1',
    '169.254.169.254',
    '0xa9fea9fe',
    '2852039166',
    '0251.0376.0251.0376',
    '169.254.170.2',
    '168.63.129.16',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.0.192',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.1',
    '192.168.255.255',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.250',
    '240.0.0.1',
    '255.255.255.255',
    // IPv6, and IPv4 inside of it
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[0000:0000:0000:0000:0000:0000:0000:0001]',
    '[::127.0.0.1]',
    '[::7f00:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:7f00:1]',
    '[::ffff:169.254.169.254]',
    '[::ffff:8.8.8.8]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::a9fe:a9fe]',
    '[64:ff9b:1::127.0.0.1]',
    '[100::1]',
    '[2001::1]',
    '[2001:0:7f00:1::]',
    '[2001:0:4136:e378:8000:63bf:80ff:fffe]',
    '[2001:2::1]',
    '[2001:10::1]',
    '[2001:20::1]',
    '[2001:db8::1]',
    '[2002:7f00:1::]',
    '[2002:a9fe:a9fe::1]',
    '[2002:c0a8:1::1]',
    '[3fff::1]',
    '[4000::1]',
    '[5f00::1]',
    '[fc00::1]',
    '[fd00::1]',
    '[fd00:ec2::254]',
    '[fd20:ce::254]',
    '[fe80::1]',
    '[fec0::1]',
    '[ff02::1]',
    ...ownAddresses,
  ])('never dials %s', async (host) => {
    expect(await post(host)).toMatchObject({
      ok: false,
      httpStatusCode: null,
      errorMessage: privateSentence,
    });
    expect(connections).toBe(0);
  });
});

describe('names that lead to private or reserved addresses', () => {
  it.each(['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'a.b.localhost.'])(
    'never dials %s',
    async (host) => {
      expect(await post(host)).toMatchObject({
        ok: false,
        errorMessage: privateSentence,
      });
      expect(connections).toBe(0);
    },
  );

  it.each([
    [['127.0.0.1']],
    [['::1']],
    [['::ffff:127.0.0.1']],
    [['64:ff9b::7f00:1']],
    [['169.254.169.254']],
    [[publicAddress, '127.0.0.1']],
    [['127.0.0.1', publicAddress]],
    [[publicAddress, '2606:4700::1111', '::1']],
    [['2606:4700::1111', 'fe80::1%lo']],
    [[publicAddress, 'not an address']],
    [['']],
  ])('refuses the whole answer %j', async (addresses) => {
    const answer = await post('hooks.example.com', {
      resolve: () => Promise.resolve(addresses),
    });
    expect(answer).toMatchObject({ ok: false, errorMessage: privateSentence });
    expect(connections).toBe(0);
  });

  it('dials the addresses that it judged, not those of a second answer', async () => {
    let lookups = 0;
    const rebinding = (): Promise<string[]> => {
      lookups += 1;
      return Promise.resolve([lookups === 1 ? publicAddress : '127.0.0.1']);
    };

    const answer = await post('rebind.example.com', { resolve: rebinding });
    expect(answer.ok).toBe(false);
    expect(lookups).toBe(1);
    expect(connections).toBe(0);
  });

  it('judges again at each connection', async () => {
    const answers = [[publicAddress], ['127.0.0.1']];
    const http = createOutboundHttp({
      allowPrivate: false,
      connectTimeoutMs: 200,
      resolve: () => Promise.resolve(answers.shift() ?? []),
    });
    await http.checkHost('rebind.example.com');

    const request = {
      url: `http://rebind.example.com:${port}/`,
      headers: {},
      body: '{}',
    };
    expect(await http.post({ ...request, timeoutMs: 500 })).toMatchObject({
      errorMessage: privateSentence,
    });
    expect(connections).toBe(0);
    await http.close();
  });

  it('tells a name without addresses from one with bad ones', async () => {
    const nobody = (): Promise<string[]> => Promise.reject(new Error('NXDOMAIN'));
    expect(await post('gone.example.com', { resolve: nobody })).toMatchObject({
      errorMessage: 'The host name cannot be resolved.',
    });
    expect(await post('gone.example.com', { resolve: () => Promise.resolve([]) })).toMatchObject({
      errorMessage: 'The host name cannot be resolved.',
    });
  });
});

describe('redirects', () => {
  it.each([301, 302, 303, 307, 308])('are not followed: %d', async (status) => {
    const redirecting = createServer((_request, response) => {
      response.writeHead(status, { location: `http://127.0.0.1:${port}/` }).end();
    });
    await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve));
    const http = createOutboundHttp({
      allowPrivate: true,
      connectTimeoutMs: 300,
    });
    const { port: from } = redirecting.address() as AddressInfo;

    const answer = await http.post({
      url: `http://127.0.0.1:${from}/`,
      headers: {},
      body: '{}',
      timeoutMs: 1_000,
    });
    expect(answer).toMatchObject({ ok: false, httpStatusCode: status });
    expect(connections).toBe(0);

    await http.close();
    await new Promise((resolve) => redirecting.close(resolve));
  });
});

describe('URLs that hide a host', () => {
  it.each([
    'http://example.com@127.0.0.1/',
    'http://127.0.0.1\\@example.com/',
    'http://example.com\\@127.0.0.1/',
    'http:///127.0.0.1/',
    'http:127.0.0.1',
    'http://[::1%25lo]/',
    'http://exa mple.com/',
    'gopher://127.0.0.1/',
    'file:///etc/passwd',
    'http://127.0.0.1:22/',
  ])('are refused by their form: %s', (url) => {
    expect(parseWebhookUrl(url).ok).toBe(false);
  });
});
