import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
  at: number;
}

export type Answer = (request: Received, response: ServerResponse) => void;

/** A receiver of webhooks that remembers what it got and answers as it is told. */
export interface Sink {
  url: string;
  received: Received[];
  /** Requests that have not been answered yet, and the most that there were at once. */
  open: number;
  maxOpen: number;
  /** How it answers from now on; 200 at once unless told. */
  answer(how: Answer): void;
  /** Resolves when so many requests (in all) have come. */
  waitFor(count: number, timeoutMs?: number): Promise<Received[]>;
  close(): Promise<void>;
}

const ok: Answer = (_request, response) => response.end('ok');

export async function startSink(port = 0): Promise<Sink> {
  let answer = ok;
  let waiters: (() => void)[] = [];
  const server = createServer((request, response) => {
    sink.open += 1;
    sink.maxOpen = Math.max(sink.maxOpen, sink.open);
    response.on('close', () => (sink.open -= 1));
    void readAll(request).then((received) => {
      sink.received.push(received);
      waiters.forEach((wake) => wake());
      answer(received, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));

  const sink: Sink = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    open: 0,
    maxOpen: 0,
    answer: (how) => (answer = how),
    async waitFor(count, timeoutMs = 10_000) {
      const deadline = Date.now() + timeoutMs;
      while (sink.received.length < count) {
        const left = deadline - Date.now();
        if (left <= 0) throw new Error(`${sink.received.length} of ${count} requests came`);
        await nextRequest(left);
      }
      return sink.received;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  function nextRequest(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, timeoutMs);
      function done(): void {
        clearTimeout(timer);
        waiters = waiters.filter((waiter) => waiter !== done);
        resolve();
      }
      waiters.push(done);
    });
  }

  return sink;
}

async function readAll(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return {
    path: request.url ?? '/',
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    ),
    body: Buffer.concat(chunks).toString(),
    at: Date.now(),
  };
}
