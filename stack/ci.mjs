import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { npmCommand } from './bootstrap/npm.mjs';
import { ROOT, run } from './bootstrap/run.mjs';
import { closingLine } from './test-run/jest.mjs';
import { parts, partOfTurn } from './test-run/nightly-parts.mjs';
import { freshness } from './test-run/nightly-record.mjs';
import { unsteadyAgain } from './test-run/unsteady-record.mjs';

/**
 * What `.ci/run` does: the day's suites, then one part of the night, whose turn follows from the number of commits.
 * Both together end within 25 minutes: a part that a slow machine does not end by then has said nothing, and
 * is no failure. The closing line is the sum of both.
 */
const ENDS_AFTER_MS = 25 * 60_000;
/** The time for what is printed, and for processes to end. */
const RESERVE_MS = 30_000;

const startedAt = Date.now();
const folder = mkdtempSync(path.join(os.tmpdir(), 'affiliate-ci-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const day = await outcomeOf('day', ['test']);
const part = partOfTurn(await commitCount());
const left = startedAt + ENDS_AFTER_MS - RESERVE_MS - Date.now();
console.log(`\nOf the night: ${part}\n`);
const night = await outcomeOf('night', ['run', 'test:nightly', part], left);
if (night.isCut)
  console.log(`\n${part} was not over after 25 minutes in all: it has said nothing.`);

const records = [...(await freshness(Object.keys(parts))), ...(await unsteadyAgain())];
console.log(`\n${records.join('\n')}`);
const sum = (name) => day[name] + night[name];
const total = Object.fromEntries(
  ['passed', 'failed', 'skipped', 'unsteady'].map((name) => [name, sum(name)]),
);
console.log(`\n${closingLine(total)}`);
process.exitCode = total.failed === 0 ? 0 : 1;

/** Runs a script of npm, which writes its numbers into a file; one that wrote none has failed. */
async function outcomeOf(name, args, patienceMs) {
  const file = path.join(folder, name);
  const isCut = await ran(args, { ...process.env, TEST_RESULTS: file }, patienceMs);
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, failed: isCut ? 0 : 1, skipped: 0, unsteady: 0, isCut };
  }
}

/** Whether it had to be ended, with all that it had started. */
function ran(args, env, patienceMs) {
  const [command, ...rest] = npmCommand(args);
  const child = spawn(command, rest, { cwd: ROOT, env, stdio: 'inherit', detached: true });
  const end = (signal) => process.kill(-child.pid, signal);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => end(signal));
  return new Promise((resolve, reject) => {
    let isCut = false;
    const timer =
      patienceMs &&
      setTimeout(
        () => {
          isCut = true;
          end('SIGTERM');
          setTimeout(() => end('SIGKILL'), RESERVE_MS / 2).unref();
        },
        Math.max(patienceMs, 0),
      );
    child.once('error', reject);
    child.once('close', () => {
      clearTimeout(timer);
      resolve(isCut);
    });
  });
}

async function commitCount() {
  const [count] = await run('git', ['rev-list', '--count', 'HEAD']).catch(() => ['0']);
  return Number(count);
}
