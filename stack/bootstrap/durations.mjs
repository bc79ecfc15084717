import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './run.mjs';

const SHOWN = 15;

/** The seconds of each suite of a jest report, the slowest first. */
export function durationsOf({ testResults }) {
  return testResults
    .map(({ name, startTime, endTime }) => ({
      suite: path.relative(ROOT, name),
      seconds: Math.max(0, Math.round((endTime - startTime) / 100) / 10),
    }))
    .sort((a, b) => b.seconds - a.seconds || (a.suite < b.suite ? -1 : 1));
}

export function slowestOf(durations) {
  const lines = durations
    .slice(0, SHOWN)
    .map(({ suite, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${suite}`);
  return ['The slowest suites:', ...lines].join('\n');
}

/** For the order of later runs: see sequencer.cjs. Whole seconds, so that few lines change. */
export function writeDurations(durations) {
  const rows = durations
    .map(({ suite, seconds }) => [suite, Math.round(seconds)])
    .filter(([, seconds]) => seconds > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const file = path.join(ROOT, 'test', 'durations.json');
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`);
}
