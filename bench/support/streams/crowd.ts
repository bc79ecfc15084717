import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { monotonicMs } from '../sink';

/**
 * The readers of the measurement, in a process of their own: bare sockets, each with one open
 * stream. They know notifications by the id that the writer put into their data, and note the
 * moment of each receipt by the clock that all processes of a machine share.
 */
export interface OpenCommand {
  kind: 'open';
  origin: string;
  /** One a stream. */
  streams: { path: string; token: string }[];
}

/** Asks for the receipts of one notification, and forgets them. */
export interface TakeCommand {
  kind: 'take';
  causeId: string;
}

export type CrowdCommand = OpenCommand | TakeCommand | { kind: 'count' };

export type CrowdAnswer =
  | { kind: 'opened' }
  | { kind: 'failed'; reason: string }
  | { kind: 'count'; receipts: number; ended: number }
  /** Receipts as streams and their moments. */
  | { kind: 'taken'; streams: number[]; at: number[] };

const openingAtOnce = 100;
const receipts = new Map<string, { streams: number[]; at: number[] }>();
let received = 0;
let ended = 0;

/** How many files this process may have open, by its soft limit. */
export function openFilesLimit(): number {
  const line = /Max open files\s+(\d+|unlimited)/.exec(readFileSync('/proc/self/limits', 'utf8'));
  return line?.[1] === 'unlimited' ? Number.POSITIVE_INFINITY : Number(line?.[1] ?? 0);
}

async function openAll({ origin, streams }: OpenCommand): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < streams.length) {
      const index = next++;
      const stream = streams[index];
      if (stream) await openOne(origin, stream, index);
    }
  };
  await Promise.all(Array.from({ length: openingAtOnce }, lane));
}

/** Resolves with the first count of unread ones: from then on the stream is followed. */
function openOne(
  origin: string,
  { path, token }: OpenCommand['streams'][number],
  index: number,
): Promise<void> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.setEncoding('latin1');
    socket.on('error', reject);
    socket.once('close', () => (ended += 1));
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    );
    untilItBegins(socket, (failure) => {
      if (failure !== undefined) reject(new Error(failure));
      else {
        follow(socket, index);
        resolve();
      }
    });
  });
}

function untilItBegins(socket: Socket, done: (failure?: string) => void): void {
  let text = '';
  const onData = (chunk: string): void => {
    text += chunk;
    const isRefused = text.length > 12 && !text.startsWith('HTTP/1.1 200');
    if (!isRefused && !text.includes('event: unread-count')) return;
    socket.off('data', onData);
    done(isRefused ? text.slice(0, 600) : undefined);
  };
  socket.on('data', onData);
}

const cause = /"programId":"([0-9a-f-]{36})"/g;

function follow(socket: Socket, index: number): void {
  let rest = '';
  socket.on('data', (chunk: string) => {
    const text = rest + chunk;
    const end = text.lastIndexOf('\n\n');
    rest = end < 0 ? text : text.slice(end + 2);
    if (end < 0) return;
    const at = monotonicMs();
    for (const [, causeId = ''] of text.slice(0, end).matchAll(cause)) {
      const known = receipts.get(causeId) ?? { streams: [], at: [] };
      known.streams.push(index);
      known.at.push(at);
      receipts.set(causeId, known);
      received += 1;
    }
  });
}

async function carryOut(command: CrowdCommand): Promise<CrowdAnswer> {
  if (command.kind === 'open') {
    await openAll(command);
    return { kind: 'opened' };
  }
  if (command.kind === 'count') return { kind: 'count', receipts: received, ended };
  const taken = receipts.get(command.causeId) ?? { streams: [], at: [] };
  receipts.delete(command.causeId);
  return { kind: 'taken', ...taken };
}

if (require.main === module) {
  process.on('message', (command: CrowdCommand) => {
    carryOut(command)
      .catch((error: unknown): CrowdAnswer => ({ kind: 'failed', reason: String(error) }))
      .then((answer) => process.send?.(answer))
      .catch(() => process.exit(1));
  });
  process.once('disconnect', () => process.exit(0));
}
