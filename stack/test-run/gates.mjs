import { npmCommand } from '../bootstrap/npm.mjs';
import { run } from '../bootstrap/run.mjs';
import { runTasks } from '../bootstrap/tasks.mjs';

const GATES = [
  { title: 'Types', script: 'typecheck' },
  { title: 'Format', script: 'format:check' },
  { title: 'Lint', script: 'lint' },
];

/**
 * The checks beside the first suites, one after the other so that they take one core; each counts
 * as one passed or failed.
 */
export async function runGates(results) {
  for (const task of tasks(results)) await runTasks([task], { live: false });
}

function tasks(results) {
  return GATES.map(({ title, script }) => ({
    title,
    async run(report) {
      const [command, ...args] = npmCommand(['run', '--silent', script]);
      try {
        await run(command, args, { onLine: report, shownLines: 200 });
        results.passed += 1;
        return 'passed';
      } catch (error) {
        results.failed += 1;
        results.messages.push(`${title}: ${error.message}`);
        return 'FAILED';
      }
    },
  }));
}
