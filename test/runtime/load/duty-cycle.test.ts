import { createDutyCycle, runAndRest } from '../../../runtime/load/duty-cycle';
import { createFairPlaces } from '../../../runtime/load/fair-places';

/** Half a second passes in which the machine had this share of its time to spare. */
function watchOver({ most, longestMs = 1_000 }: { most: number; longestMs?: number }) {
  const load = { busy: 0, idle: 0 };
  const clock = { now: 0 };
  const duty = createDutyCycle({
    most,
    longestMs,
    read: () => [{ ...load }],
    now: () => clock.now,
  });
  const pass = (idle: number, ms = 500): number => {
    clock.now += ms;
    load.idle += idle * ms;
    load.busy += (1 - idle) * ms;
    return duty.restAfter(10);
  };
  return { duty, pass };
}

describe('work that can wait', () => {
  it('begins with long rests, and has shorter ones while the machine has time to spare', () => {
    const { duty, pass } = watchOver({ most: 8 });
    expect(duty.restAfter(10)).toBe(80);
    expect([0.9, 0.9, 0.9, 0.9, 0.9].map((idle) => pass(idle))).toEqual([40, 20, 10, 5, 0]);
    expect(pass(0.9)).toBe(0);
  });

  it('rests longer while others need the machine, up to a bound', () => {
    const { pass } = watchOver({ most: 4 });
    for (let turn = 0; turn < 5; turn += 1) pass(0.9);
    expect([0.5, 0.2, 0.2, 0.2, 0.2].map((idle) => pass(idle))).toEqual([0, 10, 20, 40, 40]);
    expect(pass(0.5)).toBe(40);
  });

  it('begins again when there was none for a while', () => {
    const { pass } = watchOver({ most: 8 });
    for (let turn = 0; turn < 6; turn += 1) pass(0.9);
    expect(pass(0.9, 6_000)).toBe(80);
  });

  it('has a longest rest, however long the work took', () => {
    const { duty } = watchOver({ most: 8, longestMs: 40 });
    expect(duty.restAfter(5_000)).toBe(40);
  });
});

describe('a place', () => {
  const options = { places: 1, perOwner: 1, waitingPerOwner: 5, waitingInAll: 5 };
  const restMs = 60;
  const bounds = () => ({
    places: createFairPlaces({ ...options, patienceMs: 10_000 }),
    duty: { restAfter: () => restMs },
  });

  it.each([
    ['ends well', () => Promise.resolve()],
    ['fails', () => Promise.reject(new Error('refused'))],
  ])('rests after work that %s, whose answer does not wait for that', async (_how, work) => {
    const shared = bounds();
    const first = await runAndRest(shared, 'one', work).catch(() => undefined);
    const ended = performance.now();
    expect(first).toBeUndefined();
    expect(() => shared.places.assertRoom('one')).not.toThrow();
    await runAndRest(shared, 'another', () => Promise.resolve());
    // A timer may fire up to a millisecond early.
    expect(performance.now() - ended).toBeGreaterThanOrEqual(restMs - 2);
  });
});
