import { NamespaceNotFoundError } from '@temporalio/common';
import type { Load } from '../../../runtime/process/machine-load';
import { ofRetries, watchSpareTime, type Patience } from '../../../workers/relay/spare-time';
import { createStartRate } from '../../../workers/relay/start-rate';
import { kindOfFailure } from '../../../workers/relay/temporal-calls';

/** As grpc-js throws them, inside of what the client makes of them. */
function grpcError(code: number): Error {
  const cause = Object.assign(new Error('refused'), { code, details: 'refused', metadata: {} });
  return new Error('Failed to start', { cause });
}

describe('a call that Temporal did not take', () => {
  it.each([
    [3, 'row'],
    [5, 'row'],
    [9, 'row'],
    [4, 'passing'],
    [8, 'passing'],
    [14, 'passing'],
    [7, 'away'],
    [16, 'away'],
  ])('with gRPC code %s says: %s', (code, kind) => {
    expect(kindOfFailure(grpcError(code))).toBe(kind);
  });

  it('says nothing of its row when the server has no namespace or cannot be reached', () => {
    expect(kindOfFailure(new NamespaceNotFoundError('default'))).toBe('away');
    expect(kindOfFailure(new Error('Failed to connect before the deadline'))).toBe('passing');
    expect(kindOfFailure(new TypeError('a value that cannot be encoded'))).toBe('row');
  });
});

describe('patient work', () => {
  function watchOver(load: Load, clock: { now: number }, patience?: Patience) {
    const spare = watchSpareTime({
      ...(patience && { patience }),
      read: () => [{ ...load }],
      now: () => clock.now,
    });
    const pass = (busy: number, wants = true): number => {
      if (wants) spare.wantsMore();
      clock.now += 500;
      load.busy += busy;
      load.idle += 100 - busy;
      return spare.share();
    };
    return { ...spare, pass };
  }

  it('begins with the least, grows while more waits, and makes room', () => {
    const { pass, share } = watchOver({ busy: 0, idle: 0 }, { now: 0 });
    expect(share()).toBe(0.1);
    expect(pass(35)).toBeCloseTo(0.1);
    expect(pass(20)).toBeCloseTo(0.15);
    for (let turn = 0; turn < 20; turn += 1) pass(20);
    expect(share()).toBe(1);
    expect(pass(55)).toBe(1);
    expect(pass(75)).toBe(0.5);
    for (let turn = 0; turn < 10; turn += 1) pass(100);
    expect(share()).toBeCloseTo(0.1);
  });

  it('is not starved by a machine that is always busy', () => {
    const { pass } = watchOver({ busy: 0, idle: 0 }, { now: 0 });
    for (let turn = 0; turn < 14_400; turn += 1) pass(100);
    expect(pass(100)).toBeCloseTo(0.55, 1);
    for (let turn = 0; turn < 14_400; turn += 1) pass(100);
    expect(pass(100)).toBe(1);
  });

  it('of receivers that failed begins with two a second, and has all of it within a minute', () => {
    const { pass, share } = watchOver({ busy: 0, idle: 0 }, { now: 0 }, ofRetries);
    expect(50 * share()).toBeCloseTo(2);
    for (let turn = 0; turn < 121; turn += 1) pass(100);
    expect(share()).toBe(1);
  });

  it('gives back what it does not need, and what it needed long ago', () => {
    const clock = { now: 0 };
    const { pass, share } = watchOver({ busy: 0, idle: 0 }, clock);
    for (let turn = 0; turn < 20; turn += 1) pass(20);
    for (let turn = 0; turn < 5; turn += 1) expect(pass(20, false)).toBe(1);
    expect(pass(20, false)).toBeCloseTo(0.95);
    clock.now += 60_000;
    expect(share()).toBe(0.1);
  });

  it('is spaced evenly, by its share of the rate, and makes up for nothing', async () => {
    let now = 0;
    let share = 1;
    const rests: number[] = [];
    const rate = createStartRate(50, {
      now: () => now,
      spare: { share: () => share, wantsMore: fail },
      rest: (ms) => Promise.resolve(rests.push(ms)),
    });
    expect(rate.inASecond()).toBe(50);
    rate.took(24);
    await Promise.all([rate.turn(), rate.turn(), rate.turn()]);
    expect(rests).toEqual([20, 40]);

    share = 0.1;
    expect(rate.inASecond()).toBe(5);
    now += 60_000;
    await Promise.all([rate.turn(), rate.turn()]);
    expect(rests).toEqual([20, 40, 200]);
  });

  it('wants more when a claim is half full, as it is of delayed rows alone', () => {
    let wanted = 0;
    const rate = createStartRate(50, {
      spare: { share: () => 0.1, wantsMore: () => (wanted += 1) },
    });
    rate.inASecond();
    rate.took(2);
    expect(wanted).toBe(0);
    rate.took(3);
    expect(wanted).toBe(1);
  });

  it('has no pace without a bound', async () => {
    const rate = createStartRate(0, { rest: () => Promise.reject(new Error('rested')) });
    await Promise.all([rate.turn(), rate.turn()]);
    expect(rate.inASecond()).toBeGreaterThan(1_000_000);
  });
});

function fail(): never {
  throw new Error('nothing waits');
}
