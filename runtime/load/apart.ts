/** Owners that have just met a lock, and may meet it again. */
export interface Apart {
  has(owner: string): boolean;
  add(owner: string): void;
}

const most = 10_000;

/** An owner that is added stays apart for `forMs`. */
export function createApart(forMs: number, now = (): number => performance.now()): Apart {
  const until = new Map<string, number>();

  /** Those whose time is over go first; more than this at once are no exception any more. */
  function makeRoom(): void {
    for (const [owner, end] of until) if (end <= now()) until.delete(owner);
    if (until.size >= most) until.clear();
  }

  return {
    has: (owner) => (until.get(owner) ?? 0) > now(),
    add(owner) {
      if (until.size >= most) makeRoom();
      until.set(owner, now() + forMs);
    },
  };
}
