import {
  giveUpTime,
  nextStep,
  waitBefore,
  type BatchFacts,
} from '../../../entities/rules/payouts/batch-steps';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const giveUpMs = 72 * hour;
const made = new Date('2026-03-01T00:00:00.000Z');
const after = (ms: number) => new Date(made.getTime() + ms);

const trying: BatchFacts = {
  status: 'trying',
  createdAt: made,
  firstTryAt: null,
  takenAt: null,
  nextAt: null,
  isInDoubt: false,
  wasRestored: false,
  isHeld: false,
  isOvertaken: false,
  hasId: false,
  unknownToldAt: null,
  isTooLong: false,
};
const tried = { ...trying, firstTryAt: after(minute) };
const inDoubt = { ...tried, isInDoubt: true };

describe('a batch that was not taken yet', () => {
  it.each<[string, BatchFacts, number, object]>([
    ['is tried at once', trying, 0, { kind: 'try' }],
    ['waits for its next try', { ...tried, nextAt: after(9) }, 8, waitUntil(9)],
    ['is tried when that has come', { ...tried, nextAt: after(9) }, 9, { kind: 'try' }],
    [
      'waits no longer than until it is given up',
      { ...tried, nextAt: after(100 * hour) },
      hour,
      waitUntil(72 * hour + minute),
    ],
    ['is tried until 72 hours after the first try', tried, 72 * hour + minute - 1, { kind: 'try' }],
    [
      'is ready again when all that while nothing was taken, surely',
      tried,
      72 * hour + minute,
      { kind: 'release' },
    ],
    ['is ready again when it never was tried', trying, 72 * hour, { kind: 'release' }],
    [
      'is ready again where an item was paid meanwhile',
      { ...tried, isOvertaken: true },
      0,
      { kind: 'release' },
    ],
    [
      'is a person’s where one was, after an unknown try',
      { ...inDoubt, isOvertaken: true },
      0,
      { kind: 'unanswered' },
    ],
    [
      'is a person’s after an unknown try',
      { ...inDoubt, unknownToldAt: made },
      72 * hour + minute,
      { kind: 'unanswered' },
    ],
    [
      'is told before anything else that waits, an hour after its first try',
      inDoubt,
      hour + minute,
      { kind: 'tell_unknown' },
    ],
    ['is not told before that hour is over', inDoubt, hour + minute - 1, { kind: 'try' }],
    [
      'waits no longer than until it is to be told',
      { ...inDoubt, nextAt: after(2 * hour) },
      minute,
      waitUntil(hour + minute),
    ],
    [
      'waits for its try when that comes before the telling',
      { ...inDoubt, nextAt: after(5 * minute) },
      minute,
      waitUntil(5 * minute),
    ],
    [
      'is told once',
      { ...inDoubt, unknownToldAt: after(hour), nextAt: after(3 * hour) },
      2 * hour,
      waitUntil(3 * hour),
    ],
    [
      'is not told when no try was unknown',
      { ...tried, nextAt: after(3 * hour) },
      2 * hour,
      waitUntil(3 * hour),
    ],
  ])('the next step: %s', (_rule, facts, ms, step) => {
    expect(nextStep(facts, after(ms), giveUpMs)).toEqual(step);
  });
});

describe('a batch that a restore brought back', () => {
  const restored = { ...trying, wasRestored: true };

  it.each<[string, BatchFacts, number, object]>([
    [
      'comes up again in ten minutes while nothing may be tried',
      { ...restored, isHeld: true, nextAt: made },
      0,
      waitUntil(10 * minute),
    ],
    ['is tried once that is released', restored, 0, { kind: 'try' }],
    ['may have been tried since: admins are notified', restored, hour, { kind: 'tell_unknown' }],
    [
      'may have been taken since: it is never ready again by itself',
      restored,
      72 * hour,
      { kind: 'unanswered' },
    ],
    [
      'may have been tried before the try that is known: its time counts from when it was made',
      { ...restored, firstTryAt: after(70 * hour) },
      72 * hour,
      { kind: 'unanswered' },
    ],
  ])('the next step: %s', (_rule, facts, ms, step) => {
    expect(nextStep(facts, after(ms), giveUpMs)).toEqual(step);
  });
});

describe('a batch that was taken', () => {
  const taken: BatchFacts = {
    ...tried,
    status: 'taken',
    takenAt: after(day),
    nextAt: after(2 * day),
    hasId: true,
  };

  it.each<[string, BatchFacts, number, object]>([
    ['is asked about when its time has come', taken, 2 * day, { kind: 'ask' }],
    ['waits until then', taken, 2 * day - 1, waitUntil(2 * day)],
    ['is asked about until day 180', taken, 181 * day, { kind: 'ask' }],
    ['is not asked about any more after that', taken, 181 * day + 1, { kind: 'over' }],
    [
      'is asked about from when it was made where nobody knows when it was taken',
      { ...taken, takenAt: null },
      180 * day + 1,
      { kind: 'over' },
    ],
    ['cannot be asked about without an id', { ...taken, hasId: false }, 2 * day, { kind: 'over' }],
    ['is over when nothing comes next', { ...taken, nextAt: null }, 2 * day, { kind: 'over' }],
    [
      'notifies first when an item is on its way for too long',
      { ...taken, isTooLong: true },
      2 * day,
      { kind: 'tell_too_long' },
    ],
    [
      'is asked about during a restore, too',
      { ...taken, isHeld: true, wasRestored: true },
      2 * day,
      { kind: 'ask' },
    ],
  ])('the next step: %s', (_rule, facts, ms, step) => {
    expect(nextStep(facts, after(ms), giveUpMs)).toEqual(step);
  });
});

it.each([
  ['the first try', tried, minute],
  ['its making, before one', trying, 0],
  ['its making, after a restore', { ...tried, wasRestored: true }, 0],
])('the time of a batch counts from %s', (_rule, facts, ms) => {
  expect(giveUpTime(facts, hour)).toEqual(after(ms + hour));
});

it.each([
  [0, 10],
  [1, 20],
  [2, 30],
  [3, 30],
  [99, 30],
])('after %s tries the wait is %s: the last one repeats', (done, wait) => {
  expect(waitBefore([10, 20, 30], done)).toBe(wait);
});

it('waits a minute where no schedule says how long', () => {
  expect(waitBefore([], 0)).toBe(minute);
});

function waitUntil(ms: number) {
  return { kind: 'wait', until: after(ms) };
}
