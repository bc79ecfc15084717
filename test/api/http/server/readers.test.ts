import { once } from 'node:events';
import { createServer, get, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import Koa from 'koa';
import { sendJson } from '../../../../api/exports/bundle';
import { sendCsv } from '../../../../api/http/server/csv';
import { eventually } from '../../../support/eventually';

const line = [['x'.repeat(1_000)]];
function* endless(): Generator<string[]> {
  for (;;) yield line[0] as string[];
}

async function* written(of: Readable): AsyncGenerator<string> {
  for await (const row of of) yield JSON.stringify(row);
}

type Send = (ctx: Koa.Context, rows: Readable, maxMs: number) => void;
const sends: [format: string, send: Send][] = [
  [
    'CSV',
    (ctx, rows, maxMs) => sendCsv(ctx, { name: 'all.csv', columns: ['column'], rows }, maxMs),
  ],
  [
    'JSON',
    (ctx, rows, maxMs) => sendJson(ctx, { name: 'all.json', parts: written(rows), rows }, maxMs),
  ],
];

let server: Server;
let rows: Readable;

async function serve(send: (ctx: Koa.Context) => Promise<void> | void): Promise<number> {
  rows = Readable.from(endless());
  const koa = new Koa().use(send);
  koa.silent = true;
  server = createServer(koa.callback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function ask(port: number): Socket {
  const client = connect(port, '127.0.0.1').pause();
  client.on('error', () => undefined);
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  return client;
}

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe.each(sends)('an export as %s', (_format, send) => {
  it('is there to the longest time for a reader that keeps up, and no longer', async () => {
    const maxMs = 400;
    const port = await serve((ctx) => send(ctx, rows, maxMs));
    const began = performance.now();
    let received = 0;
    await new Promise<void>((resolve) => {
      get({ port }, (response) => {
        response.on('data', (chunk: Buffer) => (received += chunk.length));
        response.on('error', () => undefined).on('close', resolve);
      });
    });
    expect(performance.now() - began).toBeGreaterThan(0.75 * maxMs);
    expect(received).toBeGreaterThan(1_000_000);
    await eventually(() => Promise.resolve(rows.destroyed || undefined));
  });

  it('reads no row for a client that had left before the first one', async () => {
    const port = await serve(async (ctx) => {
      client.destroy();
      await once(ctx.res, 'close');
      send(ctx, rows, 60_000);
    });
    const client = ask(port);
    await eventually(() => Promise.resolve(rows.destroyed || undefined));
  });
});
