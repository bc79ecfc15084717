import { retryFor, retry, waits } from '../../../runtime/load/retry';

const always = (): boolean => true;

function failing(times: number) {
  const made: number[] = [];
  const work = async (attempt: number): Promise<string> => {
    made.push(attempt);
    if (made.length <= times) throw new Error(`failure ${made.length}`);
    return 'done';
  };
  return { made, work };
}

describe('retry', () => {
  it('does the work until it succeeds', async () => {
    const { made, work } = failing(2);
    expect(await retry({ waitsMs: [0, 0, 0], isWorthIt: always }, work)).toBe('done');
    expect(made).toEqual([1, 2, 3]);
  });

  it('throws the last error once the waits are over: one attempt more than waits', async () => {
    const { made, work } = failing(9);
    await expect(retry({ waitsMs: waits(0, 2), isWorthIt: always }, work)).rejects.toThrow(
      'failure 3',
    );
    expect(made).toHaveLength(3);
  });

  it('throws at once what no retry mends', async () => {
    const { made, work } = failing(9);
    await expect(retry({ waitsMs: waits(0), isWorthIt: () => false }, work)).rejects.toThrow();
    expect(made).toHaveLength(1);
  });

  it('reports each failure that another attempt follows, the last one not', async () => {
    const heard: string[] = [];
    const policy = {
      waitsMs: waits(0, 2),
      isWorthIt: always,
      onRetry: (error: unknown, attempt: number) => heard.push(`${attempt}: ${String(error)}`),
    };
    await expect(retry(policy, failing(9).work)).rejects.toThrow('failure 3');
    expect(heard).toEqual(['1: Error: failure 1', '2: Error: failure 2']);
  });

  it('may be used again: a policy counts nothing', async () => {
    const policy = { waitsMs: waits(0, 1), isWorthIt: always };
    for (let use = 0; use < 2; use += 1) expect(await retry(policy, failing(1).work)).toBe('done');
  });

  it('ends a long wait when it is told to stop', async () => {
    const stop = new AbortController();
    const policy = { waitsMs: waits(60_000), isWorthIt: always, signal: stop.signal };
    const { made, work } = failing(9);
    const ended = retry({ ...policy, onRetry: () => setImmediate(() => stop.abort()) }, work);
    await expect(ended).rejects.toThrow('failure 1');
    expect(made).toHaveLength(1);
  });
});

describe('retryFor', () => {
  it('tries again until it succeeds', async () => {
    const { made, work } = failing(2);
    expect(await retryFor({ forMs: 60_000 }, () => work(0))).toBe('done');
    expect(made).toHaveLength(3);
  });

  it('throws the last error once its time is over', async () => {
    const { made, work } = failing(99);
    await expect(retryFor({ forMs: 30 }, () => work(0))).rejects.toThrow(`failure`);
    // 20 ms and 50 ms after the first.
    expect(made.length).toBeLessThanOrEqual(3);
  });

  it('throws at once what no retry mends', async () => {
    const { made, work } = failing(9);
    await expect(
      retryFor({ forMs: 60_000, isWorthIt: () => false }, () => work(0)),
    ).rejects.toThrow();
    expect(made).toHaveLength(1);
  });
});
