import { once } from 'node:events';
import {
  createServer,
  request,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { closeUnsentAnswers } from '../../../api/http/server/server';
import { eventually } from '../../support/eventually';

const stalledMs = 1_000;
const readEveryMs = 300;
const large = Buffer.alloc(16 * 1024 * 1024, 'x');

let server: Server;
let port: number;

beforeAll(async () => {
  server = createServer((incoming, response) => {
    if (incoming.url === '/events') {
      response.setHeader('Content-Type', 'text/event-stream');
      response.write(large);
    } else if (incoming.url === '/large') {
      response.end(large);
    } else {
      response.writeHead(200).write('first');
    }
  });
  server.setTimeout(stalledMs);
  closeUnsentAnswers(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** A client that sends its request and reads nothing of the answer. */
async function askAndStall(path: string): Promise<{ client: Socket; served: Socket }> {
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
  const client = connect(port, '127.0.0.1').pause();
  client.on('error', () => undefined);
  client.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  return { client, served: await accepted };
}

const closed = (socket: Socket) =>
  new Promise<void>((resolve) => {
    if (socket.closed) resolve();
    else socket.once('close', () => resolve());
  });

describe('a client that does not read its answer', () => {
  it('is let go, with all that was kept for it', async () => {
    const { client, served } = await askAndStall('/large');
    await closed(served);
    client.destroy();
  });
});

it('a client that reads slowly but steadily gets all of its answer', async () => {
  let pauses = 0;
  const slow = createServer((_, response) => response.end(large));
  slow.setTimeout(2 * readEveryMs);
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  const reader = request({ port: (slow.address() as AddressInfo).port }).end();
  const [answer] = (await once(reader, 'response')) as [IncomingMessage];
  let received = 0;
  answer.on('data', (part: Buffer) => {
    received += part.length;
    if (Math.floor(received / (large.length / 10)) === pauses) return;
    pauses += 1;
    answer.pause();
    setTimeout(() => answer.resume(), readEveryMs);
  });
  await once(answer, 'end');
  expect(received).toBe(large.length);
  expect(pauses).toBeGreaterThan(3);
  slow.close();
});

it('answers behind the one whose client left are closed as well', async () => {
  const paths: string[] = [];
  const count = (incoming: IncomingMessage, response: ServerResponse): void => {
    response.once('close', () => paths.push(incoming.url ?? ''));
  };
  server.on('request', count);
  const client = connect(port, '127.0.0.1');
  const all = Array.from({ length: 20 }, (_, index) => `/pipelined-${index}`);
  client.write(all.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
  await once(client, 'data');
  client.resetAndDestroy();
  await eventually(async () => paths.length >= all.length || undefined, 5_000);
  expect([...paths].sort()).toEqual([...all].sort());
  server.off('request', count);
});
