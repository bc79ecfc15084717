import { sliceMs } from '../../entities/database/sql';
import { minuteMs } from '../../entities/rules/values/duration';
import { advanceOverdue } from '../commissions/advance';
import { systemCause } from '../journal/cause';
import type { Deps } from '../../runtime/process/deps';
import { repairName } from '../figures/upkeep';
import { holdEnds } from '../commissions/metrics';
import { noteSuccess } from './scheduled-work';
import { catchUpNext } from '../billing/catch-up';
import { readDisputesNext } from '../billing/disputes';
import { keepNextConnection } from '../billing/connection/keep';
import { repairImports } from '../imports/repair';
import { wakeOverdueBatches } from '../sending/overdue';
import { repairResets } from '../test-data/resets';
import { endWorkspaces } from '../workspace/end-workspaces';
import { repairWebhookDeliveries } from '../webhooks/repair';
import type { RepairPart } from '../../runtime/temporal/messages';
import { repairErasures } from './erasures';
import { findLostLifecycles } from './lifecycles';
import { repairMails } from './mails';
import type { RepairBatch } from './open-workflows';
import { repairRequeues } from './requeues';
import { repairBillerCodes } from './biller-codes';
import { repairStripeEvents } from './stripe-events';

type Repair = (deps: Deps, cursor: string | null) => Promise<RepairBatch>;

const repairs: Readonly<Record<RepairPart, Repair>> = {
  overdue: repairOverdue,
  async lifecycles(deps, at) {
    const { cursor, woken } = await findLostLifecycles(deps, at);
    return { cursor, repaired: woken, more: cursor !== null };
  },
  async webhooks({ db, clock }) {
    const { woken, cancelled } = await repairWebhookDeliveries(
      db.manager,
      systemCause(clock.now()),
    );
    return only(woken + cancelled, woken >= 1_000 || cancelled >= 10_000);
  },
  stripe_events: repairStripeEvents,
  biller_codes: repairBillerCodes,
  async stripe_connections(deps) {
    const until = performance.now() + sliceMs;
    let repaired = 0;
    for (;;) {
      const cause = systemCause(deps.clock.now());
      const kept =
        (await keepNextConnection(deps, cause)) +
        (await catchUpNext(deps, cause)) +
        (await readDisputesNext(deps, cause));
      repaired += kept;
      if (kept === 0 || performance.now() >= until) return only(repaired, kept > 0);
    }
  },
  async payout_batches({ db, clock }) {
    return only(await wakeOverdueBatches(db.manager, clock.now()), false);
  },
  mails: repairMails,
  async requeues(deps) {
    return only(await repairRequeues(deps), false);
  },
  erasures: repairErasures,
  async test_resets({ db, clock }) {
    return only(await repairResets(db.manager, clock.now()), false);
  },
  async imports({ db, clock }) {
    return only(await repairImports(db.manager, clock.now()), false);
  },
  async closings(deps) {
    return only(await endWorkspaces(deps, systemCause(deps.clock.now())), false);
  },
};

/** One batch of one part. */
export async function repairPart(
  deps: Deps,
  part: RepairPart,
  cursor: string | null,
): Promise<RepairBatch> {
  const batch = await repairs[part](deps, cursor);
  await noteSuccess(deps.db.manager, repairName(part));
  return batch;
}

/**
 * Does what the end of a hold brings for commissions that their lifecycles have left alone for
 * a minute. Those that fail are logged, and in the way of no other.
 */
async function repairOverdue(
  { db, clock, log, metrics }: Pick<Deps, 'db' | 'clock' | 'log' | 'metrics'>,
  cursor: string | null,
): Promise<RepairBatch> {
  const now = clock.now();
  const since = new Date(now.getTime() - minuteMs);
  const ends = holdEnds(metrics);
  const onHoldEnd = (seconds: number): void => ends.observe(seconds);
  const batch = await advanceOverdue(db.manager, { now, onHoldEnd }, { since, cursor });
  const [first] = batch.failed;
  if (first) {
    const { commissionId, error } = first;
    const failed = batch.failed.length;
    log.error({ err: error, commissionId, failed }, 'commissions could not be advanced');
  }
  return { cursor: batch.cursor, repaired: batch.advanced, more: batch.cursor !== null };
}

function only(repaired: number, more: boolean): RepairBatch {
  return { cursor: null, repaired, more };
}
