import { run } from './run.mjs';
import { npmCommand } from './npm.mjs';

const GATES = [
  { title: 'Types', script: 'typecheck' },
  { title: 'Format', script: 'format:check' },
  { title: 'Lint', script: 'lint' },
];

/** The checks beside the tests, one after the other; each counts as one passed or failed. */
export async function startGates(results) {
  for (const gate of GATES) await check(gate, results);
}

async function check({ title, script }, results) {
  const started = Date.now();
  const [command, ...args] = npmCommand(['run', '--silent', script]);
  try {
    await run(command, args, { shownLines: 200 });
    results.passed += 1;
    console.log(`✔ ${title} (${((Date.now() - started) / 1000).toFixed(0)} s)`);
  } catch (error) {
    results.failed += 1;
    results.messages.push(`${title}: ${error.message}`);
    console.log(`✖ ${title}`);
  }
}
