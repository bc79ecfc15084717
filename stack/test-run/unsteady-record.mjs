import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT, run } from '../bootstrap/run.mjs';
import { commitsSince, FRESH_COMMITS } from './nightly-record.mjs';

/** Committed with the work, so that the next checkout knows; the last ones only. */
const FILE = path.join(ROOT, 'test', 'unsteady.json');
const KEPT = 100;

/** `[{ date, commit, suite, test }]`, the oldest first. */
export function storedUnsteady(file = FILE) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return [];
  }
}

/** Writes down each test that ran out of time once, a line each, so that two runs merge: of suites `{ path, failures }`. */
export async function recordUnsteady(suites, { file = FILE, now = new Date() } = {}) {
  const [commit = 'unknown'] = await run('git', ['rev-parse', '--short=12', 'HEAD']).catch(
    () => [],
  );
  const date = now.toISOString().slice(0, 10);
  const added = suites.flatMap(({ path: suite, failures }) =>
    failures.map((test) => ({ date, commit, suite, test })),
  );
  const kept = [...storedUnsteady(file), ...added].slice(-KEPT);
  writeFileSync(file, `[\n${kept.map((one) => `  ${JSON.stringify(one)}`).join(',\n')}\n]\n`);
}

/**
 * What was unsteady more than once within as many commits as a proof is fresh: lines to print. It wants mending, and is a
 * warning: who meets it on a machine that is full did not cause it.
 */
export async function unsteadyAgain(entries = storedUnsteady(), since = commitsSince) {
  const times = new Map();
  for (const { suite, test, commit } of entries) {
    const age = await since(commit);
    if (age === undefined || age > FRESH_COMMITS) continue;
    const name = `${suite}: ${test}`;
    times.set(name, (times.get(name) ?? 0) + 1);
  }
  const again = [...times].filter(([, count]) => count > 1);
  if (again.length === 0) return [];
  return [
    `Warning: unsteady more than once within ${FRESH_COMMITS} commits (test/unsteady.json):`,
    ...again.map(([name, count]) => `  ${count} times ${name}`),
  ];
}
