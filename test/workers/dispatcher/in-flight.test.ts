import { createInFlight, type InFlight } from '../../../workers/dispatcher/in-flight';

/** Takes all that a workspace with nothing under way may have; gives it back by the result. */
function fill(inFlight: InFlight, workspaceId: string): (() => void)[] {
  const taken: (() => void)[] = [];
  while (inFlight.room() > taken.length) taken.push(inFlight.enter(workspaceId));
  return taken;
}

it('lets a workspace have all its endpoints at work, and no more than a share', () => {
  const { length: taken } = fill(createInFlight(), 'one');
  expect(taken).toBeGreaterThanOrEqual(60);
  expect(taken).toBeLessThanOrEqual(80);
});

it('leaves room for one that has nothing under way, however many others take what they may', () => {
  const inFlight = createInFlight();
  const held = new Map<number, (() => void)[]>();
  for (let round = 0; round < 4; round += 1) {
    for (let count = 0; count < 200; count += 1) {
      held.get(count)?.forEach((leave) => leave());
      held.set(count, fill(inFlight, `workspace ${count}`));
    }
  }
  expect(fill(inFlight, 'another').length).toBeGreaterThanOrEqual(8);
});

it('gives back what has ended, and says when nothing is left', async () => {
  const inFlight = createInFlight();
  const free = inFlight.free();
  const leave = [inFlight.enter('one'), inFlight.enter('one'), inFlight.enter('two')];
  expect([inFlight.free(), [...inFlight.roomOf().keys()]]).toEqual([free - 3, ['one', 'two']]);
  let isEmpty = false;
  const empty = inFlight.empty().then(() => (isEmpty = true));
  leave.slice(1).forEach((end) => end());
  expect([isEmpty, [...inFlight.roomOf().keys()]]).toEqual([false, ['one']]);
  leave[0]?.();
  await empty;
  expect([inFlight.free(), inFlight.roomOf().size]).toEqual([free, 0]);
});
