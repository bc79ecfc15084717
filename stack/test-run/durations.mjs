import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../bootstrap/run.mjs';

const STORED = path.join(ROOT, 'stack', 'test-run', 'durations.json');
/** Jest's report of the last run of `npm test`. */
export const REPORT = path.join(ROOT, 'coverage', 'last-run.json');
const SHOWN = 15;

/** Seconds of each suite, by its path in the checkout. */
export function storedDurations() {
  return JSON.parse(readFileSync(STORED, 'utf8'));
}

function secondsOf({ name, startTime, endTime }) {
  return [path.relative(ROOT, name), Math.round((endTime - startTime) / 100) / 10];
}

/** The slowest suites of a report, and how long one worker was left alone in the end. */
export function slowest({ testResults }) {
  const ran = testResults.filter(({ startTime, endTime }) => endTime > startTime);
  if (ran.length < SHOWN) return [];
  const ends = ran.map(({ endTime }) => endTime).sort((a, b) => b - a);
  const first = Math.min(...ran.map(({ startTime }) => startTime));
  const seconds = ran.map(secondsOf).sort((a, b) => b[1] - a[1]);
  const sum = seconds.reduce((total, [, each]) => total + each, 0);
  return [
    `Suites took ${inSeconds(ends[0] - first)}, ${sum.toFixed(0)} s of all workers; in the end one was alone for ${inSeconds(ends[0] - ends[1])}. The slowest:`,
    ...seconds.slice(0, SHOWN).map(([name, each]) => `${each.toFixed(1).padStart(7)} s  ${name}`),
  ];
}

function inSeconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** Keeps what a report says and forgets suites that are gone. */
function refresh(file) {
  const seen = JSON.parse(readFileSync(file, 'utf8')).testResults.map(secondsOf);
  const all = Object.entries({ ...storedDurations(), ...Object.fromEntries(seen) });
  const kept = all.filter(([name]) => existsSync(path.join(ROOT, name)));
  kept.sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(STORED, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
  console.log(`${seen.length} suites measured, ${kept.length} known`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) refresh(process.argv[2] ?? REPORT);
