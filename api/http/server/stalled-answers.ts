import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isWaitingForReader, sentTo } from './readers';

export interface StallBounds {
  /** A reader takes at least so much of what waits for it... */
  leastBytes: number;
  /** ...in this time, or it is gone. */
  everyMs: number;
}

export const stallBounds: StallBounds = { leastBytes: 10_240, everyMs: 30_000 };

interface Watched {
  response: ServerResponse;
  /** Bytes that had left for the client at the last look. */
  sent: number;
  /** Whether something waited for the client then. */
  wasWaiting: boolean;
}

/** Of one connection: mostly one. A Map would make a table for each of them. */
type Answers = Watched[];

/**
 * Ends connections whose client does not read its answer: it would keep the answer in memory for
 * ever. Streams of events are exempt, for they have nothing to say most of the time. One slow watch
 * for all: a timer for each answer would cost more.
 */
export function endStalledAnswers(server: Server, bounds: StallBounds = stallBounds): void {
  const lookAtAll = watchAnswers(server, bounds.leastBytes);
  // After a pause of the process the sockets come first: what readers took meanwhile counts.
  const watch = setInterval(() => setImmediate(lookAtAll), bounds.everyMs);
  watch.unref();
  server.once('close', () => clearInterval(watch));
}

/** Follows the server's answers. Each call of the result ends those stalled since the call before. */
export function watchAnswers(server: Server, leastBytes: number): () => void {
  const connections = new Map<Socket, Answers>();
  const open = (socket: Socket): Answers => {
    const answers: Answers = [];
    connections.set(socket, answers);
    socket.once('close', () => {
      connections.delete(socket);
      closeUnsent(answers);
    });
    return answers;
  };
  const add = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    const answers = connections.get(socket) ?? open(socket);
    const watched = { response, sent: 0, wasWaiting: false };
    answers.push(watched);
    response.once('close', () => answers.splice(answers.indexOf(watched), 1));
  };
  server.on('request', add);
  server.on('checkExpectation', add);
  return () => {
    for (const answers of connections.values()) {
      for (const watched of answers) look(watched, leastBytes);
    }
  };
}

/**
 * Node closes the answer whose turn it is. Those behind it in a pipeline never got the socket, and
 * whatever waits for their end (log, metrics) would wait for ever.
 */
function closeUnsent(answers: Answers): void {
  for (const { response } of [...answers]) {
    if (!response.socket) response.emit('close');
  }
}

function look(watched: Watched, leastBytes: number): void {
  const { response } = watched;
  if (!response.socket || !response.headersSent || isEventStream(response)) return;
  const sent = sentTo(response.socket);
  const isWaiting = isWaitingForReader(response);
  const isStalled = watched.wasWaiting && isWaiting && sent - watched.sent < leastBytes;
  if (isStalled) response.socket.destroy();
  watched.sent = sent;
  watched.wasWaiting = isWaiting;
}

function isEventStream(response: ServerResponse): boolean {
  return String(response.getHeader('content-type')).startsWith('text/event-stream');
}
