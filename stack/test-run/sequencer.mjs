import path from 'node:path';
import Sequencer from '@jest/test-sequencer';
import { ROOT } from '../bootstrap/run.mjs';
import { storedDurations } from './durations.mjs';
import { suitesOf } from './groups.mjs';

/** These start the whole stack; two of them at a time are what no machine of two cores bears. */
const WHOLE_STACK = [
  'test/faults/stack.test.ts',
  'test/faults/stack.nightly.ts',
  'test/faults/live-feeds.nightly.ts',
  'test/faults/demo.nightly.ts',
  'test/faults/import.nightly.ts',
  'test/faults/main-job.test.ts',
  'test/faults/main-job.nightly.ts',
  'test/faults/parts.nightly.ts',
];
/** The number of workers, the same as in jest.config.mjs. */
const WORKERS = 4;
/** Lint, format and types run beside the first suites for about so long. */
const GATES_SECONDS = 60;
/** A suite that nobody has measured yet is taken to last so long. */
const UNKNOWN_SECONDS = 5;

/** The longest first, so that no worker is left alone with one in the end. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const stored = storedDurations();
    const left = tests
      .map((test) => {
        const name = path.relative(ROOT, test.path);
        const seconds = suitesOf(test.path)
          .map((suite) => stored[suite] ?? UNKNOWN_SECONDS)
          .reduce((sum, each) => sum + each);
        return { test, seconds, isWhole: WHOLE_STACK.includes(name) };
      })
      .sort((a, b) => b.seconds - a.seconds);
    return inTurns(left).map(({ test }) => test);
  }
}

/** The order in which the workers will take them, with one suite of the whole stack at a time. */
function inTurns(left) {
  const workers = Array.from({ length: WORKERS }, () => 0);
  const order = [];
  let wholeUntil = GATES_SECONDS;
  while (left.length > 0) {
    const now = Math.min(...workers);
    const worker = workers.indexOf(now);
    const fitting = left.findIndex(({ isWhole }) => !isWhole || now >= wholeUntil);
    const [next] = left.splice(Math.max(fitting, 0), 1);
    workers[worker] = now + next.seconds;
    if (next.isWhole) wholeUntil = workers[worker];
    order.push(next);
  }
  return order;
}
