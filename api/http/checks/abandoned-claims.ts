import { setTimeout as pause } from 'node:timers/promises';

/** As many as a short outage leaves; what is over it waits until its claim is over by itself. */
const maxWaiting = 10_000;
const atOnce = 500;

interface Abandoned<Claim> {
  claim: Claim;
  until: number;
}

export interface AbandonedClaims<Claim> {
  /** Gives the claim up as soon as the database takes it, unless it is over by then. */
  add(claim: Claim): void;
  /** The one of this token that is still to be given up. */
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
  let isRunning = false;

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
    add(claim) {
      if (waiting.length >= maxWaiting) return;
      waiting.push({ claim, until: performance.now() + lastMs });
      if (isRunning) return;
      isRunning = true;
      void run();
    },
    find: (token) => waiting.find(({ claim }) => claim.token === token)?.claim,
  };
}
