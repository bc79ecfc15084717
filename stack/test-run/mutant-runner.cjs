/** Runs suites of test/rules in this process, on rules of which one is changed; see mutants.mjs. */
const { readdirSync, readFileSync } = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { transformSync } = require('@swc/core');
const { expect } = require('expect');
const fc = require('fast-check');

const ROOT = path.resolve(__dirname, '../..');
const OPTIONS = JSON.parse(readFileSync(path.join(ROOT, '.swcrc'), 'utf8'));
const RULE_TESTS = path.join(ROOT, 'test', 'rules');
// The same inputs for each mutant: a survivor of one run is one of the next.
fc.configureGlobal({ seed: 20_26, numRuns: 100 });

const compiled = new Map();
let changed;

Module._extensions['.ts'] = (module, file) => {
  const code = changed?.file === file ? changed.code : codeOf(file);
  module._compile(code, file);
};

function codeOf(file) {
  if (!compiled.has(file)) compiled.set(file, compile(readFileSync(file, 'utf8')));
  return compiled.get(file);
}

function compile(text) {
  return transformSync(text, { ...OPTIONS, sourceMaps: false, swcrc: false }).code;
}

/** The little of jest that suites of pure functions use. */
let tests;
const titled = (add) => Object.assign(add, { each: (table) => eachOf(add, table) });
const eachOf = (add, table) => (title, body) => {
  for (const row of table) add(title, () => body(...(Array.isArray(row) ? row : [row])));
};
global.expect = expect;
global.describe = titled((_title, body) => body());
global.it = titled((_title, body) => tests.push(body));
global.test = global.it;

function forgetOwn() {
  for (const file of Object.keys(require.cache)) {
    if (!file.includes('node_modules') && file !== __filename) delete require.cache[file];
  }
}

const suites = readdirSync(RULE_TESTS, { recursive: true })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => path.join(RULE_TESTS, name));

/** Whether a suite passes; what throws while it is loaded fails as well. */
async function passes(suite) {
  tests = [];
  try {
    require(suite);
    for (const body of tests) await body();
    return true;
  } catch (error) {
    passes.error = error;
    return false;
  }
}

/** For each suite the files that it loads, so that a mutant meets no others. */
async function usesOf() {
  const uses = new Map();
  for (const suite of suites) {
    forgetOwn();
    if (!(await passes(suite))) throw new Error(`${suite} is red unchanged: ${passes.error}`);
    uses.set(suite, new Set(Object.keys(require.cache)));
  }
  return uses;
}

/** Suites of the same folder first: they are likeliest to see it. */
function suitesFor(file, uses) {
  const folder = path.basename(path.dirname(file));
  const isNear = (suite) => path.basename(path.dirname(suite)) === folder;
  const using = suites.filter((suite) => uses.get(suite).has(file));
  return [...using.filter(isNear), ...using.filter((suite) => !isNear(suite))];
}

async function survives({ file, start, end, now }, uses) {
  const full = path.join(ROOT, file);
  const text = readFileSync(full, 'utf8');
  try {
    changed = { file: full, code: compile(text.slice(0, start) + now + text.slice(end)) };
  } catch {
    return false;
  }
  for (const suite of suitesFor(full, uses)) {
    forgetOwn();
    if (!(await passes(suite))) return false;
  }
  return true;
}

usesOf().then(
  (uses) => {
    process.on('message', async (mutant) => {
      process.send({ survived: await survives(mutant, uses) });
    });
    process.send({ ready: true });
  },
  (error) => process.send({ broken: String(error) }),
);
