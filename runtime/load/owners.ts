/** Whose items wait, and who is served next. */
export interface Owners<I> {
  roundRobin<E extends { item: I }>(entries: E[], size: number): E[];
  /** False when the item's owner has enough in the queue. */
  enter(item: I): boolean;
  left(entries: readonly { item: I }[]): void;
}

/** No owner has more than `max` in the queue. */
export function createOwners<I>(ownerOf: (item: I) => string, max: number): Owners<I> {
  const counts = new Map<string, number>();
  return {
    roundRobin: (entries, size) => roundRobin(entries, ownerOf, size),
    enter(item) {
      const owner = ownerOf(item);
      const count = counts.get(owner) ?? 0;
      if (count >= max) return false;
      counts.set(owner, count + 1);
      return true;
    },
    left(entries) {
      for (const { item } of entries) {
        const owner = ownerOf(item);
        const count = counts.get(owner) ?? 0;
        if (count > 1) counts.set(owner, count - 1);
        else counts.delete(owner);
      }
    },
  };
}

/** The next `max` are chosen owner by owner, one of each a round; all others keep their order. */
function roundRobin<I, E extends { item: I }>(
  entries: E[],
  ownerOf: (item: I) => string,
  max: number,
): E[] {
  const queues = new Map<string, E[]>();
  for (const entry of entries) {
    const owner = ownerOf(entry.item);
    const queue = queues.get(owner);
    if (queue) queue.push(entry);
    else queues.set(owner, [entry]);
  }
  if (queues.size === 1) return entries;
  const chosen = new Set<E>();
  for (let round = 0; chosen.size < max; round += 1) {
    for (const queue of queues.values()) {
      const entry = queue[round];
      if (entry && chosen.size < max) chosen.add(entry);
    }
  }
  return [...chosen, ...entries.filter((entry) => !chosen.has(entry))];
}
