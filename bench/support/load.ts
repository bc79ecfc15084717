import { connect, type Socket } from 'node:net';
import { quantile } from './table';

/** One request of a load. */
export interface Shot {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface LoadOptions {
  /** Origin of the server. */
  url: string;
  connections: number;
  /** Stop after this time, or after this many requests, or once this is true. */
  seconds?: number;
  amount?: number;
  until?: () => boolean;
  /** Requests per second over all connections; as fast as answers come when left out. */
  rate?: number;
  /** The n-th request, from 0. */
  makeRequest: (index: number) => Shot;
  onAnswer?: (status: number, body: string) => void;
}

export interface LoadResult {
  requests: number;
  rps: number;
  /** Milliseconds. With a rate they count from the moment when the request was due. */
  p50: number;
  p99: number;
  /** All of them, least first. */
  latencies: number[];
  statuses: Record<number, number>;
}

/**
 * A small load generator over bare sockets: one request at a time on each connection. A general
 * client would cost more than the server that it measures.
 */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const run = createRun(options);
  const sockets = await Promise.all(
    Array.from({ length: options.connections }, () => openSocket(options.url)),
  );
  const started = performance.now();
  await (options.rate === undefined ? run.flatOut(sockets) : run.paced(sockets, options.rate));
  const elapsed = performance.now() - started;
  sockets.forEach((socket) => socket.destroy());
  return summarise(run.latencies, run.statuses, elapsed);
}

function createRun({ url, seconds, amount, until, makeRequest, onAnswer }: LoadOptions) {
  const latencies: number[] = [];
  const statuses: Record<number, number> = {};
  const { host } = new URL(url);
  const endsAt = performance.now() + (seconds ?? 3_600) * 1_000;
  const most = amount ?? Number.POSITIVE_INFINITY;
  let sent = 0;

  const isOver = (): boolean => sent >= most || performance.now() >= endsAt || until?.() === true;

  const fire = async (socket: Socket, since = performance.now()): Promise<void> => {
    const answer = await exchange(socket, encode(host, makeRequest(sent++)));
    latencies.push(performance.now() - since);
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    onAnswer?.(answer.status, answer.body);
  };

  return {
    latencies,
    statuses,
    async flatOut(sockets: Socket[]): Promise<void> {
      await Promise.all(
        sockets.map(async (socket) => {
          while (!isOver()) await fire(socket);
        }),
      );
    },
    /** A late answer delays the next request of its connection, which then counts as late, too. */
    async paced(sockets: Socket[], rate: number): Promise<void> {
      const gap = (sockets.length * 1_000) / rate;
      const begin = performance.now();
      await Promise.all(
        sockets.map(async (socket, index) => {
          for (let due = begin + (index * gap) / sockets.length; !isOver(); due += gap) {
            const wait = due - performance.now();
            if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
            await fire(socket, Math.min(due, performance.now()));
          }
        }),
      );
    },
  };
}

function encode(host: string, { method = 'POST', path = '/', headers, body = '' }: Shot): string {
  const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${lines.join('')}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    socket.setEncoding('latin1');
    socket.once('error', reject);
    socket.once('connect', () => resolve(socket));
  });
}

function exchange(socket: Socket, request: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    let received = '';
    const onData = (chunk: string): void => {
      received += chunk;
      const answer = parseAnswer(received);
      if (!answer) return;
      stop();
      resolve(answer);
    };
    const onEnd = (): void => {
      stop();
      reject(new Error('the server closed a connection'));
    };
    const stop = (): void => {
      socket.off('data', onData);
      socket.off('close', onEnd);
    };
    socket.on('data', onData);
    socket.on('close', onEnd);
    socket.write(request);
  });
}

/** Undefined while something is still missing. Enough for answers that state their length. */
function parseAnswer(text: string): { status: number; body: string } | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? '0';
  const body = text.slice(end + 4);
  if (body.length < Number(length)) return undefined;
  return { status: Number(text.slice(9, 12)), body };
}

function summarise(
  latencies: number[],
  statuses: Record<number, number>,
  elapsedMs: number,
): LoadResult {
  const sorted = latencies.toSorted((a, b) => a - b);
  return {
    requests: sorted.length,
    rps: Math.round((sorted.length * 1_000) / elapsedMs),
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    latencies: sorted,
    statuses,
  };
}
