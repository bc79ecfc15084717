import { createServer, type RequestListener, type Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { endStalledAnswers } from './stalled-answers';
import { answerProtocolErrors, refuseHostless } from './protocol-errors';

/** Longer than the usual idle time of a load balancer: the client must be the one that closes. */
const keepAliveMs = 75_000;

/** An HTTP server, not listening yet, of which every answer has the form of an answer of the API. */
export function createApiServer(app: RequestListener): Server {
  // Node's own refusal of a request without Host has neither envelope nor headers.
  const server = createServer(
    { requireHostHeader: false, keepAliveTimeout: keepAliveMs },
    refuseHostless(app),
  );
  answerProtocolErrors(server, app);
  endStalledAnswers(server);
  return server;
}

export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Longest wait for idle keep-alive connections, whose client may be about to send. */
const idleGraceMs = 2_000;
const pollMs = 20;

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
    if (Date.now() - started > idleGraceMs) server.closeIdleConnections();
  }, pollMs);
  await Promise.race([stopped, after(timeoutMs - 1_000)]);
  clearInterval(watch);
  server.closeAllConnections();
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
