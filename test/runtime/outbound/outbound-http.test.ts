import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  createOutboundHttp,
  type OutboundAnswer,
  type OutboundHttp,
} from '../../../runtime/outbound/http';

let http: OutboundHttp;
const servers: {
  close: (done: () => void) => unknown;
  closeAllConnections?: () => void;
}[] = [];

beforeAll(() => {
  http = createOutboundHttp({ allowPrivate: true, connectTimeoutMs: 500 });
});

afterAll(async () => {
  await http.close();
  await Promise.all(
    servers.map((server) => {
      server.closeAllConnections?.();
      return new Promise<void>((resolve) => server.close(resolve));
    }),
  );
});

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function postTo(listener: RequestListener, timeoutMs = 2_000): Promise<OutboundAnswer> {
  const url = await listen(createServer(listener));
  return http.post({
    url,
    headers: { 'x-test': '1' },
    body: '{"a":1}',
    timeoutMs,
  });
}

describe('a post', () => {
  it('delivers body and headers, and tells the answer', async () => {
    let seen = '';
    const answer = await postTo((request, response) => {
      request.on('data', (chunk: Buffer) => (seen += chunk.toString()));
      request.on('end', () => response.writeHead(202).end(`${request.headers['x-test']} thanks`));
    });
    expect(seen).toBe('{"a":1}');
    expect(answer).toMatchObject({
      ok: true,
      httpStatusCode: 202,
      errorMessage: null,
      responseBody: '1 thanks',
    });
  });

  it.each([301, 400, 404, 410, 500])('fails on %d, and keeps the answer', async (status) => {
    const answer = await postTo((_request, response) => response.writeHead(status).end('why'));
    expect(answer).toMatchObject({
      ok: false,
      httpStatusCode: status,
      errorMessage: `The receiver answered ${status}.`,
      responseBody: 'why',
    });
  });

  it('hands over Retry-After', async () => {
    const answer = await postTo((_request, response) =>
      response.writeHead(503, { 'retry-after': '7' }).end(),
    );
    expect(answer.retryAfter).toBe('7');
  });
});

describe('a post to a receiver that is within the rules', () => {
  /** A server of bytes as they are, in as many packets. */
  async function postToBytes(...packets: string[]): Promise<OutboundAnswer[]> {
    const server = createTcpServer({ noDelay: true }, (socket) => {
      let asked = '';
      socket.on('error', () => undefined);
      socket.on('data', (chunk: Buffer) => {
        asked += chunk.toString();
        if (!asked.endsWith('{}')) return;
        asked = '';
        void packets.reduce(
          (before, packet) =>
            before.then(
              () => new Promise<void>((resolve) => socket.write(packet, () => resolve())),
            ),
          Promise.resolve(),
        );
      });
    });
    const url = await listen(server as unknown as Server);
    const request = { url, headers: {}, body: '{}', timeoutMs: 2_000 };
    // The second comes over the connection of the first.
    return [await http.post(request), await http.post(request)];
  }
  const final = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

  it.each([
    ['100 Continue', ['HTTP/1.1 100 Continue\r\n\r\n', final]],
    ['100 Continue in the same packet', [`HTTP/1.1 100 Continue\r\n\r\n${final}`]],
    [
      '100 twice, in pieces',
      ['HTTP/1.1 1', '00\r\n\r', '\nHTTP/1.1 100 C\r\n\r\nHT', final.slice(2)],
    ],
    ['102 and 103', ['HTTP/1.1 102 P\r\n\r\nHTTP/1.1 103 Hints\r\nLink: </a>\r\n\r\n', final]],
    [
      'its length twice',
      ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX: y\r\ncontent-length: 2\r\n\r\nok'],
    ],
    ['its length twice in a line', ['HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nok']],
    [
      'a hundred lines of head, each by itself',
      [
        'HTTP/1.1 200 OK\r\n',
        ...Array.from({ length: 100 }, (_, n) => `X-${n}: ${'y'.repeat(200)}\r\n`),
        'Content-Length: 2\r\n\r\nok',
      ],
    ],
    [
      '20 kB of headers',
      [`HTTP/1.1 200 OK\r\nX: ${'y'.repeat(20_000)}\r\nContent-Length: 2\r\n\r\nok`],
    ],
  ])('takes its 200 with %s', async (_name, packets) => {
    for (const answer of await postToBytes(...packets)) {
      expect(answer).toMatchObject({ ok: true, httpStatusCode: 200, responseBody: 'ok' });
    }
  });

  it.each([
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok'],
    [
      'a length beside chunks',
      `HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\nok`,
    ],
    ['100 kB of headers', `HTTP/1.1 200 OK\r\nX: ${'y'.repeat(100_000)}\r\n\r\n`],
  ])('takes no answer with %s', async (_name, packet) => {
    const [answer] = await postToBytes(packet);
    expect(answer).toMatchObject({ ok: false, httpStatusCode: null });
  });

  it('says where a redirect leads, and does not go there', async () => {
    const [answer] = await postToBytes(
      'HTTP/1.1 308 Moved\r\nLocation: https://www.shop.example/hook\r\nContent-Length: 0\r\n\r\n',
    );
    expect(answer?.errorMessage).toBe(
      'The receiver answered 308 and redirects to https://www.shop.example/hook: no redirect is followed.',
    );
    const long = `HTTP/1.1 302 F\r\nLocation: /${'x'.repeat(2_000)}\u00e9\r\nContent-Length: 0\r\n\r\n`;
    expect((await postToBytes(long))[0]?.errorMessage?.length).toBeLessThan(400);
  });
});

