import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { durationsOf, slowestOf, writeDurations } from './durations.mjs';
import { ROOT } from './run.mjs';
import { messageOf, suitesToRepeat } from './unsteady.mjs';

/**
 * Runs all tests or those named, with jest's own output, and adds their numbers to the results.
 * Suites that failed beside others run once more, alone; see `unsteady.mjs` for which may.
 */
export async function runJest(results, suites = []) {
  let report = await reportOf(suites);
  const durations = durationsOf(report);
  if (suites.length === 0) results.messages.push(slowestOf(durations));
  if (process.argv.includes('--durations')) writeDurations(durations);
  const repeated = suitesToRepeat(report);
  if (repeated.length > 0) {
    console.log(`\n${messageOf(repeated)}\n`);
    report = withRepeated(
      report,
      await reportOf(['--runInBand', ...repeated.map(({ path }) => path)]),
    );
  }
  results.passed += report.numPassedTests;
  results.failed += report.numFailedTests + report.numRuntimeErrorTestSuites;
  results.skipped += report.numPendingTests ?? 0;
  if (repeated.length > 0) results.messages.push(messageOf(repeated));
}

/** Jest's report of a run. One that failed as a whole, such as in its setup, counts as one failure. */
async function reportOf(args) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'affiliate-jest-'));
  const file = path.join(folder, 'report.json');
  try {
    const code = await spawnJest(['--ci', '--json', `--outputFile=${file}`, ...args]);
    const report = readReport(file);
    const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
    return code !== 0 && failed === 0 ? { ...report, numFailedTests: 1 } : report;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The repeated suites count as they ended the second time. */
function withRepeated(first, second) {
  const repeated = new Set(second.testResults.map(({ name }) => name));
  const passedBefore = first.testResults
    .filter(({ name }) => repeated.has(name))
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'passed').length;
  return { ...second, numPassedTests: first.numPassedTests - passedBefore + second.numPassedTests };
}

function spawnJest(args) {
  const jest = path.join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  // The report goes to the file; what jest shows people goes to stderr, and so does it here.
  const child = spawn(process.execPath, [jest, ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, numRuntimeErrorTestSuites: 0, testResults: [] };
  }
}
