import { setTimeout as pause } from 'node:timers/promises';

/** The number of claims that a short outage leaves at most; any beyond it wait until they run out by themselves. */
const maxWaiting = 10_000;
const atOnce = 500;

interface Abandoned<Claim> {
  claim: Claim;
  until: number;
}

export interface AbandonedClaims<Claim> {
  /** Gives the claim up as soon as the database takes it, unless it is over by then. */
  add(claim: Claim): void;
  /** A server that stood still may write it down once it goes on, after it was given up. */
  remember(claim: Claim): void;
  /** The one of this token, for as long as it lasts. */
  find(token: string): Claim | undefined;
}

/**
 * Keys of requests that an outage ended: whoever sends them again when it is over finds them free.
 * One loop for all of them, as long as there are some.
 */
export function createAbandonedClaims<Claim extends { token: string }>(
  drop: (claims: Claim[]) => Promise<unknown>,
  { lastMs, everyMs = 250 }: { lastMs: number; everyMs?: number },
): AbandonedClaims<Claim> {
  let waiting: Abandoned<Claim>[] = [];
  const remembered = new Map<string, Abandoned<Claim>>();
  let isRunning = false;

  function remember(claim: Claim): void {
    const now = performance.now();
    // The map is in the order of insertion, so the oldest claims come first.
    for (const [token, { until }] of remembered) {
      if (until > now && remembered.size < maxWaiting) break;
      remembered.delete(token);
    }
    remembered.set(claim.token, { claim, until: now + lastMs });
  }

  async function run(): Promise<void> {
    for (;;) {
      await pause(everyMs, undefined, { ref: false });
      waiting = waiting.filter(({ until }) => until > performance.now());
      if (waiting.length === 0) break;
      const batch = waiting.slice(0, atOnce);
      const isDropped = await drop(batch.map(({ claim }) => claim)).then(
        () => true,
        () => false,
      );
      if (isDropped) waiting = waiting.slice(batch.length);
    }
    isRunning = false;
  }

  return {
    remember,
    add(claim) {
      remember(claim);
      if (waiting.length >= maxWaiting) return;
      waiting.push({ claim, until: performance.now() + lastMs });
      if (isRunning) return;
      isRunning = true;
      void run();
    },
    find(token) {
      const found = remembered.get(token);
      return found && found.until > performance.now() ? found.claim : undefined;
    },
  };
}
