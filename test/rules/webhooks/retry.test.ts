import {
  hasFailedTooLong,
  isAheadOfTime,
  isBreakerOpen,
  judgeAttempt,
  parseRetryAfter,
} from '../../../entities/rules/webhooks/retry';

const now = new Date('2026-03-01T12:00:00.000Z');
const schedule = [0, 5_000, 300_000, 1_800_000];
const onTime = { dueAt: now, isAhead: false };
const failed = { ok: false, httpStatusCode: 500, retryAfterMs: null };

function waitAfter(attempt: number, random: number, outcome = failed): number | null {
  const { nextAttemptAt } = judgeAttempt(outcome, {
    attempt,
    schedule,
    ...onTime,
    now,
    random,
  });
  return nextAttemptAt && nextAttemptAt.getTime() - now.getTime();
}

describe('judging an attempt', () => {
  it('ends with a success', () => {
    const outcome = { ok: true, httpStatusCode: 204, retryAfterMs: null };
    expect(judgeAttempt(outcome, { attempt: 1, schedule, ...onTime, now, random: 0.5 })).toEqual({
      status: 'succeeded',
      nextAttemptAt: null,
      disablesEndpoint: false,
    });
  });

  it.each([null, 301, 400, 404, 409, 429, 500, 503])('tries again after %s', (httpStatusCode) => {
    const outcome = { ok: false, httpStatusCode, retryAfterMs: null };
    expect(
      judgeAttempt(outcome, { attempt: 1, schedule, ...onTime, now, random: 0.5 }).status,
    ).toBe('retrying');
  });

  it('takes 410 as the end of the delivery and of the endpoint', () => {
    const outcome = { ok: false, httpStatusCode: 410, retryAfterMs: null };
    expect(judgeAttempt(outcome, { attempt: 1, schedule, ...onTime, now, random: 0.5 })).toEqual({
      status: 'cancelled',
      nextAttemptAt: null,
      disablesEndpoint: true,
    });
  });

  it('follows the schedule with a fifth of jitter either way', () => {
    expect(waitAfter(1, 0)).toBe(4_000);
    expect(waitAfter(1, 0.5)).toBe(5_000);
    expect(waitAfter(1, 0.999_999)).toBe(6_000);
    expect(waitAfter(3, 0.5)).toBe(1_800_000);
    const atOnce = { attempt: 1, schedule: [0, 0], ...onTime, now, random: 0.5 };
    expect(judgeAttempt(failed, atOnce).nextAttemptAt).toEqual(now);
  });

  it('keeps the place in the schedule of what was tried ahead of its time', () => {
    const dueAt = new Date(now.getTime() + 60_000);
    const position = { attempt: 4, schedule, dueAt, isAhead: true, now, random: 0.5 };
    expect(judgeAttempt(failed, position)).toEqual({
      status: 'retrying',
      nextAttemptAt: dueAt,
      disablesEndpoint: false,
    });
    expect(judgeAttempt({ ...failed, ok: true }, position).status).toBe('succeeded');
  });

  it('is dead after the last attempt of the schedule', () => {
    expect(judgeAttempt(failed, { attempt: 4, schedule, ...onTime, now, random: 0.5 }).status).toBe(
      'dead_letter',
    );
    expect(waitAfter(4, 0.5)).toBeNull();
  });

  it.each([
    [1_000, 5_000],
    [60_000, 60_000],
    [9e9, 86_400_000],
  ])('waits at least as long as the receiver asks: %d ms', (retryAfterMs, wait) => {
    expect(waitAfter(1, 0.5, { ...failed, retryAfterMs } as never)).toBe(wait);
  });
});

describe('Retry-After', () => {
  it.each([
    ['120', 120_000],
    ['0', 0],
    ['999999999999', 86_400_000],
    ['Sun, 01 Mar 2026 12:01:00 GMT', 60_000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['Sun, 01 Mar 2027 11:00:00 GMT', 86_400_000],
    ['-5', null],
    ['1.5', null],
    ['soon', null],
    [' 120 ', 120_000],
    ['0'.repeat(64), 0],
    ['0'.repeat(65), null],
    ['', null],
    [undefined, null],
  ])('%s is %s ms', (header, wait) => {
    expect(parseRetryAfter(header, now)).toBe(wait);
  });
});

it.each([
  [-1, false],
  [0, false],
  [1, true],
])('what is due in %d ms is ahead of its time: %p', (ms, isAhead) => {
  expect(isAheadOfTime(new Date(now.getTime() + ms), now)).toBe(isAhead);
});

describe('an endpoint that fails', () => {
  it('is let rest from the limit on', () => {
    expect(isBreakerOpen(49, 50)).toBe(false);
    expect(isBreakerOpen(50, 50)).toBe(true);
  });

  it('is disabled after five days of nothing but failures', () => {
    expect(hasFailedTooLong(null, now)).toBe(false);
    expect(hasFailedTooLong(new Date('2026-02-24T12:00:00.001Z'), now)).toBe(false);
    expect(hasFailedTooLong(new Date('2026-02-24T12:00:00.000Z'), now)).toBe(true);
  });
});
