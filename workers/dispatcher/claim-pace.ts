/** When a dispatcher that has something under way claims again. */
export interface ClaimPace {
  /** A claim begins: what ends from here on makes room for the next one. */
  claims(): void;
  /** What was claimed is under way. */
  claimed(): void;
  began(): void;
  ended(): void;
}

/** What has ended waits no longer for the others of its claim. */
const patienceMs = 15;

/**
 * A claim costs the database about the same whatever it takes: one waits until half of what was under
 * way has ended, or for a moment. New deliveries wake the dispatcher by themselves.
 */
export function createClaimPace(wake: () => void): ClaimPace {
  let underWay = 0;
  let ended = 0;
  let enough = Number.POSITIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  function wakeIfEnough(): void {
    if (ended === 0) return;
    if (ended >= enough) wake();
    else timer ??= setTimeout(wake, patienceMs);
  }

  return {
    claims() {
      clearTimeout(timer);
      timer = undefined;
      ended = 0;
      enough = Number.POSITIVE_INFINITY;
    },
    claimed() {
      enough = underWay / 2;
      wakeIfEnough();
    },
    began() {
      underWay += 1;
    },
    ended() {
      underWay -= 1;
      ended += 1;
      wakeIfEnough();
    },
  };
}
