import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { Context } from 'koa';

export interface ReaderBounds {
  /** A reader takes at least so much of a file... */
  leastBytes: number;
  /** ...in this time, and all of it in this number of times in which it was waited for. */
  everyMs: number;
  mostTimes: number;
}

const readerBounds: ReaderBounds = { leastBytes: 262_144, everyMs: 60_000, mostTimes: 30 };

interface Handle {
  bytesWritten?: number;
  writeQueueSize?: number;
}

/**
 * Bytes that have left for the client. The socket's own count holds what it has only handed on, so
 * all of a large answer at once.
 */
export function sentTo(socket: Socket | null): number {
  const handle = (socket as { _handle?: Handle | null } | null)?._handle;
  return (handle?.bytesWritten ?? 0) - (handle?.writeQueueSize ?? 0);
}

/** Whether something was written that the client has not taken yet. */
export function isWaitingForReader(response: ServerResponse): boolean {
  return (response.socket?.writableLength ?? 0) + response.writableLength > 0;
}

/**
 * Answers with a body as it is written of rows that come; both end with each other and with the
 * client, even one that left before there was a body. A failure in the middle ends the connection:
 * a cut file must not look like a whole one.
 */
export function sendStream(
  ctx: Context,
  { body, rows }: { body: Readable; rows: Readable },
  bounds: ReaderBounds = readerBounds,
): void {
  const { res } = ctx;
  const watch = endSlowReader(res, bounds);
  body.once('close', () => {
    clearInterval(watch);
    rows.destroy();
  });
  ctx.body = body;
  if (res.destroyed) body.destroy();
  else res.once('close', () => body.destroy());
}

/** With its rests a file may take this many times as long as its reader. */
const restFactor = 8;

/** A client that reads slowly keeps other exports waiting: its connection ends. */
function endSlowReader(
  response: ServerResponse,
  { leastBytes, everyMs, mostTimes }: ReaderBounds,
): NodeJS.Timeout {
  let before = sentTo(response.socket);
  let [times, timesInAll] = [0, 0];
  const watch = setInterval(() => {
    const sent = sentTo(response.socket);
    const isWaited = isWaitingForReader(response);
    // What the service rests, or the database takes, is not the reader's.
    if (isWaited) times += 1;
    timesInAll += 1;
    const isSlow = isWaited && sent - before < leastBytes;
    const isOver = times >= mostTimes || timesInAll >= mostTimes * restFactor;
    if (isSlow || isOver) response.socket?.destroy();
    before = sent;
  }, everyMs);
  return watch.unref();
}
