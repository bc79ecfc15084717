/** Counts what is under way for each endpoint in this process, so that no one gets more than its share. */
export interface Lanes {
  /** How many more may begin for this key. */
  room(key: string): number;
  enter(key: string): void;
  leave(key: string): void;
  /** Keys with something under way and the room that each has left. */
  busy(): Map<string, number>;
}

export function createLanes(limit: number): Lanes {
  const counts = new Map<string, number>();
  const room = (key: string): number => limit - (counts.get(key) ?? 0);

  return {
    room,
    enter(key) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },
    leave(key) {
      const left = (counts.get(key) ?? 0) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    },
    busy: () => new Map([...counts.keys()].map((key) => [key, room(key)])),
  };
}
