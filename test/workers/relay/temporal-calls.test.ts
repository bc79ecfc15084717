import type { Client } from '@temporalio/client';
import type { Work } from '../../../activities/journal/outbox-claims';
import type { Deps } from '../../../runtime/process/deps';
import { callForEach, type ParallelCalls } from '../../../workers/relay/temporal-calls';

/** An error as grpc-js throws it, inside of what the client makes of it. */
function grpcError(code: number): Error {
  const cause = Object.assign(new Error('refused'), { code, details: 'refused', metadata: {} });
  return new Error('Failed to start', { cause });
}

const deps = {
  temporal: { within: (_ms: number, call: (client: Client) => unknown) => call({} as Client) },
  log: { warn: () => undefined },
} as unknown as Deps;

const workOf = (count: number): Work[] =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    ref: `${index + 1}`,
    payload: {},
    workspaceId: '',
    attempts: 1,
    deferrals: 0,
    waitedSeconds: 0,
    requestId: null,
  }));

interface Seen {
  called: number[];
  done: number[];
  refused: Map<number, unknown>;
  defer: number[];
  away: number;
}

/** Calls for so many rows, some of which end with a gRPC code. */
async function callAll(
  count: number,
  codes: Record<number, number>,
  options: Partial<ParallelCalls> = {},
): Promise<Seen> {
  const seen: Seen = { called: [], done: [], refused: new Map(), defer: [], away: 0 };
  seen.done = await callForEach(deps, workOf(count), {
    report: {
      refused: (id, error) => seen.refused.set(id, error),
      defer: (id) => seen.defer.push(id),
      away: () => {
        seen.away += 1;
      },
    },
    call: (_client, { id }) => {
      seen.called.push(id);
      const code = codes[id];
      return code === undefined ? Promise.resolve() : Promise.reject(grpcError(code));
    },
    ...options,
  });
  return seen;
}

/** All ids up to this one but those. */
const others = (count: number, left: readonly number[]): number[] =>
  workOf(count)
    .map(({ id }) => id)
    .filter((id) => !left.includes(id));

const invalid = 3;
const late = 4;
const denied = 7;

describe('rows that Temporal does not take', () => {
  it('stop no lane and none of the others, when each is refused for itself', async () => {
    const bad = [1, 2, 3, 4, 5, 10, 20];
    const codes = Object.fromEntries(bad.map((id) => [id, invalid]));
    const seen = await callAll(30, codes, { parallel: 2 });
    expect([...seen.refused]).toEqual(bad.map((id) => [id, 'GRPC_3']));
    expect(seen).toMatchObject({ defer: [], away: 0, done: others(30, bad) });
  });

  it('stop the rest after three in a row that pass, and these are only put off', async () => {
    const seen = await callAll(30, { 3: late, 4: late, 5: late }, { parallel: 1 });
    expect(seen).toMatchObject({ done: [1, 2], defer: [3, 4, 5], away: 1 });
    expect(seen.called).toEqual([1, 2, 3, 4, 5]);
    expect(seen.refused.size).toBe(0);
  });

  it('stop nothing when one that passes, or one refused for itself, is between good ones', async () => {
    const seen = await callAll(9, { 1: late, 2: late, 4: late, 5: late, 6: invalid, 8: late });
    expect(seen).toMatchObject({ away: 0, done: [3, 7, 9], defer: [1, 2, 4, 5, 8] });
    expect([...seen.refused.keys()]).toEqual([6]);
  });

  it('stop the rest at once when no call of this process can succeed', async () => {
    const seen = await callAll(9, { 2: denied }, { parallel: 1 });
    expect(seen).toMatchObject({ called: [1, 2], done: [1], defer: [2], away: 1 });
  });
});

it.each([
  [undefined, 32],
  [4, 4],
])('no more calls are under way than there are lanes: %s', async (parallel, most) => {
  let underWay = 0;
  let seenAtMost = 0;
  const call = async (): Promise<void> => {
    underWay += 1;
    seenAtMost = Math.max(seenAtMost, underWay);
    await new Promise(setImmediate);
    underWay -= 1;
  };
  const { done } = await callAll(100, {}, { call, ...(parallel ? { parallel } : {}) });
  expect(done).toHaveLength(100);
  expect(seenAtMost).toBe(most);
});

it('each call waits for its turn, and none begins once the rest is left', async () => {
  const turns: number[] = [];
  const seen = await callAll(
    20,
    { 1: denied },
    {
      parallel: 1,
      turn: ({ id }) => {
        turns.push(id);
        return Promise.resolve();
      },
    },
  );
  expect(turns).toEqual([1]);
  expect(seen.called).toEqual([1]);
});
