import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../bootstrap/run.mjs';
import { REPORT, slowest } from './durations.mjs';
import { ungrouped } from './groups.mjs';
import { messageOf, repeatBesideLoad, suitesToRepeat } from './repeat.mjs';
import { recordUnsteady, unsteadyAgain } from './unsteady-record.mjs';

export function emptyResults() {
  return { passed: 0, failed: 0, skipped: 0, unsteady: 0, messages: [] };
}

/**
 * Runs all tests or those named, with jest's own output, and adds their numbers to the results.
 * Suites that failed by time-outs alone run again; see `repeat.mjs`.
 */
export async function runJest(results, args = [], { repeats = true } = {}) {
  let report = await reportOf(args, REPORT);
  results.messages.push(...asMessage(slowest(report)));
  const unsteady = repeats ? suitesToRepeat(report) : [];
  if (unsteady.length > 0) {
    console.log(`\n${messageOf(unsteady)}\nThree times again, beside load:\n`);
    const file = REPORT.replace('last-run', 'repeat');
    report = withRepeated(report, await repeatBesideLoad(unsteady, (own) => reportOf(own, file)));
    await recordUnsteady(unsteady);
    results.messages.push(messageOf(unsteady), ...asMessage(await unsteadyAgain()));
    results.unsteady += unsteady.length;
  }
  results.passed += report.numPassedTests;
  results.failed += report.numFailedTests + report.numRuntimeErrorTestSuites;
  countSkipped(results, report);
}

function asMessage(lines) {
  return lines.length > 0 ? [lines.join('\n')] : [];
}

/** A run without a browser is a smaller run: people are told, and in CI it fails. */
function countSkipped(results, { testResults, numPendingTests }) {
  if (numPendingTests === 0) return;
  results.skipped += numPendingTests;
  const suites = testResults
    .filter(({ assertionResults }) => assertionResults.some(({ status }) => status === 'pending'))
    .map(({ name }) => `  ${path.relative(ROOT, name)}`);
  const count = `${numPendingTests} tests were skipped; their names say why:`;
  results.messages.push([count, ...suites].join('\n'));
  if (process.env.CI) results.failed += 1;
}

/** The closing line, or its numbers for who adds them to others, and the exit code with them. */
export function conclude({ messages, ...counts }) {
  for (const message of messages) console.log(`\n${message}`);
  const file = process.env.TEST_RESULTS;
  if (file) writeFileSync(file, JSON.stringify(counts));
  else console.log(`\n${closingLine(counts)}`);
  process.exitCode = counts.failed === 0 ? 0 : 1;
}

export function closingLine({ passed, failed, skipped, unsteady }) {
  const more = Object.entries({ skipped, unsteady }).filter(([, count]) => count > 0);
  const all = Object.entries({ passed, failed }).concat(more);
  return all.map(([name, count]) => `${count} ${name}`).join(', ');
}

/** Jest's report of a run. One that failed as a whole, such as in its setup, counts as one failure. */
async function reportOf(args, file) {
  mkdirSync(path.dirname(file), { recursive: true });
  rmSync(file, { force: true });
  // Suites that are named run as they are, each in its own file.
  if (args.every((arg) => arg.startsWith('--shard='))) process.env.TEST_GROUPED = '1';
  else delete process.env.TEST_GROUPED;
  const code = await spawnJest(['--ci', '--json', `--outputFile=${file}`, ...args]);
  const report = readReport(file);
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  return code !== 0 && failed === 0 ? { ...report, numFailedTests: 1 } : report;
}

/** The repeated suites count as they ended the last time. */
function withRepeated(first, last) {
  const repeated = new Set(last.testResults.map(({ name }) => name));
  const passedBefore = first.testResults
    .filter(({ name }) => repeated.has(name))
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'passed').length;
  return {
    ...last,
    numPendingTests: first.numPendingTests,
    testResults: first.testResults,
    numPassedTests: first.numPassedTests - passedBefore + last.numPassedTests,
  };
}

/** The size in MB: suites make much that soon is garbage, and a third of collecting it goes with more room. */
const YOUNG_ROOM = '--max-semi-space-size=64';

function spawnJest(args) {
  const jest = path.join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  // The report goes to the file; what jest shows people goes to stderr, and so does it here.
  const child = spawn(process.execPath, [YOUNG_ROOM, jest, ...args], {
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
    const report = ungrouped(JSON.parse(readFileSync(file, 'utf8')));
    // The report is stored in the shape that `npm run test:durations` reads.
    writeFileSync(file, JSON.stringify(report));
    return report;
  } catch {
    return {
      numPassedTests: 0,
      numFailedTests: 0,
      numPendingTests: 0,
      numRuntimeErrorTestSuites: 0,
      testResults: [],
    };
  }
}
