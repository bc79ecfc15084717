import { createServer, type Server } from 'node:http';
import type { Deps } from './deps';

/** The private port: Prometheus metrics, nothing else. */
export function createAdminServer({ metrics }: Pick<Deps, 'metrics'>): Server {
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