describe('a post to a receiver that misbehaves', () => {
  it('ends in time when no headers come', async () => {
    const answer = await postTo(() => undefined, 150);
    expect(answer).toMatchObject({
      ok: false,
      httpStatusCode: null,
      errorMessage: 'No answer within 150 ms.',
      responseBody: null,
    });
    expect(answer.durationMs).toBeLessThan(3_000);
  });

  it('ends in time on an endless drip of bytes, and closes the connection', async () => {
    let closed!: () => void;
    const gone = new Promise<void>((resolve) => (closed = resolve));
    const answer = await postTo((_request, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => {
        clearInterval(drip);
        closed();
      });
    }, 300);
    expect(answer).toMatchObject({ ok: false, httpStatusCode: 200 });
    expect(answer.errorMessage).toBe('The answer did not end within 300 ms.');
    await gone;
  });

  it('ends in time on an endless drip of headers', async () => {
    const server = createTcpServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write(`x-${Date.now()}: 1\r\n`), 20);
      socket.on('close', () => clearInterval(drip)).on('error', () => undefined);
    });
    const url = await listen(server as unknown as Server);
    const answer = await http.post({
      url,
      headers: {},
      body: '{}',
      timeoutMs: 300,
    });
    expect(answer).toMatchObject({ ok: false, httpStatusCode: null });
  });

  it('keeps 16 KiB of a 2 GB answer, which it does not read', async () => {
    let written = 0;
    const chunk = Buffer.alloc(1 << 20, 'x');
    const answer = await postTo((_request, response) => {
      response.writeHead(200, { 'content-length': String(2 ** 31) });
      const pump = (): void => {
        while (written < 2 ** 31 && !response.destroyed) {
          written += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', pump);
        }
      };
      pump();
    });
    expect(answer).toMatchObject({ ok: true, httpStatusCode: 200 });
    expect(answer.responseBody).toHaveLength(16 * 1_024);
    expect(written).toBeLessThan(2 ** 27);
  });

  it.each(['gzip', 'br', 'nonsense'])(
    'takes a 2xx whose body is no %s as a success',
    async (encoding) => {
      const answer = await postTo((_request, response) =>
        response.writeHead(200, { 'content-encoding': encoding }).end('not compressed at all'),
      );
      expect(answer).toMatchObject({
        ok: true,
        responseBody: 'not compressed at all',
      });
    },
  );

  it('keeps a compressed body as storable text', async () => {
    const answer = await postTo((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('hello')),
    );
    expect(answer.ok).toBe(true);
    expect(answer.responseBody).toContain('\uFFFD');
    expect(answer.responseBody).not.toContain('\0');
  });

  it('takes a 2xx whose body breaks off as a success', async () => {
    const answer = await postTo((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('part');
      setTimeout(() => response.destroy(), 50);
    });
    expect(answer).toMatchObject({
      ok: true,
      httpStatusCode: 200,
      errorMessage: null,
    });
  });

  it.each([
    ['no HTTP at all', 'SSH-2.0-OpenSSH_9.0\r\n'],
    ['headers without end', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(40_000)}`],
    ['a closed connection', ''],
  ])('tells %s from a timeout', async (_name, text) => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined).on('data', () => socket.end(text));
    });
    const url = await listen(server as unknown as Server);
    const answer = await http.post({
      url,
      headers: {},
      body: '{}',
      timeoutMs: 2_000,
    });
    expect(answer).toMatchObject({ ok: false, httpStatusCode: null });
    expect(answer.errorMessage).not.toMatch(/within/);
  });

  it('tells a refused connection', async () => {
    const url = 'http://127.0.0.1:1/';
    const answer = await http.post({
      url,
      headers: {},
      body: '{}',
      timeoutMs: 1_000,
    });
    expect(answer.errorMessage).toBe('The connection was refused.');
  });
});

describe('TLS certificates', () => {
  const folder = mkdtempSync(join(tmpdir(), 'outbound-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  let url: string;

  beforeAll(async () => {
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '1',
        '-keyout',
        key,
        '-out',
        cert,
      ].concat(subject),
      { stdio: 'ignore' },
    );
    const server = createTlsServer(
      { key: readFileSync(key), cert: readFileSync(cert) },
      (_request, response) => response.end('secret'),
    );
    url = (await listen(server)).replace('http:', 'https:');
  });

  it('are verified, also where private addresses are allowed', async () => {
    const answer = await http.post({
      url,
      headers: {},
      body: '{}',
      timeoutMs: 2_000,
    });
    expect(answer).toMatchObject({ ok: false, httpStatusCode: null });
    expect(answer.errorMessage).toContain('TLS certificate');
  });

  it('must name the host that was asked for', async () => {
    const trusting = createOutboundHttp({
      allowPrivate: true,
      connectTimeoutMs: 500,
      ca: readFileSync(cert, 'utf8'),
    });
    const request = { headers: {}, body: '{}', timeoutMs: 2_000 };
    const named = await trusting.post({
      ...request,
      url: url.replace('127.0.0.1', 'localhost'),
    });
    expect(named).toMatchObject({ ok: true, responseBody: 'secret' });
    const literal = await trusting.post({ ...request, url });
    expect(literal.errorMessage).toContain('TLS certificate');
    await trusting.close();
  });
});

describe('one host', () => {
  it('does not wait for its hanging requests', async () => {
    const url = await listen(
      createServer((request, response) => {
        if (request.url !== '/hang') response.end('ok');
      }),
    );
    const request = { headers: {}, body: '{}', timeoutMs: 2_000 };
    let ended = 0;
    const hanging = Array.from({ length: 20 }, async () => {
      await http.post({ ...request, url: `${url}hang` });
      ended += 1;
    });
    const answer = await http.post({ ...request, url });
    expect(answer.ok).toBe(true);
    expect(ended).toBe(0);
    await Promise.all(hanging);
  });
});
