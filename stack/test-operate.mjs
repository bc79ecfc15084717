import { buildTask } from './bootstrap/build.mjs';
import { fail, prepare } from './bootstrap/prepare.mjs';
import { postgresProgramsTask } from './bootstrap/postgres-programs.mjs';
import { prometheusTask } from './bootstrap/prometheus.mjs';
import { runTasks } from './bootstrap/tasks.mjs';
import { temporalServerTask } from './bootstrap/temporal-server.mjs';
import { conclude, emptyResults, runJest } from './test-run/jest.mjs';

/**
 * What operators go by, in 40 minutes at most: alarms by promtool, a real Prometheus beside a stack in
 * which things go wrong, backups and the way back, an upgrade from the last release and back. Temporal is the server of
 * docker-compose.yml, on Postgres. A suite alone by a part of its name, such as
 * `npm run test:operate promtool`.
 */
const results = emptyResults();

try {
  await prepare([prometheusTask, postgresProgramsTask, temporalServerTask]);
  await runTasks([buildTask]);
  process.env.TEST_OPERATE = '1';
  await runJest(results, process.argv.slice(2), { repeats: false });
} catch (error) {
  fail(error);
}
conclude(results);
