import { NamespaceNotFoundError } from '@temporalio/common';
import { createYield, type Load } from '../../workers/spare-time';
import { createStartRate } from '../../workers/start-rate';
import { kindOfFailure } from '../../workers/temporal-calls';

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
  it('makes room while the machine has no time to spare, and comes back after', () => {
    let now = 0;
    const load: Load = { busy: 0, idle: 0 };
    const share = createYield(
      () => ({ ...load }),
      () => now,
    );
    const pass = (busy: number): number => {
      now += 500;
      load.busy += busy;
      load.idle += 100 - busy;
      return share();
    };
    expect(share()).toBe(1);
    expect(pass(95)).toBe(0.5);
    for (let turn = 0; turn < 10; turn += 1) pass(100);
    expect(share()).toBe(0.1);
    for (let turn = 0; turn < 10; turn += 1) pass(20);
    expect(share()).toBe(1);
  });

  it('is spaced evenly, by its share of the rate, and makes up for nothing', async () => {
    let now = 0;
    let share = 1;
    const rests: number[] = [];
    const rate = createStartRate(50, {
      now: () => now,
      share: () => share,
      rest: (ms) => Promise.resolve(rests.push(ms)),
    });
    expect(rate.inASecond()).toBe(50);
    await Promise.all([rate.turn(), rate.turn(), rate.turn()]);
    expect(rests).toEqual([20, 40]);

    share = 0.1;
    expect(rate.inASecond()).toBe(5);
    now += 60_000;
    await Promise.all([rate.turn(), rate.turn()]);
    expect(rests).toEqual([20, 40, 200]);
  });

  it('has no pace without a bound', async () => {
    const rate = createStartRate(0, { rest: () => Promise.reject(new Error('rested')) });
    await Promise.all([rate.turn(), rate.turn()]);
    expect(rate.inASecond()).toBeGreaterThan(1_000_000);
  });
});
