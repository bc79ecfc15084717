import { buildTask } from './bootstrap/build.mjs';
import { runJest } from './bootstrap/jest.mjs';
import { poolerTask } from './bootstrap/pooler.mjs';
import { fail, prepare } from './bootstrap/prepare.mjs';
import { runTasks } from './bootstrap/tasks.mjs';

/** Suites in which processes, transactions and outages meet: all through a pooler. */
const suites = ['test/api', 'test/activities', 'test/faults', 'test/workers'];
/** Three processes of each kind at once: apart from `npm test`, which has no time for them. */
const fleet = ['--testMatch', '<rootDir>/test/fleet/**/*.fleet.ts'];
const results = { passed: 0, failed: 0, skipped: 0, messages: [] };

try {
  await prepare([poolerTask]);
  await runTasks([buildTask]);
  process.env.TEST_POOLER = '1';
  const asked = process.argv.slice(2);
  if (asked[0] !== 'fleet') await runJest(results, asked.length > 0 ? asked : suites);
  if (asked.length === 0 || asked[0] === 'fleet') await runJest(results, fleet);
  for (const message of results.messages) console.log(`\n${message}`);
} catch (error) {
  fail(error);
}
console.log(`\n${results.passed} passed, ${results.failed} failed`);
process.exitCode = results.failed === 0 ? 0 : 1;
