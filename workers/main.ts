import { loadConfig } from '../runtime/config/config';
import { openDeps } from '../runtime/process/deps';
import { prepareOrWait } from '../runtime/process/prepare-database';
import { failToStart, runProcess } from '../runtime/process/process';
import { openAdminServer } from '../runtime/process/admin-server';
import { createMailServer } from '../activities/mail/server';
import { startFigures } from './figures';
import { loopsOf } from './loops';
import { declareMetrics } from './metrics';
import { startFolder } from './relay/fold-sums';
import { startRelay } from './relay/relay';
import { relayHandlers } from './relay/handlers';
import { startSchedules } from './temporal/schedules';
import { startWebhookDispatcher } from './dispatcher/dispatcher';
import { startWorkers } from './temporal/worker';

/** The worker process: task queues, relay and dispatcher, as far as WORKER_QUEUES names them. */
void runProcess('worker', async () => {
  const config = loadConfig();
  const deps = await openDeps(config, 'worker');
  await prepareOrWait(deps, (error) => failToStart('worker', error));
  const loops = loopsOf(config.workerQueues);

  declareMetrics(deps.metrics);
  const admin = await openAdminServer(deps);
  const mailServer = createMailServer(deps);
  const running = [
    startFigures(deps),
    startWorkers(deps, mailServer),
    ...(loops.relay ? [startRelay(deps, relayHandlers(deps, mailServer)), startFolder(deps)] : []),
    ...(loops.dispatcher ? [startWebhookDispatcher(deps)] : []),
    ...(loops.schedules ? [startSchedules(deps)] : []),
  ];
  deps.log.info({ queues: config.workerQueues, adminPort: admin.port }, 'the worker runs');

  return {
    log: deps.log,
    stopTimeoutMs: config.shutdownTimeoutMs,
    async stop() {
      deps.lifecycle.stopping = true;
      await Promise.all(running.map((part) => part.stop()));
      mailServer.mailer.close();
      admin.server.close();
      admin.server.closeAllConnections();
      await deps.close();
    },
  };
});
