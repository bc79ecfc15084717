import type { ServerResponse } from 'node:http';
import { newId } from '../../../entities/ids';
import type { Reader } from '../../../activities/notifications/reader';
import { presentNotification } from '../notifications.dto';
import type { News } from './news.queries';

/** Who reads a stream, and by which credential. */
export interface Viewer extends Reader {
  sessionId: string;
  tokenExpiresAt: Date;
}

export interface LiveStream {
  id: string;
  viewer: Viewer;
  out: ServerResponse;
  /** Number up to which everything was sent; undefined until the stream begins. */
  cursor: number | undefined;
  /** The count that was sent last. */
  unread: number | undefined;
  /** When the next comment is due, by the monotonic clock. */
  nextBeat: number;
  /** The moment since which the client takes nothing more. */
  blockedSince: number | undefined;
}

const beatMs = 15_000;
const maxBufferedBytes = 64 * 1024;

export function newStream(viewer: Viewer, out: ServerResponse): LiveStream {
  const nextBeat = beatAfter(performance.now());
  return {
    id: newId(),
    viewer,
    out,
    cursor: undefined,
    unread: undefined,
    nextBeat,
    blockedSince: undefined,
  };
}

/** Streams that began together do not send their comments together for ever. */
function beatAfter(now: number): number {
  return now + beatMs - Math.random() * (beatMs / 5);
}

/**
 * Head of the answer. A client that comes back after an error waits a little, each for itself. `id`
 * names where the stream begins, so that one which has sent nothing yet can be resumed, too.
 */
export function begin({ out }: LiveStream, id: string | undefined): void {
  out.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store, no-transform',
    'X-Accel-Buffering': 'no',
  });
  out.write(`retry: ${1_000 + Math.floor(Math.random() * 2_000)}\n\n`);
  if (id !== undefined) out.write(`id: ${id}\n\n`);
}

/** Ends a stream because its account has opened one too many; it should not come back for ten minutes. */
export function endAsOneTooMany({ out }: LiveStream): void {
  const data = JSON.stringify({ reason: 'too_many_streams' });
  out.end(`retry: 600000\nevent: end\ndata: ${data}\n\n`);
}

/** What a stream writes of new notifications; the same for all streams of an account. */
export function rendered({ rows }: News): string {
  const records = rows.map(
    (row) =>
      `event: notification\nid: ${row.id}\ndata: ${JSON.stringify(presentNotification(row))}\n\n`,
  );
  return records.join('');
}

/** Sends news and, when it has changed, the count of unread ones. */
export function deliver(
  stream: LiveStream,
  { text, unread }: { text: string; unread: number },
): void {
  const hasChanged = unread !== stream.unread;
  stream.unread = unread;
  const count = hasChanged
    ? `event: unread-count\ndata: ${JSON.stringify({ count: unread })}\n\n`
    : '';
  if (text !== '' || hasChanged) send(stream, text + count);
}

/** A comment when one is due; the end for a client that has taken nothing for too long. */
export function beat(stream: LiveStream, now: number): void {
  const { blockedSince } = stream;
  if (blockedSince !== undefined && now - blockedSince > 2 * beatMs) stream.out.destroy();
  if (now < stream.nextBeat) return;
  stream.nextBeat = beatAfter(now);
  if (stream.cursor !== undefined) send(stream, ':\n\n');
}

function send(stream: LiveStream, text: string): void {
  const { out } = stream;
  if (out.write(text)) return;
  if (out.writableLength > maxBufferedBytes) {
    out.destroy();
    return;
  }
  stream.blockedSince ??= performance.now();
}
