import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface StallBounds {
  /** A reader takes at least so much of what waits for it... */
  leastBytes: number;
  /** ...in this time, or it is gone. */
  everyMs: number;
}

export const stallBounds: StallBounds = { leastBytes: 10_240, everyMs: 30_000 };

interface Watched {
  /** Bytes that had left for the client at the last look. */
  sent: number;
  /** Whether something waited for the client then. */
  wasWaiting: boolean;
}

/**
 * Ends connections whose client does not read its answer: it would keep the answer in memory for
 * ever. Streams of events are exempt, for they have nothing to say most of the time. One slow watch
 * for all: a timer for each answer would cost more.
 */
export function endStalledAnswers(server: Server, bounds: StallBounds = stallBounds): void {
  const answers = new Map<ServerResponse, Watched>();
  server.on('request', (_request: IncomingMessage, response: ServerResponse) => {
    answers.set(response, { sent: 0, wasWaiting: false });
    response.once('close', () => answers.delete(response));
  });
  const watch = setInterval(() => {
    for (const [response, watched] of answers) look(response, watched, bounds);
  }, bounds.everyMs);
  watch.unref();
  server.once('close', () => clearInterval(watch));
}

type WatchedSocket = Socket & {
  _handle?: { bytesWritten?: number; writeQueueSize?: number } | null;
};

function look(response: ServerResponse, watched: Watched, { leastBytes }: StallBounds): void {
  const socket = response.socket as WatchedSocket | null;
  if (!socket || !response.headersSent || isEventStream(response)) return;
  const waiting = socket.writableLength + response.writableLength;
  // The socket's own count holds what it has only handed on, so all of a large answer at once.
  const { bytesWritten = 0, writeQueueSize = 0 } = socket._handle ?? {};
  const sent = bytesWritten - writeQueueSize;
  const isStalled = watched.wasWaiting && waiting > 0 && sent - watched.sent < leastBytes;
  if (isStalled) socket.destroy();
  watched.sent = sent;
  watched.wasWaiting = waiting > 0;
}

function isEventStream(response: ServerResponse): boolean {
  return String(response.getHeader('content-type')).startsWith('text/event-stream');
}
