import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Middleware } from 'koa';
import { direct } from '../../../../api/http/server/direct';
import type { Route } from '../../../../api/http/contract/route';

let server: Server;
const seen: unknown[] = [];

const around: Middleware = (ctx, next) => {
  ctx.vary('Origin');
  ctx.vary('Accept');
  ctx.vary('Origin');
  if (ctx.get('x-fail') !== '') throw new Error('outside of the envelope');
  return next();
};
const handler: Middleware = (ctx) => {
  ctx.status = 200;
  ctx.body = { ok: true };
  return Promise.resolve();
};

beforeAll(async () => {
  const routes = [
    { name: 'answer', path: '/answer', spec: { checksItself: true }, handler },
  ] as unknown as Route[];
  const async: Middleware = async (ctx, next) => around(ctx, next);
  const options = { around: [async], routes, names: ['answer'] };
  const onError = (error: unknown): void => void seen.push(error);
  server = createServer(direct({ ...options, onError }, (_request, response) => response.end()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const ask = (headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/answer`, {
    method: 'POST',
    headers,
  });

it('what fails outside of the envelope is answered in it, and reported', async () => {
  const answer = await ask({ 'X-Fail': 'yes' });
  expect(answer.status).toBe(500);
  expect(await answer.json()).toMatchObject({ statusCode: 500, code: 'INTERNAL_ERROR' });
  expect(seen).toHaveLength(1);
});

it('an answer names each header that it depends on once', async () => {
  const answer = await ask();
  expect(answer.status).toBe(200);
  expect(answer.headers.get('vary')).toBe('Origin, Accept');
});
