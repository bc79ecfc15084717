import { spawn } from 'node:child_process';
import path from 'node:path';
import { buildTask } from './bootstrap/build.mjs';
import { chromiumTask } from './bootstrap/chromium.mjs';
import { imageNode } from './bootstrap/image-node.mjs';
import { kubernetesTask } from './bootstrap/kubernetes.mjs';
import { poolerTask } from './bootstrap/pooler.mjs';
import { fail, prepare } from './bootstrap/prepare.mjs';
import { run } from './bootstrap/run.mjs';
import { runTasks } from './bootstrap/tasks.mjs';
import { conclude, emptyResults, runJest } from './test-run/jest.mjs';
import { parts, partsNamed } from './test-run/nightly-parts.mjs';
import { recordGreen } from './test-run/nightly-record.mjs';

/**
 * What `npm test` has no time for, part by part (`test-run/nightly-parts.mjs`), or those that are named:
 * `npm run test:nightly fleet mutants`. A part that was green is written into test/nightly.json. It runs on
 * the image's Node.js, whatever this machine has: time zones and currencies are those of its ICU.
 */
const node = await imageNode().catch(fail);
if (node !== process.execPath) process.exit(await rerunOn(node));
console.log(`Node.js ${process.version}, as in the image.`);

const results = emptyResults();

try {
  const asked = process.argv.slice(2);
  const names = asked.length > 0 ? asked.flatMap(partsNamed) : Object.keys(parts);
  const own = names.includes('manifests') ? [kubernetesTask] : [];
  await prepare([chromiumTask, poolerTask, ...own]);
  await runTasks([buildTask]);
  for (const name of names) await runPart(name);
} catch (error) {
  fail(error);
}
conclude(results);

/** This script again, by another Node.js, which is also what its own scripts find; its code. */
function rerunOn(file) {
  const env = {
    ...process.env,
    PATH: [path.dirname(file), process.env.PATH].join(path.delimiter),
  };
  const child = spawn(file, process.argv.slice(1), { env, stdio: 'inherit' });
  // The child is in one group with this process: a signal that ends one ends both, and this one only waits.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)));
}

async function runPart(name) {
  const before = results.failed;
  const { env = {}, suites, daily, script } = parts[name];
  const added = { ...(suites && { TEST_NIGHTLY: '1' }), ...env };
  // What is given from outside goes before, such as MODEL_SEED.
  const own = Object.entries(added).filter(([key]) => process.env[key] === undefined);
  Object.assign(process.env, Object.fromEntries(own));
  const seed = process.env.TEST_ORDER_SEED;
  if (seed)
    console.log(`${name}: suites that share a file in the order of TEST_ORDER_SEED=${seed}.`);
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
