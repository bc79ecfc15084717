import path from 'node:path';
import { ROOT } from './run.mjs';

/** More failures than these are no accident of a busy machine. */
const MOST_SUITES = 3;

/**
 * Suites with clocks, processes and outages, where two full cores can break a test's patience.
 * Rules and properties depend on nothing but their input: what fails there once has failed.
 */
const FOLDERS = ['api', 'activities', 'browser', 'e2e', 'faults', 'stack', 'workers', 'workflows'];

/** A property that fails for one seed passes with the next, and yet has been disproved. */
const DISPROVED = /Property failed after|Got an error while running the property/;

/** The failed suites of a report that may run once more: `{ path, failures }`, else none at all. */
export function suitesToRepeat({ testResults }) {
  const failed = testResults.filter(({ status }) => status === 'failed');
  return failed.length <= MOST_SUITES && failed.every(mayRepeat) ? failed.map(suiteOf) : [];
}

function mayRepeat({ name, message }) {
  const [top, folder] = path.relative(ROOT, name).split(path.sep);
  return top === 'test' && FOLDERS.includes(folder) && !DISPROVED.test(message);
}

function suiteOf({ name, assertionResults }) {
  const failures = assertionResults.filter(({ status }) => status === 'failed');
  return { path: path.relative(ROOT, name), failures: failures.map(({ fullName }) => fullName) };
}

export function messageOf(repeated) {
  const lines = repeated.map((suite) => `  ${suite.path}: ${suite.failures.join('; ')}`);
  return ['Failed beside other suites, and run once more alone:', ...lines].join('\n');
}
