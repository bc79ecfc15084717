import { setTimeout as pause } from 'node:timers/promises';
import { openDeps } from '../runtime/process/deps';
import { loadConfig } from '../runtime/config/config';
import { prepareOrWait } from '../runtime/process/prepare-database';
import { failToStart, runProcess } from '../runtime/process/process';
import { openAdminServer } from '../runtime/process/admin-server';
import { requireSigningKeys } from '../runtime/config/secrets';
import { createApp } from './app';
import { createApiServer, listen, stopServer } from './http/server/server';

/** The API process: configuration, connections, schema, servers; everything back at SIGTERM. */
void runProcess('api', async () => {
  const config = loadConfig();
  requireSigningKeys(config.secrets);
  const deps = await openDeps(config, 'api');
  await prepareOrWait(deps, (error) => failToStart('api', error));
  const { listener, endStreams, finish } = createApp(deps);
  const server = createApiServer(listener);
  server.maxConnections = config.maxConnections;
  await listen(server, config.port, config.host);
  const admin = await openAdminServer(deps);
  deps.log.info({ port: config.port, adminPort: admin.port }, 'the API listens');

  return {
    log: deps.log,
    stopTimeoutMs: config.shutdownDelayMs + config.shutdownTimeoutMs,
    async stop() {
      deps.lifecycle.stopping = true;
      // Whoever balances learns from /ready that it stops, and meanwhile nobody is refused.
      await pause(config.shutdownDelayMs);
      endStreams();
      await stopServer(server, config.shutdownTimeoutMs);
      await finish();
      admin.server.close();
      admin.server.closeAllConnections();
      await deps.close();
    },
  };
});
