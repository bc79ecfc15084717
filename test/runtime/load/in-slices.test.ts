import { setImmediate as nextTurn } from 'node:timers/promises';
import { inSlices } from '../../../runtime/load/in-slices';

function* busy(ms: number): Generator<void, string> {
  for (const end = performance.now() + ms; performance.now() < end;) yield;
  return 'done';
}

it('lets everything else have its turn', async () => {
  let turns = 0;
  let isOver = false;
  const others = async (): Promise<void> => {
    for (; !isOver; turns += 1) await nextTurn();
  };
  const rest = others();
  expect(await inSlices(busy(100))).toBe('done');
  isOver = true;
  await rest;
  expect(turns).toBeGreaterThan(1);
});

it('fails as its work does', async () => {
  const failing = (function* () {
    yield;
    throw new Error('no');
  })();
  await expect(inSlices(failing)).rejects.toThrow('no');
});
