import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { answerProtocolErrors, refuseHostless } from './protocol-errors';

/**
 * A client that has taken nothing of its answer for so long is gone: its answer would stay in memory
 * for ever. Longer than any answer takes to begin, and than the beats of a stream of events.
 */
const stalledMs = 60_000;

/** An HTTP server, not listening yet, of which every answer has the form of an answer of the API. */
export function createApiServer(app: RequestListener): Server {
  // Node's own refusal of a request without Host has neither envelope nor headers. Connections are kept for
  // longer than the usual idle time of a load balancer: the client must be the one that closes.
  const server = createServer(
    { requireHostHeader: false, keepAliveTimeout: 75_000 },
    refuseHostless(app),
  );
  answerProtocolErrors(server, app);
  server.setTimeout(stalledMs);
  closeUnsentAnswers(server);
  return server;
}

/**
 * When a client leaves, Node closes the answer whose turn it is. Those behind it in a pipeline never
 * got the socket, and whatever waits for their end (log, metrics) would wait for ever.
 */
export function closeUnsentAnswers(server: Server): void {
  const unsent = new WeakMap<Socket, Set<ServerResponse>>();
  const open = (socket: Socket): Set<ServerResponse> => {
    const answers = new Set<ServerResponse>();
    unsent.set(socket, answers);
    socket.once('close', () => {
      for (const answer of [...answers]) if (!answer.socket) answer.emit('close');
    });
    return answers;
  };
  const add = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    const answers = unsent.get(socket) ?? open(socket);
    answers.add(response);
    response.once('close', () => answers.delete(response));
  };
  server.on('request', add);
  server.on('checkExpectation', add);
}

export async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}

/**
 * Ends a server without dropping a request: no new connections, `Connection: close` on every
 * answer (the request context sets it), idle connections after a grace. Node's own close() would
 * cut idle ones at once, also when a request is already on its way.
 */
export async function stopServer(server: Server, timeoutMs: number): Promise<void> {
  server.keepAliveTimeout = 1;
  const stopped = new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve());
  });
  const started = Date.now();
  const watch = setInterval(() => {
    // The client of an idle connection may be about to send.
    if (Date.now() - started > 2_000) server.closeIdleConnections();
  }, 20);
  await Promise.race([stopped, after(timeoutMs - 1_000)]);
  clearInterval(watch);
  server.closeAllConnections();
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
