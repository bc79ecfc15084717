import { setTimeout as pause } from 'node:timers/promises';
import type { Deps } from '../../runtime/process/deps';
import type { Stoppable } from '../../runtime/process/process';
import { listenOn } from '../../runtime/connections/listener';
import { rowsAtOnce } from '../../entities/database/sql';
import { claimDue, type ClaimedDelivery } from '../../activities/webhooks/delivery/claim';
import { nameLateProbes } from '../../activities/webhooks/delivery/clock';
import { createLeaseKeeper, type LeaseKeeper } from '../../activities/webhooks/delivery/leases';
import { deliveriesChannel } from '../../activities/webhooks/fan-out';
import { attemptDelivery } from '../../activities/webhooks/delivery/send';
import { AttemptRecorder } from './attempt-recorder';
import { createInFlight, type InFlight } from './in-flight';
import { rememberOpened } from './opened-secrets';
import { createWaker } from '../relay/waker';

/** How often it looks for endpoints whose probe is late. */
const probesEveryMs = 2_000;

/**
 * Sends webhooks, first attempts and retries alike: claims a few deliveries of every endpoint that has
 * some due, posts them at the same time, and records the results together. Needs Postgres only.
 */
export function startWebhookDispatcher(
  deps: Deps,
  // How often it looks for work without a wake-up.
  { pollMs = 1_000 } = {},
): Stoppable {
  const waker = createWaker();
  const sender = createSender(deps, () => waker.wake());
  let stopping = false;

  async function run(): Promise<void> {
    while (!stopping) {
      // A claim costs about the same whatever it takes: what ends meanwhile makes room together.
      const rested = pause(10);
      const { claims, restMs } = await sender.claim();
      for (const delivery of claims) void sender.send(delivery);
      if (restMs > 0) await waker.sleep(Math.min(restMs, pollMs));
      await rested;
    }
  }

  const unlisten = listenOn({
    databaseUrl: deps.config.databaseDirectUrl,
    channel: deliveriesChannel,
    log: deps.log,
    onNotify: () => waker.wake(),
  });
  const watching = setInterval(() => void watchProbes(deps), probesEveryMs);
  const running = run();
  return {
    /** Begins no more, and waits for what is under way and its records, within the time for a stop. */
    async stop() {
      stopping = true;
      clearInterval(watching);
      waker.wake();
      await unlisten();
      await running;
      // An attempt that hangs longer is left to its lease, and sent again.
      await sender.drain(deps.config.shutdownTimeoutMs * 0.6);
    },
  };
}

interface Turn {
  claims: ClaimedDelivery[];
  /** The rest before the next claim, unless something wakes the dispatcher. */
  restMs: number;
}

/** Claims as much as there is room for, going round the endpoints. */
function createClaimer(
  { db, clock, config, log }: Deps,
  inFlight: InFlight,
  leases: LeaseKeeper,
): () => Promise<Turn> {
  const idle: Turn = { claims: [], restMs: Number.POSITIVE_INFINITY };
  let cursor: string | null = null;

  async function claim(): Promise<Turn> {
    const limit = Math.min(inFlight.free(), rowsAtOnce);
    if (limit <= 0) return idle;
    const { claims, behindEndpointId, lost } = await claimDue(db.manager, {
      now: clock.now(),
      held: leases.ids(),
      breakerFailures: config.webhooks.breakerFailures,
      afterEndpointId: cursor,
      roomOf: inFlight.roomOf(),
      room: inFlight.room(),
      limit,
    });
    cursor = behindEndpointId;
    // There is more behind, or what another process has just taken left others to come.
    return { claims, restMs: cursor !== null || lost > 0 ? 0 : idle.restMs };
  }

  return () =>
    claim().catch((error: unknown) => {
      log.warn({ err: error }, 'webhook deliveries could not be claimed');
      return idle;
    });
}

function createSender(deps: Deps, onEnd: () => void) {
  const inFlight = createInFlight();
  const leases = createLeaseKeeper(deps);
  const sending = { ...deps, vault: rememberOpened(deps.vault) };
  // The lease has run out by then, and the delivery is sent again.
  const recorder = new AttemptRecorder(deps, { giveUpMs: 30_000 });
  let isLeft = false;
  return {
    claim: createClaimer(deps, inFlight, leases),
    /** Sends one delivery, and records how it ended. */
    async send(delivery: ClaimedDelivery): Promise<void> {
      const leave = inFlight.enter(delivery.workspaceId);
      const letGo = leases.hold(delivery);
      try {
        const result = await attemptDelivery(sending, delivery);
        if (!isLeft) await recorder.record(result);
      } catch (error) {
        deps.log.error({ err: error, deliveryId: delivery.id }, 'a webhook attempt was lost');
      } finally {
        letGo();
        leave();
        onEnd();
      }
    },
    /** Waits for what is under way. What ends later counts no more. */
    async drain(ms: number): Promise<void> {
      await Promise.race([inFlight.empty(), pause(ms, undefined, { ref: false })]);
      isLeft = true;
    },
  };
}

async function watchProbes(deps: Deps): Promise<void> {
  await nameLateProbes(deps).catch((error: unknown) =>
    deps.log.warn({ err: error }, 'late probes could not be named'),
  );
}
