import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { createSpareTurns } from '../../activities/runtime/batching/spare-turns';

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

it('begins no slice sooner after the one before than it is to, after the last one either', async () => {
  const everyMs = 20;
  const nextTurn = createSpareTurns({ everyMs });
  const begun: number[] = [];
  const slice = () => nextTurn().then(() => begun.push(performance.now()));
  await Promise.all([slice(), slice(), slice()]);
  await slice();
  const gaps = begun.slice(1).map((at, index) => at - (begun[index] ?? 0));
  // A timer may fire up to a millisecond early.
  for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(everyMs - 1.5);
});
