import { run } from './run.mjs';
import { npmCommand } from './npm.mjs';

const GATES = [
  { title: 'Lint', script: 'lint' },
  { title: 'Format', script: 'format:check' },
  { title: 'Types', script: 'typecheck' },
];

/** The checks beside the tests; each counts as one passed or failed. */
export function gates(results) {
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
