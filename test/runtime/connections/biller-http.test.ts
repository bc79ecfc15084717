import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  billerHttpFailure,
  BillerHttpError,
  createBillerHttp,
} from '../../../runtime/connections/biller-http';
import { errorOf } from '../../support/answers/error-of';

let server: Server;
let base: string;
let asked: string[] = [];
let answer: RequestListener;

beforeAll(async () => {
  server = createServer((req, res) => {
    asked.push(`${req.method} ${req.url}`);
    answer(req, res);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  asked = [];
  answer = (_req, res) => res.end('{"data":[1]}');
});
afterAll(() => server.close());

const called = (isOperators: boolean) =>
  createBillerHttp({ base, key: 'a-key', isOperators }).call('GET', '/things', {
    query: { limit: 1, after: undefined },
  });

it('asks a private host only where an operator named it', async () => {
  const refused = await errorOf(called(false));
  expect(refused).toBeInstanceOf(BillerHttpError);
  expect(billerHttpFailure(refused)).toBe('away');
  expect(asked).toEqual([]);
  expect(await called(true)).toEqual({ data: [1] });
  expect(asked).toEqual(['GET /things?limit=1']);
});

it('takes no key along a redirect', async () => {
  answer = (_req, res) => res.writeHead(302, { Location: `${base}/elsewhere` }).end();
  expect(billerHttpFailure(await errorOf(called(true)))).toBe('missing');
  expect(asked).toEqual(['GET /things?limit=1']);
});

it('reads no more of an answer than any has', async () => {
  let sent = 0;
  answer = (_req, res) => {
    const more = (): void => {
      while (sent < 64 * 1_024 * 1_024 && !res.destroyed) {
        sent += 1_024 * 1_024;
        if (!res.write('x'.repeat(1_024 * 1_024))) return void res.once('drain', more);
      }
      res.end();
    };
    more();
  };
  expect(billerHttpFailure(await errorOf(called(true)))).toBe('away');
  expect(sent).toBeLessThan(48 * 1_024 * 1_024);
});

it.each([
  [401, 'refused'],
  [403, 'refused'],
  [404, 'missing'],
  [429, 'away'],
  [503, 'away'],
])('%d is %s, and its message holds nothing of the answer', async (status, failure) => {
  answer = (_req, res) => res.writeHead(status).end('{"error":"somebody@example.com"}');
  const error = await errorOf(called(true));
  expect(billerHttpFailure(error)).toBe(failure);
  expect(String(error)).not.toContain('@');
});
