import { buildTask } from './bootstrap/build.mjs';
import { chromiumTask } from './bootstrap/chromium.mjs';
import { fail, prepare } from './bootstrap/prepare.mjs';
import { runTasks } from './bootstrap/tasks.mjs';
import { runGates } from './test-run/gates.mjs';
import { conclude, emptyResults, runJest } from './test-run/jest.mjs';

const results = emptyResults();

try {
  await prepare([chromiumTask]);
  await runTasks([buildTask]);
  await Promise.all([runGates(results), runJest(results)]);
} catch (error) {
  fail(error);
}
conclude(results);
