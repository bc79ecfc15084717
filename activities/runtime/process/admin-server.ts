import { createServer, type Server } from 'node:http';
import type { Config } from './config';
import type { Deps } from './deps';

/** API and workers of one machine, each with its metrics. */
const MOST_MOVES = 50;

/**
 * The private port: Prometheus metrics, nothing else. Answers the server and its port: ADMIN_PORT, or, when
 * nobody set it and it is taken, the next free one. Throws EADDRINUSE for a taken port that was set.
 */
export async function openAdminServer({
  config,
  metrics,
}: Pick<Deps, 'config' | 'metrics'>): Promise<{ server: Server; port: number }> {
  const last = config.adminPort + (config.adminPortMayMove ? MOST_MOVES : 0);
  for (let port = config.adminPort; ; port += 1) {
    const server = createAdminServer(metrics);
    try {
      await listen(server, port, config);
      return { server, port };
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!isTaken || port === last) throw error;
    }
  }
}

function createAdminServer(metrics: Deps['metrics']): Server {
  return createServer((request, response) => {
    if (request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics.metrics().then(
      (text) => response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
}

function listen(server: Server, port: number, { host }: Pick<Config, 'host'>): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
