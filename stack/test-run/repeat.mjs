import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { ROOT } from '../bootstrap/run.mjs';

/** The most failures that may be an accident of a busy machine. */
const MAX_SUITES = 3;
const TIMES = 3;
/** Jest's own time-out of a test or hook, and that of the one helper that waits. */
const RAN_OUT = /^(Error: )?(thrown: ")?Exceeded timeout of \d+ ms|^WaitedInVain: /;

/**
 * The failed suites of a report when each failure of each is a time-out, else none at all:
 * `{ path, failures }`. A value that was wrong once is wrong (docs/why/tests.md).
 */
export function suitesToRepeat({ testResults }) {
  const failed = testResults.filter(({ status }) => status === 'failed');
  return failed.length <= MAX_SUITES && failed.every(onlyRanOut) ? failed.map(suiteOf) : [];
}

function onlyRanOut({ assertionResults, message = '' }) {
  // What failed after the tests, such as an assertion of `afterAll`, stands in no test's messages.
  if (message.includes('Test suite failed to run')) return false;
  const messages = assertionResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ failureMessages }) => failureMessages);
  // A suite that broke as a whole has no failed test, and no excuse.
  return messages.length > 0 && messages.every((message) => RAN_OUT.test(message));
}

function suiteOf({ name, assertionResults }) {
  const failures = assertionResults.filter(({ status }) => status === 'failed');
  return { path: path.relative(ROOT, name), failures: failures.map(({ fullName }) => fullName) };
}

/**
 * Runs these suites three times beside load, in which a race is likelier than alone. `attempt`
 * runs them once and answers jest's report; the last report of all that passed, or the first that
 * did not.
 */
export async function repeatBesideLoad(suites, attempt) {
  const load = Array.from({ length: os.availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  const endLoad = () => load.forEach((child) => child.kill('SIGKILL'));
  process.once('exit', endLoad);
  try {
    let report;
    for (let time = 0; time < TIMES; time += 1) {
      report = await attempt(['--runInBand', ...suites.map((suite) => suite.path)]);
      if (report.numFailedTests + report.numRuntimeErrorTestSuites > 0) return report;
    }
    return report;
  } finally {
    process.off('exit', endLoad);
    endLoad();
  }
}

export function messageOf(suites) {
  const lines = suites.map((suite) => `  ${suite.path}: ${suite.failures.join('; ')}`);
  return [`${suites.length} unsteady, out of time once (test/unsteady.json):`, ...lines].join('\n');
}
