import { once } from 'node:events';
import {
  createServer,
  request,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { sentTo } from '../../../api/http/server/readers';
import { endStalledAnswers, watchAnswers } from '../../../api/http/server/stalled-answers';
import { eventually } from '../../support/eventually';

const everyMs = 1_000;
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
  endStalledAnswers(server, { leastBytes: 1_024, everyMs });
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

  it('is left alone while there is nothing for it, and in a stream of events', async () => {
    const quiet = await askAndStall('/quiet');
    const events = await askAndStall('/events');
    const stalled = await askAndStall('/large');
    await closed(stalled.served);
    expect(quiet.served.destroyed).toBe(false);
    expect(events.served.destroyed).toBe(false);
    for (const { client } of [quiet, events, stalled]) client.destroy();
  });
});

it('a client that reads slowly but steadily gets all of its answer', async () => {
  const slow = createServer((_, response) => response.end(large));
  const endStalled = watchAnswers(slow, 1_024);
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  const accepted = once(slow, 'connection') as Promise<[Socket]>;
  const reader = request({ port: (slow.address() as AddressInfo).port }).end();
  const [[served], [answer]] = await Promise.all([accepted, once(reader, 'response')]);
  let received = 0;
  let sentBefore = 0;
  let looks = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    received += part.length;
    if (served.destroyed || sentTo(served) - sentBefore < 1_024) continue;
    sentBefore = sentTo(served);
    endStalled();
    looks += 1;
  }
  expect(received).toBe(large.length);
  expect(looks).toBeGreaterThan(3);
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
