import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { createSpareTurns } from '../../../runtime/load/spare-turns';

it('serves one slice a turn of the event loop, in the order of asking', async () => {
  const nextTurn = createSpareTurns();
  const served: number[] = [];
  const all = Array.from({ length: 20 }, (_, index) => nextTurn().then(() => served.push(index)));
  for (let before = 0; served.length < all.length; before = served.length) {
    await turnOfLoop();
    expect(served.length - before).toBeLessThanOrEqual(1);
  }
  expect(served).toEqual(Array.from(all.keys()));
});

it('lets whoever asks again wait behind the others', async () => {
  const nextTurn = createSpareTurns();
  const served: string[] = [];
  const work = async (name: string): Promise<void> => {
    for (let slice = 0; slice < 3; slice += 1) {
      await nextTurn();
      served.push(name);
    }
  };
  await Promise.all(['a', 'b', 'c'].map(work));
  expect(served.join('')).toBe('abcabcabc');
});

const timesOf = async (slices: number, restMs: number, work: () => void): Promise<number[]> => {
  const nextTurn = createSpareTurns((tookMs) => (tookMs > restMs ? restMs : 0));
  const begun: number[] = [];
  const slice = async (): Promise<void> => {
    await nextTurn();
    begun.push(performance.now());
    work();
  };
  await Promise.all(Array.from({ length: slices }, slice));
  return begun;
};

/** As if others were served. */
const keepBusy = (ms: number) => (): void => {
  for (const end = performance.now() + ms; performance.now() < end;);
};

it('rests after each slice while others have work', async () => {
  const restMs = 20;
  const begun = await timesOf(4, restMs, keepBusy(restMs + 5));
  const gaps = begun.slice(1).map((at, index) => at - (begun[index] ?? 0));
  // A timer may fire up to a millisecond early.
  for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(2 * restMs);
});

it('goes on without a rest while others have none', async () => {
  const begun = await timesOf(200, 50, () => undefined);
  expect((begun.at(-1) ?? Infinity) - (begun[0] ?? 0)).toBeLessThan(200 * 25);
});
