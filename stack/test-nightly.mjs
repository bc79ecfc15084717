import { buildTask } from './bootstrap/build.mjs';
import { chromiumTask } from './bootstrap/chromium.mjs';
import { poolerTask } from './bootstrap/pooler.mjs';
import { fail, prepare } from './bootstrap/prepare.mjs';
import { run } from './bootstrap/run.mjs';
import { runTasks } from './bootstrap/tasks.mjs';
import { conclude, emptyResults, runJest } from './test-run/jest.mjs';
import { parts, partsNamed } from './test-run/nightly-parts.mjs';
import { recordGreen } from './test-run/nightly-record.mjs';

/**
 * What `npm test` has no time for, part by part (`test-run/nightly-parts.mjs`), or those that are named:
 * `npm run test:nightly fleet mutants`. A part that was green is written into test/nightly.json.
 */
const results = emptyResults();

try {
  const asked = process.argv.slice(2);
  const names = asked.length > 0 ? asked.flatMap(partsNamed) : Object.keys(parts);
  await prepare([chromiumTask, poolerTask]);
  await runTasks([buildTask]);
  for (const name of names) await runPart(name);
} catch (error) {
  fail(error);
}
conclude(results);

async function runPart(name) {
  const before = results.failed;
  const { env = {}, suites, daily, script } = parts[name];
  const added = { ...(suites && { TEST_NIGHTLY: '1' }), ...env };
  // What is given from outside goes before, such as MODEL_SEED.
  const own = Object.entries(added).filter(([key]) => process.env[key] === undefined);
  Object.assign(process.env, Object.fromEntries(own));
  if (script) await runScript(script);
  else await runJest(results, suites ?? daily);
  for (const [key] of own) delete process.env[key];
  // A checkout of CI is thrown away.
  if (results.failed === before && !process.env.CI) await recordGreen(name);
}

async function runScript(args) {
  try {
    await run(process.execPath, args, { shownLines: 200 });
    results.passed += 1;
  } catch (error) {
    results.failed += 1;
    results.messages.push(error.message);
  }
}
