import { once } from 'node:events';
import { createServer, get, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import Koa from 'koa';
import { sendCsv, type ReaderBounds } from '../../../api/http/csv';

const line = [['x'.repeat(1_000)]];
function* endless(): Generator<string[]> {
  for (;;) yield line[0] as string[];
}

let server: Server;
let rows: Readable;

async function serve(bounds: ReaderBounds): Promise<number> {
  const koa = new Koa().use((ctx) => {
    rows = Readable.from(endless());
    sendCsv(ctx, { name: 'all.csv', columns: ['column'], rows }, bounds);
  });
  koa.silent = true;
  server = createServer(koa.callback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const closed = (socket: Socket) => (socket.closed ? undefined : once(socket, 'close'));

it('a reader that takes less than the least rate loses its export, and no more rows are read', async () => {
  const port = await serve({ leastBytes: 1_024, everyMs: 150, mostTimes: 1_000 });
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = connect(port, '127.0.0.1').pause();
  client.on('error', () => undefined);
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const [served] = await accepted;
  await closed(served);
  expect(rows.destroyed).toBe(true);
  client.destroy();
});

it('a reader that keeps up has its export to the longest time, and no longer', async () => {
  const everyMs = 100;
  const port = await serve({ leastBytes: 1, everyMs, mostTimes: 4 });
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
  expect(rows.destroyed).toBe(true);
});
