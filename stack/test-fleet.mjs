import { buildTask } from './bootstrap/build.mjs';
import { runJest } from './bootstrap/jest.mjs';
import { poolerTask } from './bootstrap/pooler.mjs';
import { fail, prepare } from './bootstrap/prepare.mjs';
import { runTasks } from './bootstrap/tasks.mjs';

/** Suites in which processes, transactions and outages meet: all through a pooler. */
const suites = ['test/api', 'test/activities', 'test/faults', 'test/workers'];
const results = { passed: 0, failed: 0, messages: [] };

try {
  await prepare([poolerTask]);
  await runTasks([buildTask]);
  process.env.TEST_POOLER = '1';
  await runJest(results, process.argv.length > 2 ? process.argv.slice(2) : suites);
} catch (error) {
  fail(error);
}
console.log(`\n${results.passed} passed, ${results.failed} failed`);
process.exitCode = results.failed === 0 ? 0 : 1;
