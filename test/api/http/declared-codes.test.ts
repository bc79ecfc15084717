import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import Koa from 'koa';
import { runnerOf } from '../../../api/http/checks/order-of-checks';
import { createDatabasePlaces } from '../../../api/http/checks/places';
import { open } from '../../../api/http/contract/credential';
import { routesOf } from '../../../api/http/contract/route';
import { errorEnvelope } from '../../../api/http/server/errors';
import { AppError, type ErrorCode } from '../../../entities/errors';

let server: Server;
let url: string;

/** An endpoint that declares NOT_FOUND alone, and throws the code of its path. */
beforeAll(async () => {
  const log = { error: () => undefined, warn: () => undefined };
  const router = new Router();
  router.get(
    '/:code',
    runnerOf(
      routesOf('Test').get(
        '/:code',
        {
          name: 'throwCode',
          summary: 'Throws what it is asked for',
          auth: open(null),
          responses: { 200: {} },
          errors: ['NOT_FOUND'],
        },
        (ctx) => {
          throw new AppError((ctx.path.slice(1) as ErrorCode) ?? 'NOT_FOUND');
        },
      ),
    ),
  );
  const app = new Koa();
  app.use(async (ctx, next) => {
    const config = { checkContracts: true, requireHttps: false };
    const db = { behind: () => ({}) };
    const services = { places: createDatabasePlaces(10) };
    Object.assign(ctx, { deps: { config, db }, services });
    await next();
  });
  app.use(errorEnvelope({ log } as never));
  app.use(router.routes());
  server = createServer(app.callback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

it('answers a code that its contract declares', async () => {
  expect((await fetch(`${url}/NOT_FOUND`)).status).toBe(404);
});

it('fails for a code that its contract does not declare', async () => {
  expect((await fetch(`${url}/PROGRAM_ARCHIVED`)).status).toBe(500);
});
