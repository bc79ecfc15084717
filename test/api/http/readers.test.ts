import { once } from 'node:events';
import { createServer, get, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import Koa from 'koa';
import { sendJson } from '../../../api/exports/bundle';
import { sendCsv } from '../../../api/http/server/csv';
import type { ReaderBounds } from '../../../api/http/server/readers';
import { eventually } from '../../support/eventually';

const line = [['x'.repeat(1_000)]];
function* endless(): Generator<string[]> {
  for (;;) yield line[0] as string[];
}

async function* written(of: Readable): AsyncGenerator<string> {
  for await (const row of of) yield JSON.stringify(row);
}

type Send = (ctx: Koa.Context, rows: Readable, bounds: ReaderBounds) => void;
const sends: [format: string, send: Send][] = [
  [
    'CSV',
    (ctx, rows, bounds) => sendCsv(ctx, { name: 'all.csv', columns: ['column'], rows }, bounds),
  ],
  [
    'JSON',
    (ctx, rows, bounds) => sendJson(ctx, { name: 'all.json', parts: written(rows), rows }, bounds),
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

const closed = (socket: Socket) => (socket.closed ? undefined : once(socket, 'close'));

describe.each(sends)('an export as %s', (_format, send) => {
  it('is lost to a reader that takes less than the least rate, and no more rows are read', async () => {
    const bounds = { leastBytes: 1_024, everyMs: 150, mostTimes: 1_000 };
    const port = await serve((ctx) => send(ctx, rows, bounds));
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const client = ask(port);
    const [served] = await accepted;
    await closed(served);
    await eventually(() => Promise.resolve(rows.destroyed || undefined));
    client.destroy();
  });

  it('is there to the longest time for a reader that keeps up, and no longer', async () => {
    const everyMs = 100;
    const port = await serve((ctx) => send(ctx, rows, { leastBytes: 1, everyMs, mostTimes: 4 }));
    const began = performance.now();
    let received = 0;
    await new Promise<void>((resolve) => {
      get({ port }, (response) => {
        response.on('data', (chunk: Buffer) => (received += chunk.length));
        response.on('error', () => undefined).on('close', resolve);
      });
    });
    expect(performance.now() - began).toBeGreaterThan(3 * everyMs);
    expect(received).toBeGreaterThan(1_000_000);
    await eventually(() => Promise.resolve(rows.destroyed || undefined));
  });

  it('is whole for a reader that is not waited for, however long its rows take', async () => {
    const everyMs = 20;
    async function* slow(): AsyncGenerator<string[]> {
      for (let row = 0; row < 10; row += 1) {
        await pause(2 * everyMs);
        yield ['a row'];
      }
    }
    const port = await serve((ctx) =>
      send(ctx, Readable.from(slow()), { leastBytes: 1, everyMs, mostTimes: 3 }),
    );
    const text = await (await fetch(`http://127.0.0.1:${port}`)).text();
    expect(text.match(/a row/g)).toHaveLength(10);
  });

  it('reads no row for a client that had left before the first one', async () => {
    const bounds = { leastBytes: 1_024, everyMs: 60_000, mostTimes: 1_000 };
    const port = await serve(async (ctx) => {
      client.destroy();
      await once(ctx.res, 'close');
      send(ctx, rows, bounds);
    });
    const client = ask(port);
    await eventually(() => Promise.resolve(rows.destroyed || undefined));
  });
});
