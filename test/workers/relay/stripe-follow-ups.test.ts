import type { Work } from '../../../activities/journal/outbox-claims';
import { newId } from '../../../entities/ids';
import { followUpHandler } from '../../../workers/relay/stripe-follow-ups';
import { openTestDeps, type TestDeps } from '../../support/app';

let deps: TestDeps;
beforeAll(async () => {
  deps = await openTestDeps();
});
afterAll(() => deps.close());

/** Of payments that are gone: nothing is left to do. */
const workOf = (count: number): Work[] =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    ref: newId(),
    payload: {},
    workspaceId: newId(),
    attempts: 1,
  }));

const report = { putOff: jest.fn(), refused: jest.fn(), away: jest.fn() };

/** Carries so many on; gives what is done, the rests and the milliseconds that it took. */
async function followUp(count: number) {
  const restAfter = jest.fn<number, [number]>(() => 50);
  const began = performance.now();
  const done = await followUpHandler(deps, { restAfter }).handle(workOf(count), report);
  return { done, rests: restAfter.mock.calls.length, ms: performance.now() - began };
}

describe('payments that are looked at again', () => {
  it('have rests between them', async () => {
    const { done, rests, ms } = await followUp(5);
    expect(done.toSorted()).toEqual([1, 2, 3, 4, 5]);
    expect(rests).toBeGreaterThan(0);
    expect(ms).toBeGreaterThanOrEqual(49);
  });

  it('have none after the last', async () => {
    expect(await followUp(1)).toMatchObject({ done: [1], rests: 0 });
  });

  it('have none once the process is to stop', async () => {
    deps.lifecycle.stopping = true;
    const { done, rests } = await followUp(5);
    deps.lifecycle.stopping = false;
    expect(done).toHaveLength(5);
    expect(rests).toBe(0);
  });
});
