import { systemCause } from '../activities/journal/cause';
import type { Deps } from '../activities/runtime/process/deps';
import { listenOn } from '../activities/runtime/connections/listener';
import {
  claimPending,
  type ClaimedDelivery,
  type PendingClaims,
} from '../activities/webhooks/delivery/claim';
import { leasesOf, type LeaseKeeper } from '../activities/webhooks/delivery/leases';
import { deliveriesChannel } from '../activities/webhooks/fan-out';
import { handOverProbes } from '../activities/webhooks/repair';
import { attemptDelivery } from '../activities/webhooks/delivery/send';
import { createAttemptRecorder } from './attempt-recorder';
import { createClaimPace, type ClaimPace } from './claim-pace';
import { createWaker, type Waker } from './waker';

export interface DispatcherOptions {
  /** Looks for work this often without a wake-up. */
  pollMs?: number;
}

export interface Dispatcher {
  /** Begins no more, and waits for what is under way and its records, within the time for a stop. */
  stop(): Promise<void>;
}

/** Of the time for a stop: what hangs longer is left to its lease. */
const drainShare = 0.6;

/** A result that could not be written within this time counts no more; the delivery is sent again. */
const giveUpMs = 30_000;

/** How often it looks for endpoints that are only probed and have no probe. */
const handOverMs = 5_000;

/**
 * Sends first attempts: claims a few deliveries of every endpoint that has some, posts them at the
 * same time, and writes down the results together. What hangs keeps its own few places and those of
 * no other endpoint. Needs Postgres only; retries are the workflow's.
 */
export function startWebhookDispatcher(
  deps: Deps,
  { pollMs = 1_000 }: DispatcherOptions = {},
): Dispatcher {
  const waker = createWaker();
  const leases = leasesOf(deps);
  const claim = createClaimer(deps, waker, leases);
  const pace = createClaimPace(() => waker.wake());
  const send = createSender(deps, pace, leases);
  let stopping = false;

  async function run(): Promise<void> {
    while (!stopping) {
      pace.claims();
      const claims = await claim().catch((error: unknown) => {
        deps.log.warn({ err: error }, 'webhook deliveries could not be claimed');
        return [];
      });
      for (const delivery of claims) void send(delivery);
      pace.claimed();
      // With nothing claimed and nothing finished there is nothing to do until a wake-up.
      await waker.sleep(pollMs);
    }
  }

  const unlisten = listenOn({
    databaseUrl: deps.config.databaseDirectUrl,
    channel: deliveriesChannel,
    log: deps.log,
    onNotify: () => waker.wake(),
  });
  const handingOver = setInterval(() => void handOver(deps), handOverMs);
  const running = run();
  return {
    async stop() {
      stopping = true;
      clearInterval(handingOver);
      waker.wake();
      await unlisten();
      await running;
      await deps.webhooks.drain(deps.config.shutdownTimeoutMs * drainShare);
    },
  };
}

/** Claims as much as there is room for, going round the endpoints. */
function createClaimer(
  deps: Deps,
  waker: Waker,
  leases: LeaseKeeper,
): () => Promise<ClaimedDelivery[]> {
  const { places } = deps.webhooks;
  let cursor: string | null = null;
  return async () => {
    const limit = places.free();
    if (limit <= 0) return [];

    const claimed = await claimPending(deps.db.manager, {
      now: deps.clock.now(),
      breakerFailures: deps.config.webhooks.breakerFailures,
      afterEndpointId: cursor,
      busy: places.busy(),
      perEndpoint: places.perEndpoint,
      perWorkspace: places.perWorkspace,
      limit,
      held: leases.ids(),
    });
    const began = cursor;
    cursor = nextCursor(claimed);
    // The rest of the endpoints, or those before where this began, come right after.
    if (cursor !== null || began !== null) waker.wake();
    return claimed.claims;
  };
}

/** Sends one delivery, in a place of its own, and writes down how it ended. */
function createSender(
  deps: Deps,
  pace: ClaimPace,
  leases: LeaseKeeper,
): (delivery: ClaimedDelivery) => Promise<void> {
  const recorder = createAttemptRecorder(deps, { giveUpMs });
  return async (delivery) => {
    pace.began();
    const leave = deps.webhooks.places.enter(delivery);
    const letGo = leases.hold(delivery);
    try {
      const result = await attemptDelivery(deps, delivery);
      if (!deps.webhooks.isLeft()) await recorder.record(result);
    } catch (error) {
      deps.log.error({ err: error, deliveryId: delivery.id }, 'a webhook attempt was lost');
    } finally {
      letGo();
      leave();
      pace.ended();
    }
  };
}

async function handOver({ db, clock, config, log }: Deps): Promise<void> {
  const { breakerFailures } = config.webhooks;
  await handOverProbes(db.manager, systemCause(clock.now()), { breakerFailures }).catch(
    (error: unknown) => log.warn({ err: error }, 'probes could not be handed over'),
  );
}

/** The last endpoint of a full claim; null when it went over all endpoints. */
function nextCursor({ claims, isFull }: PendingClaims): string | null {
  if (!isFull) return null;
  return claims.reduce<string | null>(
    (last, { endpointId }) => (last && last > endpointId ? last : endpointId),
    null,
  );
}
