import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { queryOne } from '../../entities/database/sql';
import { watchClock } from './clock-metric';
import type { Deps } from './deps';

type AdminDeps = Pick<Deps, 'config' | 'metrics' | 'db' | 'lifecycle' | 'clock'>;

/**
 * The private port: Prometheus metrics and probes. Answers the server and its port: ADMIN_PORT, or,
 * when it was not set and is taken, the next free one, save in production. Throws EADDRINUSE for a
 * taken port that may not move.
 */
export async function openAdminServer(deps: AdminDeps): Promise<{ server: Server; port: number }> {
  const { config } = deps;
  watchClock(deps);
  for (let port = config.adminPort; ; port += 1) {
    const server = createAdminServer(deps);
    try {
      server.listen(port, config.adminHost);
      await once(server, 'listening');
      return { server, port };
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!isTaken || !config.adminPortMayMove) throw error;
    }
  }
}

function createAdminServer(deps: AdminDeps): Server {
  return createServer((request, response) => {
    const answer = answers[request.url?.split('?')[0] ?? ''];
    if (!answer) {
      response.writeHead(404).end();
      return;
    }
    answer(deps, response).catch(() => response.writeHead(500).end());
  });
}

const answers: Record<string, (deps: AdminDeps, response: ServerResponse) => Promise<void>> = {
  async '/metrics'({ metrics }, response) {
    const text = await metrics.metrics();
    response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text);
  },
  /** An answer, whatever it says, shows that the process runs. */
  '/live'(_deps, response) {
    return Promise.resolve(sendJson(response, 200, { status: 'ok' }));
  },
  /**
   * A process without a database is ready: it answers 503 and sees the database return, so nothing
   * is won by taking it out.
   */
  async '/ready'({ db, lifecycle }, response) {
    const database = (await isWritable({ db })) ? 'up' : 'down';
    const isReady = !lifecycle.stopping;
    const status = isReady ? 'ready' : 'not_ready';
    sendJson(response, isReady ? 200 : 503, { status, dependencies: { database } });
  },
};

function sendJson(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
    .end(JSON.stringify(body));
}

/** After a fail-over an old connection may still lead to what is a replica now. */
async function isWritable({ db }: Pick<Deps, 'db'>): Promise<boolean> {
  // Probes wait for a second, as a rule.
  const late = pause(500, undefined, { ref: false });
  const look = queryOne<{ readOnly: string }>(
    db.manager,
    `SELECT current_setting('transaction_read_only') AS "readOnly"`,
  ).catch(() => undefined);
  return (await Promise.race([look, late]))?.readOnly === 'off';
}
