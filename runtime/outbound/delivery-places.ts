import { performance } from 'node:perf_hooks';

/** Whose receiver an attempt goes to. */
export interface Recipient {
  endpointId: string;
  workspaceId: string;
}

export interface PlaceBounds {
  /** Attempts under way at the same time to one endpoint. */
  perEndpoint: number;
  /** Young attempts of one workspace, and of all. */
  youngPerWorkspace: number;
  youngInAll: number;
  /** From this many hanging attempts of a workspace on, those of its endpoints that hang get no more. */
  hangingPerWorkspace: number;
  /** No more at the same time, hanging ones included: each holds a socket and some memory. */
  inAll: number;
  /** From this age on an attempt hangs: it waits for a slow receiver. */
  youngMs: number;
}

/** What is under way in this process, by endpoint, workspace and age. */
export interface DeliveryPlaces {
  readonly perEndpoint: number;
  readonly perWorkspace: number;
  /** How many more may begin for this recipient. */
  room(recipient: Recipient): number;
  /** How many more may begin in all. */
  free(): number;
  /** Takes a place; the result gives it back. */
  enter(recipient: Recipient): () => void;
  /** Those with something under way, and the room that each has left by itself. */
  busy(): { endpoints: Map<string, number>; workspaces: Map<string, number> };
  /** Resolves when nothing is under way. */
  empty(): Promise<void>;
}

interface Attempt extends Recipient {
  since: number;
}

interface AgeCounts {
  young: number;
  hanging: number;
}

/**
 * Counts attempts, so that none gets more than its share: an endpoint that hangs keeps its own few
 * places, and a workspace whose endpoints hang leaves those of the others free.
 */
export function createDeliveryPlaces(
  bounds: PlaceBounds,
  clock: () => number = () => performance.now(),
): DeliveryPlaces {
  const underWay = new Set<Attempt>();
  let waiting: (() => void)[] = [];

  const count = (): Counts => countAll(underWay, clock() - bounds.youngMs);
  const roomOf = createRoom(bounds);

  return {
    perEndpoint: bounds.perEndpoint,
    perWorkspace: bounds.youngPerWorkspace,
    room(recipient) {
      const counts = count();
      const room = Math.min(
        roomOf.endpoint(counts, recipient),
        roomOf.workspace(counts, recipient.workspaceId),
        underWay.size >= bounds.inAll ? 0 : bounds.perEndpoint,
      );
      return Math.max(room, 0);
    },
    free: () =>
      underWay.size >= bounds.inAll ? 0 : Math.max(bounds.youngInAll - count().all.young, 0),
    enter(recipient) {
      const attempt = { ...recipient, since: clock() };
      underWay.add(attempt);
      return () => {
        underWay.delete(attempt);
        if (underWay.size > 0) return;
        waiting.forEach((resolve) => resolve());
        waiting = [];
      };
    },
    busy() {
      const counts = count();
      const endpoints = new Map<string, number>();
      for (const attempt of underWay) {
        endpoints.set(attempt.endpointId, Math.max(roomOf.endpoint(counts, attempt), 0));
      }
      const ids = [...counts.workspaces.keys()];
      const rooms = ids.map((id) => [id, Math.max(roomOf.workspace(counts, id), 0)] as const);
      return { endpoints, workspaces: new Map(rooms) };
    },
    empty: () =>
      underWay.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve)),
  };
}

interface Counts {
  endpoints: Map<string, AgeCounts>;
  workspaces: Map<string, AgeCounts>;
  all: AgeCounts;
}

function countAll(underWay: Iterable<Attempt>, youngSince: number): Counts {
  const counts: Counts = {
    endpoints: new Map(),
    workspaces: new Map(),
    all: { young: 0, hanging: 0 },
  };
  for (const { endpointId, workspaceId, since } of underWay) {
    const age = since > youngSince ? 'young' : 'hanging';
    counts.all[age] += 1;
    countsOf(counts.endpoints, endpointId)[age] += 1;
    countsOf(counts.workspaces, workspaceId)[age] += 1;
  }
  return counts;
}

function countsOf(byKey: Map<string, AgeCounts>, key: string): AgeCounts {
  const known = byKey.get(key);
  if (known) return known;
  const added = { young: 0, hanging: 0 };
  byKey.set(key, added);
  return added;
}

function createRoom(bounds: PlaceBounds) {
  return {
    endpoint({ endpoints, workspaces, all }: Counts, { endpointId, workspaceId }: Recipient) {
      const own = endpoints.get(endpointId);
      if (!own) return bounds.perEndpoint;
      // With half of all places hanging, whoever hangs gets no more: the rest is for the others.
      const share = all.hanging >= bounds.inAll / 2 ? 1 : bounds.hangingPerWorkspace;
      const hanging = workspaces.get(workspaceId)?.hanging ?? 0;
      if (own.hanging > 0 && hanging >= share) return 0;
      return bounds.perEndpoint - own.young - own.hanging;
    },
    workspace({ workspaces }: Counts, workspaceId: string) {
      return bounds.youngPerWorkspace - (workspaces.get(workspaceId)?.young ?? 0);
    },
  };
}
