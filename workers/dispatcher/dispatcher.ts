import { systemCause } from '../../activities/journal/cause';
import type { Deps } from '../../runtime/process/deps';
import { listenOn } from '../../runtime/connections/listener';
import {
  claimPending,
  type ClaimedDelivery,
  type PendingClaims,
} from '../../activities/webhooks/delivery/claim';
import { leasesOf, type LeaseKeeper } from '../../activities/webhooks/delivery/leases';
import { deliveriesChannel } from '../../activities/webhooks/fan-out';
import { handOverProbes } from '../../activities/webhooks/repair';
import { attemptDelivery } from '../../activities/webhooks/delivery/send';
import { createAttemptRecorder } from './attempt-recorder';
import { createClaimPace, type ClaimPace } from './claim-pace';
import { createWaker } from '../relay/waker';

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
  const claim = createClaimer(deps, leases);
  const pace = createClaimPace(() => waker.wake());
  const send = createSender(deps, pace, leases);
  let stopping = false;

  async function run(): Promise<void> {
    while (!stopping) {
      pace.claims();
      const { claims, restMs } = await claim().catch((error: unknown) => {
        deps.log.warn({ err: error }, 'webhook deliveries could not be claimed');
        return idle;
      });
      for (const delivery of claims) void send(delivery);
      pace.claimed();
      // With nothing claimed and nothing finished there is nothing to do until a wake-up.
      if (restMs !== 0) await waker.sleep(Math.min(restMs, pollMs));
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

interface Turn {
  claims: ClaimedDelivery[];
  /** Before the next claim, unless something wakes the dispatcher. */
  restMs: number;
}

const idle: Turn = { claims: [], restMs: Number.POSITIVE_INFINITY };

/** Claims as much as there is room for, going round the endpoints. */
function createClaimer(deps: Deps, leases: LeaseKeeper): () => Promise<Turn> {
  const { places } = deps.webhooks;
  const rest = createRest();
  let cursor: string | null = null;
  return async () => {
    const limit = places.free();
    if (limit <= 0) return idle;

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
    cursor = claimed.behindEndpointId;
    return { claims: claimed.claims, restMs: rest({ ...claimed, began }) };
  };
}

/** After losses in a row the rest grows: those that meet in the same moment should not meet again. */
const lossRestMs = 10;
const mostLosses = 6;

/** How long to rest after each claim. */
function createRest(): (claim: PendingClaims & { began: string | null }) => number {
  let round = { taken: 0, lost: 0 };
  let losses = 0;
  return ({ began, behindEndpointId, claims, lost }) => {
    if (began === null) round = { taken: 0, lost: 0 };
    round.taken += claims.length;
    round.lost += lost;
    // The rest of the endpoints come right after.
    if (behindEndpointId !== null) return 0;
    // Then those before where this began, unless nothing could be taken all the way round.
    if (began !== null && round.taken > 0) return 0;
    losses = round.lost > 0 ? Math.min(losses + 1, mostLosses) : 0;
    return losses > 0 ? Math.random() * lossRestMs * 2 ** losses : Number.POSITIVE_INFINITY;
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
