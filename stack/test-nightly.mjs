import { buildTask } from './bootstrap/build.mjs';
import { chromiumTask } from './bootstrap/chromium.mjs';
import { poolerTask } from './bootstrap/pooler.mjs';
import { fail, prepare } from './bootstrap/prepare.mjs';
import { run } from './bootstrap/run.mjs';
import { runTasks } from './bootstrap/tasks.mjs';
import { conclude, emptyResults, runJest } from './test-run/jest.mjs';

/** What `npm test` has no time for; each part alone by its name, such as `npm run test:nightly fleet`. */
const PARTS = { pooler, system, fleet, clients, model, year, mutants };
const results = emptyResults();

/** Suites in which processes, transactions and outages meet: all through a pooler. */
async function pooler() {
  process.env.TEST_POOLER = '1';
  await runJest(results, ['test/api', 'test/activities', 'test/faults', 'test/workers']);
  delete process.env.TEST_POOLER;
}

/** Those that start the whole stack, or deploy it, and the long forms of others. */
function system() {
  return nightly([
    'test/faults',
    'test/database',
    'test/activities',
    'test/api/analytics',
    'test/browser',
    'test/workers',
  ]);
}

/** Three processes of each kind at once, through a pooler. */
async function fleet() {
  process.env.TEST_POOLER = '1';
  await nightly(['test/fleet']);
  delete process.env.TEST_POOLER;
}

/** The documents through a linter, and the packed client in a project of its own, under each Node and each compiler that it promises to run on. */
function clients() {
  return nightly(['test/api/client', 'test/contract']);
}

/**
 * Many more sequences of the models of money and of a customer, and others each night; MODEL_SEQUENCES and
 * CUSTOMER_SEQUENCES name other numbers.
 */
async function model() {
  process.env.MODEL_SEQUENCES ??= '2000';
  process.env.CUSTOMER_SEQUENCES ??= '400';
  process.env.MODEL_SEED ??= String(Date.now() % 1_000_000_000);
  await runJest(results, [
    'test/activities/settlement/model.test.ts',
    'test/activities/customers/orders.test.ts',
  ]);
}

async function nightly(suites) {
  process.env.TEST_NIGHTLY = '1';
  await runJest(results, suites);
  delete process.env.TEST_NIGHTLY;
}

function mutants() {
  return script('stack/test-run/mutants.mjs');
}

/** Forty days of the simulated year: upkeep finds each day what was broken for it. */
function year() {
  return script('bench/run.mjs', 'year/year', '40');
}

async function script(...args) {
  try {
    await run(process.execPath, args, { shownLines: 200 });
    results.passed += 1;
  } catch (error) {
    results.failed += 1;
    results.messages.push(error.message);
  }
}

try {
  await prepare([chromiumTask, poolerTask]);
  await runTasks([buildTask]);
  const asked = process.argv.slice(2);
  for (const name of asked.length > 0 ? asked : Object.keys(PARTS)) {
    if (!PARTS[name]) throw new Error(`${name} is none of ${Object.keys(PARTS).join(', ')}.`);
    await PARTS[name]();
  }
} catch (error) {
  fail(error);
}
conclude(results);
