/** Attempts under way in this process. */
export type InFlight = ReturnType<typeof createInFlight>;

/** Each holds a socket and some memory. */
const maxInAll = 4_096;

/** The share of what is free that a workspace may have: all its endpoints at work have about enough. */
const share = 1 / 64;

/**
 * Bounds attempts in all and of each workspace. The fuller it is, the less each may have, so that there
 * is always room for one that has nothing under way, however many others' receivers hang. How many an
 * endpoint may have is up to the claim, which counts those of all processes.
 */
export function createInFlight() {
  const held = new Map<string, number>();
  let inAll = 0;
  let waiting: (() => void)[] = [];
  const room = (): number => Math.ceil((maxInAll - inAll) * share);

  function leave(workspaceId: string): void {
    inAll -= 1;
    const left = (held.get(workspaceId) ?? 1) - 1;
    if (left > 0) held.set(workspaceId, left);
    else held.delete(workspaceId);
    if (inAll > 0) return;
    waiting.forEach((resolve) => resolve());
    waiting = [];
  }

  return {
    /** How many more may begin in all. */
    free: () => maxInAll - inAll,
    /** How many more a workspace with none may begin now. */
    room,
    /** The same of each workspace that has some. */
    roomOf: () => new Map([...held].map(([id, count]) => [id, Math.max(room() - count, 0)])),
    /** One begins; the result ends it. */
    enter(workspaceId: string): () => void {
      inAll += 1;
      held.set(workspaceId, (held.get(workspaceId) ?? 0) + 1);
      return () => leave(workspaceId);
    },
    /** Resolves when nothing is under way. */
    empty: (): Promise<void> =>
      inAll === 0 ? Promise.resolve() : new Promise((done) => waiting.push(done)),
  };
}
