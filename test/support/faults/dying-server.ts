import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface DyingServer {
  url: string;
  /** How many connections it has let in. */
  letIn(): number;
  close(): Promise<void>;
}

const message = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};

const authenticated = message('R', Buffer.from([0, 0, 0, 0]));
const ready = message('Z', Buffer.from('I'));
const stopping = message(
  'E',
  Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'),
);

/**
 * Speaks Postgres as far as one does that is stopped while it lets somebody in: that it is ready, and that it
 * ends, come in one packet, as they do when client or server have to wait for a processor.
 */
export async function startDyingServer(): Promise<DyingServer> {
  let letIn = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => {
      letIn += 1;
      socket.end(Buffer.concat([authenticated, ready, stopping]));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `postgres://nobody@127.0.0.1:${(server.address() as AddressInfo).port}/none`,
    letIn: () => letIn,
    async close() {
      sockets.forEach((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
