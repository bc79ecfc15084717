import { connect } from 'node:net';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createApiServer } from '../../../api/http/server/server';
import { maxBytes, maxProcessorBytes } from '../../../api/http/contract/body/body';
import { routes } from '../../../api/routes';
import { useApp } from '../../support/app';

const app = useApp();

/** What anybody on the Internet may send a body to; a click's key may stand in it. */
const open = routes.filter(
  ({ method, spec }) => method === 'post' && ['open', 'publicKey'].includes(spec.auth.kind),
);

it.each(open.map(({ path, spec }) => [path, spec.raw ?? maxBytes] as const))(
  'POST %s takes at most %d bytes',
  async (path, most) => {
    expect(most).toBeLessThanOrEqual(maxProcessorBytes);
    const url = path.replace(/:\w+/g, '01890a5d-ac96-774b-bcce-b302099a8057');
    const body = `{"x":"${'x'.repeat(most)}"}`;
    const headers = { 'Content-Type': 'application/json' };
    const answer = await app.client.post(url, body, { headers });
    expect([answer.status, answer.body['code']]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  },
);

it('none is unlimited by size because it was forgotten here', () => {
  expect(open.length).toBeGreaterThan(15);
});

it('headers, a request and an idle connection each have an end', () => {
  const server = createApiServer(() => undefined);
  const node = createServer();
  expect(server.headersTimeout).toBe(node.headersTimeout);
  expect(server.headersTimeout).toBeLessThanOrEqual(60_000);
  expect(server.requestTimeout).toBeGreaterThan(0);
  expect(server.requestTimeout).toBeLessThanOrEqual(300_000);
  expect(server.timeout).toBe(60_000);
  expect(server.keepAliveTimeout).toBe(75_000);
});

it('a body that claims to be shorter than it is begins no second request', async () => {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
  // Both lengths: a proxy in front may believe the other one.
  socket.write(
    'POST /v1/clicks HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n' +
      '0\r\n\r\nGET /api/v1/health HTTP/1.1\r\nHost: test\r\n\r\n',
  );
  await once(socket, 'close');
  expect(answer.match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
});
