import { once } from 'node:events';
import { connect } from 'node:net';
import { useApp } from '../../../support/app';

const app = useApp();

/** Sends bytes over a connection of their own and gives all that comes back. */
async function exchange(bytes: string): Promise<{ status: number; head: string; body: string }> {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
  socket.write(bytes);
  await once(socket, 'close');
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body };
}

const health = (method: string, headers = ''): string =>
  `${method} /api/v1/health HTTP/1.1\r\nHost: test\r\nConnection: close\r\n${headers}\r\n`;

describe('requests that are hardly HTTP (requests.md, Errors)', () => {
  it.each([
    ['no HTTP at all', 'nonsense\r\n\r\n', 400, 'VALIDATION_ERROR'],
    ['a method that nobody knows', health('FOO'), 400, 'VALIDATION_ERROR'],
    ['a length that is none', health('POST', 'Content-Length: -2\r\n'), 400, 'VALIDATION_ERROR'],
    ['no host', 'GET /api/v1/health HTTP/1.1\r\n\r\n', 400, 'VALIDATION_ERROR'],
    ['huge headers', health('GET', `X: ${'a'.repeat(17_000)}\r\n`), 431, 'HEADERS_TOO_LARGE'],
    ['CONNECT', health('CONNECT'), 405, 'METHOD_NOT_ALLOWED'],
    ['a wish for a tunnel', 'CONNECT db.internal:5432 HTTP/1.1\r\n\r\n', 404, 'NOT_FOUND'],
    ['TRACE', health('TRACE'), 405, 'METHOD_NOT_ALLOWED'],
  ])(
    'answers %s in the envelope, with the headers of every answer',
    async (_name, bytes, ...want) => {
      const { status, head, body } = await exchange(bytes);
      const envelope = JSON.parse(body) as Record<string, unknown>;
      expect([status, envelope['code']]).toEqual(want);
      expect(envelope['statusCode']).toBe(status);
      expect(head).toMatch(/^x-request-id: [0-9a-f-]{36}\r?$/m);
      expect(head).toMatch(/^x-content-type-options: nosniff\r?$/m);
      if (status === 405) expect(head).toMatch(/^allow: get, head\r?$/m);
    },
  );

  it('keeps connections open for longer than a load balancer does', async () => {
    const { headers } = await fetch(`${app.url}/api/v1/health`);
    const [, seconds] = /timeout=(\d+)/.exec(headers.get('keep-alive') ?? '') ?? [];
    expect(Number(seconds)).toBeGreaterThan(60);
  });

  it('passes over an expectation that it does not know', async () => {
    expect((await exchange(health('GET', 'Expect: the-unexpected\r\n'))).status).toBe(200);
  });

  it.each(['/v1/clicks', '/api/v1/auth/merchant/login'])(
    'ends the connection of a body that it does not read to its end, at %s',
    async (path) => {
      const chunk = `10000\r\n${'a'.repeat(65_536)}\r\n`;
      const about = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n';
      const head = `POST ${path} HTTP/1.1\r\nHost: test\r\n${about}\r\n`;
      const answer = await exchange(`${head}${chunk.repeat(6)}0\r\n\r\n${health('GET')}`);
      expect(answer.status).toBe(413);
      expect(answer.head).toContain('connection: close');
      expect(JSON.parse(answer.body)).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    },
  );
});
