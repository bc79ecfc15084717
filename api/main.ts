import { openDeps } from '../activities/runtime/deps';
import { loadConfig } from '../activities/runtime/config';
import { runProcess } from '../activities/runtime/process';
import { migrate } from '../entities/data-source';
import { createAdminServer } from '../activities/runtime/admin-server';
import { createApp } from './app';
import { createApiServer, listen, stopServer } from './server';

/** The API process: configuration, connections, schema, servers; everything back at SIGTERM. */
void runProcess('api', async () => {
  const config = loadConfig();
  await migrate(config.databaseUrl);
  const deps = await openDeps(config, 'api');
  const { koa } = createApp(deps);
  const server = createApiServer(koa.callback());
  const admin = createAdminServer(deps);
  await listen(server, config.port, config.host);
  await listen(admin, config.adminPort, config.host);
  deps.log.info({ port: config.port, adminPort: config.adminPort }, 'the API listens');

  return {
    log: deps.log,
    stopTimeoutMs: config.shutdownTimeoutMs,
    async stop() {
      deps.lifecycle.stopping = true;
      await stopServer(server, config.shutdownTimeoutMs);
      admin.close();
      admin.closeAllConnections();
      await deps.close();
    },
  };
});
