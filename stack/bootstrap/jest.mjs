import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ROOT } from './run.mjs';

/** Runs all tests or those named, with jest's own output, and adds their numbers to the results. */
export async function runJest(results, suites = []) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'affiliate-jest-'));
  const report = path.join(folder, 'report.json');
  try {
    const code = await spawnJest(['--ci', '--json', `--outputFile=${report}`, ...suites]);
    const counts = readCounts(report);
    results.passed += counts.passed;
    // A run that fails as a whole, such as in its setup, is no failed test, and yet a failure.
    results.failed += counts.failed === 0 && code !== 0 ? 1 : counts.failed;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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

function readCounts(report) {
  try {
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(
      readFileSync(report, 'utf8'),
    );
    return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
  } catch {
    return { passed: 0, failed: 0 };
  }
}
