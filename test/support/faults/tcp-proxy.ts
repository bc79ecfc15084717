import { connect, createServer, type Socket } from 'node:net';
import { claimAnyPort } from '../../../stack/parts/ports';

/** A server in front of another one, that can be frozen and cut off. */
export interface TcpProxy {
  port: number;
  /** Bytes stay where they are, connections stay open. */
  freeze(): void;
  thaw(): void;
  /** Ends all connections and refuses new ones until `restore`. */
  cut(): void;
  restore(): void;
  /** Where new connections lead from now on, as a name that leads to another machine. */
  pointTo(target: { host: string; port: number }): void;
  close(): Promise<void>;
}

export async function startTcpProxy(first: { host: string; port: number }): Promise<TcpProxy> {
  let target = first;
  const sockets = new Set<Socket>();
  let isFrozen = false;
  let isCut = false;
  const server = createServer((client) => {
    if (isCut) return void client.destroy();
    const upstream = connect(target);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => to.write(bytes));
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      if (isFrozen) from.pause();
    }
  });
  const port = await claimAnyPort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));

  return {
    port,
    freeze() {
      isFrozen = true;
      sockets.forEach((socket) => socket.pause());
    },
    thaw() {
      isFrozen = false;
      sockets.forEach((socket) => socket.resume());
    },
    cut() {
      isCut = true;
      sockets.forEach((socket) => socket.destroy());
    },
    restore() {
      isCut = false;
    },
    pointTo(next) {
      target = next;
    },
    async close() {
      sockets.forEach((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
