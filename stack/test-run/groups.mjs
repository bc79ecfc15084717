import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../bootstrap/run.mjs';
import { storedDurations } from './durations.mjs';

/** The groups of jest's projects with more than one suite that is short. */
const FOLDER = path.join(ROOT, 'coverage', 'groups');
/** A group is a unit of the workers' balance: it takes about so long, and no suite that takes a third of it. */
const MAX_SECONDS = 150;
/** A suite that nobody has measured yet is taken to last so long. */
const UNKNOWN_SECONDS = 5;
/** What replaces modules or clocks, changes the environment, or has a time-out of its own, has its file to itself. */
const STAYS_ALONE = [
  /\bjest\.(mock|doMock|resetModules|isolateModules|useFakeTimers|setTimeout|spyOn\(performance)\b/,
  /\bprocess\.env(\.\w+|\[[^\]]+\]) *(\?\?)?=(?!=)|\bdelete process\.env|Object\.assign\(process\.env/,
];

/**
 * The files that jest is to run for a project's suites: neighbours that are short share one, which takes them
 * in. They share modules then, which costs each suite alone more than a second of a processor
 * (docs/why/tests.md). Hooks, databases and servers stay a suite's own.
 */
export function groupsOf(project, folders) {
  const seconds = storedDurations();
  const groups = [];
  let group = { seconds: 0, suites: [] };
  for (const suite of folders.flatMap(suitesBelow)) {
    const own = seconds[suite] ?? UNKNOWN_SECONDS;
    if (own > MAX_SECONDS / 3 || staysAlone(readFileSync(path.join(ROOT, suite), 'utf8'))) {
      groups.push({ seconds: own, suites: [suite] });
      continue;
    }
    if (group.seconds + own > MAX_SECONDS) group = { seconds: 0, suites: [] };
    if (group.suites.length === 0) groups.push(group);
    group.seconds += own;
    group.suites.push(suite);
  }
  const folder = path.join(FOLDER, project);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return groups.map(({ suites }) =>
    suites.length === 1 ? path.join(ROOT, suites[0]) : writeGroup(folder, suites),
  );
}

function staysAlone(source) {
  return STAYS_ALONE.some((sign) => sign.test(source));
}

/** The suites in the order of their names, so that a group holds neighbours. */
function suitesBelow(folder) {
  return readdirSync(path.join(ROOT, folder), { recursive: folder !== 'test' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => path.join(folder, name))
    .sort();
}

/** Writes a group, with the name of its first suite and how many more there are. */
function writeGroup(folder, suites) {
  const [, ...words] = suites[0].replace(/\.test\.ts$/, '').split(path.sep);
  const file = path.join(folder, `${words.join('.')}+${suites.length - 1}.test.ts`);
  const blocks = inOrder(suites).map((suite) => {
    const module = path.relative(folder, path.join(ROOT, suite)).replace(/\.ts$/, '');
    return `describe('${suite}', () => {
  require('${module}');
  afterAll(() => jest.restoreAllMocks());
});
`;
  });
  writeFileSync(file, blocks.join('\n'));
  return file;
}

/**
 * The order of the suites. By day it is that of their names. By night it is another one each time,
 * which `TEST_ORDER_SEED` repeats: what a suite leaves in a module's variables then meets others.
 */
function inOrder(suites, seed = process.env.TEST_ORDER_SEED) {
  if (!seed) return suites;
  const place = (suite) => createHash('sha256').update(`${seed} ${suite}`).digest('hex');
  return suites.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
}

/** The suites that a file of jest's takes in; one that is no group is its own. */
export function suitesOf(file) {
  if (!file.startsWith(FOLDER)) return [path.relative(ROOT, file)];
  return [...readFileSync(file, 'utf8').matchAll(/^describe\('(.+)',/gm)].map(([, suite]) => suite);
}

/** A report as if each suite had had its file to itself, with a share of the group's time by its tests'. */
export function ungrouped(report) {
  return { ...report, testResults: report.testResults.flatMap(membersOf) };
}

function membersOf(result) {
  const suites = suitesOf(result.name);
  if (suites.length === 1) return [result];
  const msOfAll = Math.max(1, msOf(result.assertionResults));
  let startTime = result.startTime;
  return suites.map((suite) => {
    const tests = result.assertionResults.filter(({ ancestorTitles: [of] }) => of === suite);
    const ms = ((result.endTime - result.startTime) * msOf(tests)) / msOfAll;
    const member = {
      ...result,
      name: path.join(ROOT, suite),
      startTime,
      endTime: startTime + ms,
      status: hasFailed(result, tests) ? 'failed' : 'passed',
      assertionResults: tests.map((test) => ({
        ...test,
        fullName: test.fullName.slice(suite.length + 1),
      })),
    };
    startTime += ms;
    return member;
  });
}

function msOf(tests) {
  return tests.reduce((sum, { duration }) => sum + (duration ?? 0), 0);
}

/** Whether a suite has failed: each may be the one where a group broke as a whole. */
function hasFailed({ message = '' }, tests) {
  return (
    message.includes('Test suite failed to run') || tests.some(({ status }) => status === 'failed')
  );
}
