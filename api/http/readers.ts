import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

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
