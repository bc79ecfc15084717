import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import Koa from 'koa';
import { koaBody } from 'koa-body';
import { signForTest } from '../../../packages/client/src';
import { affiliateWebhook as forExpress } from '../../../packages/client/src/express';
import { affiliateWebhook as forKoa } from '../../../packages/client/src/koa';
import { affiliateWebhook as forRequest } from '../../../packages/client/src/next';

const secret = `whsec_${'0123456789abcdef'.repeat(4)}`;
const options = { secrets: [secret] };
const delivery = signForTest({
  secret,
  event: { type: 'payout.created', data: { object: { id: 'Zoë' } } },
});
const seen: string[] = [];
const onEvent = ({ type }: { type: string }): void => void seen.push(type);
beforeEach(() => seen.splice(0));

const sites: [string, () => RequestListener][] = [
  ['Express', () => express().post('/', forExpress(options, onEvent))],
  ['Koa', () => new Koa().use(forKoa(options, onEvent)).callback()],
];

interface Answer {
  status: number;
  text: string;
}

/** Sends a body piece by piece, as fast as it is taken, until it is answered. */
async function post(
  site: RequestListener,
  headers: Record<string, string>,
  pieces: Iterable<string>,
): Promise<Answer> {
  const server = createServer(site).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sent = request({ port, method: 'POST', path: '/', headers });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  const isClosed = once(sent, 'close').then(() => true);
  for (const piece of pieces) {
    const isTaken = sent.write(piece) || once(sent, 'drain').then(() => false);
    if (isTaken !== true && (await Promise.race([isTaken, isClosed]))) break;
  }
  if (!sent.closed) sent.end();
  const [response] = await answered;
  let text = '';
  response.setEncoding('utf8');
  for await (const chunk of response) text += chunk as string;
  server.closeAllConnections();
  server.close();
  return { status: response.statusCode ?? 0, text };
}

const million = 'x'.repeat(1_000_000);
const many = (count: number) => Array<string>(count).fill(million);

describe.each(sites)('a webhook behind %s', (_, site) => {
  it('takes a delivery', async () => {
    const { status } = await post(site(), delivery.headers, [delivery.body]);
    expect([status, seen]).toEqual([204, ['payout.created']]);
  });

  it('reads nothing of a stranger, and no more than 1 MiB of anybody', async () => {
    const before = process.memoryUsage().rss;
    const stranger = await post(site(), { 'content-type': 'application/json' }, many(100));
    expect([stranger.status, stranger.text]).toEqual([400, expect.stringContaining('headers')]);
    const endless = await post(site(), delivery.headers, many(100));
    expect([endless.status, endless.text]).toEqual([413, expect.stringContaining('1 MiB')]);
    expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000);
    expect(seen).toEqual([]);
  });
});

describe('behind parsers', () => {
  const parsers: [string, () => RequestListener][] = [
    [
      'Express, urlencoded() before it',
      () => express().use(express.urlencoded()).post('/', forExpress(options, onEvent)),
    ],
    [
      'Express, a parser of another type that leaves {}, as body-parser 1 does',
      () =>
        express()
          .use((asked, _response, next) => {
            Object.assign(asked, { body: {} });
            next();
          })
          .post('/', forExpress(options, onEvent)),
    ],
    [
      'Nest and Firebase, which keep rawBody',
      () =>
        express()
          .use(
            express.json({
              verify: (asked, _response, rawBody) => void Object.assign(asked, { rawBody }),
            }),
          )
          .post('/', forExpress(options, onEvent)),
    ],
    [
      'Koa, a parser that keeps rawBody, as koa-bodyparser does',
      () =>
        new Koa()
          .use(async (ctx, next) => {
            const chunks: Buffer[] = [];
            for await (const chunk of ctx.req) chunks.push(chunk as Buffer);
            const rawBody = Buffer.concat(chunks).toString();
            Object.assign(ctx.request, { rawBody, body: JSON.parse(rawBody) as unknown });
            await next();
          })
          .use(forKoa(options, onEvent))
          .callback(),
    ],
    [
      'Koa, koa-body that takes text',
      () =>
        new Koa()
          .use(koaBody({ json: false, text: true, jsonLimit: '1mb' }))
          .use(forKoa(options, onEvent))
          .callback(),
    ],
  ];

  it.each(parsers)('%s: takes a delivery', async (_, site) => {
    const { status, text } = await post(site(), delivery.headers, [delivery.body]);
    expect([status, text, seen]).toEqual([204, '', ['payout.created']]);
  });

  it.each<[string, () => RequestListener]>([
    ['Express', () => express().use(express.json()).post('/', forExpress(options, onEvent))],
    ['Koa', () => new Koa().use(koaBody()).use(forKoa(options, onEvent)).callback()],
  ])('%s: says what to change where the bytes are gone', async (_, site) => {
    const { status, text } = await post(site(), delivery.headers, [delivery.body]);
    expect([status, text]).toEqual([500, expect.stringContaining('before the parser of bodies')]);
    expect(seen).toEqual([]);
  });
});

describe('a standard Request', () => {
  const receive = forRequest(options, onEvent);
  const asked = (init: RequestInit) =>
    new Request('http://localhost/', { method: 'POST', ...init });

  it('is read behind good headers, and no further than 1 MiB', async () => {
    expect((await receive(asked(delivery))).status).toBe(204);
    let pulled = 0;
    const body = new ReadableStream({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new TextEncoder().encode(million));
      },
    });
    const endless = { body, duplex: 'half' } as RequestInit;
    expect((await receive(asked({ ...endless, headers: delivery.headers }))).status).toBe(413);
    expect(pulled).toBeLessThan(5);
    expect((await receive(asked({ body: million }))).status).toBe(400);
  });

  it('that was read says so', async () => {
    const request = asked(delivery);
    await request.text();
    const answer = await receive(request);
    expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining('parser')]);
  });

  it('and a secret that is none is said, whoever asks', async () => {
    const without = forRequest({ secrets: '' }, onEvent);
    const answer = await without(asked(delivery));
    expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining('secret')]);
  });
});
