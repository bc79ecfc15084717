import { selectList } from '../../entities/database/columns';
import { execute, query, queryOne, type Db, type Tx } from '../../entities/database/sql';
import {
  refundedAmount,
  settlementFor,
  type Settlement,
  type SettlementFacts,
} from '../../entities/rules/commissions/settlement';
import { systemActor } from '../../entities/rules/values/actor';
import type { Scope } from '../../entities/rules/values/mode';
import type { Commission } from '../../entities/tables/commissions/commission.entity';
import { Conversion } from '../../entities/tables/conversions/conversion.entity';
import {
  beginChange,
  causedBy,
  withEvent,
  withFields,
  withHistory,
  withLedger,
  withWhatIsDue,
  type CommissionChange,
} from '../commissions/commission-change';
import {
  isInPayout,
  recordColumns,
  recordJoins,
  type CommissionRecord,
} from '../commissions/records';
import { writeChanges } from '../commissions/write';
import { conversionObject } from '../conversions/conversion';
import { findConversion } from '../conversions/rows';
import type { Cause, CommandContext } from '../journal/cause';
import { record } from '../journal/record';

/**
 * Brings conversion, commission, ledger and events to what is now known of the payment: refunds by
 * API (conversion_refunds) and the processor's facts (conversion_settlements). A target state: any
 * number of calls, in any order, ends the same. Call it after those rows were written, in their
 * transaction. Locks the conversion, then its commission. The history names the context's actor.
 */
export async function settleConversion(
  tx: Tx,
  context: CommandContext,
  { conversionId }: { conversionId: string },
): Promise<void> {
  const conversion = await lockConversion(tx, context.scope, conversionId);
  if (!conversion) return;
  const facts = (await readFacts(tx, [conversion])).get(conversion.id);
  if (!facts) throw new Error('a conversion has facts, if only its amount');
  const commission = await lockCommissionOf(tx, context.scope, conversionId);
  if (commission) await writeChanges(tx, changesUnder(commission, facts, context));
  await markSettled(tx, conversionId, facts);

  const refunded = refundedAmount(facts);
  if (refunded === conversion.refundedAmountCents) return;
  await execute(tx, 'UPDATE conversions SET refunded_amount_cents = $2 WHERE id = $1', [
    conversionId,
    refunded,
  ]);
  if (refunded > conversion.refundedAmountCents) await recordRefunded(tx, context, conversionId);
}

/** The event that more was given back, with conversion and commission as the refund leaves them. */
async function recordRefunded(tx: Tx, context: CommandContext, objectId: string): Promise<void> {
  const conversion = await findConversion(tx, context.scope, objectId);
  if (!conversion) throw new Error('a conversion that is locked is gone');
  const object = conversionObject(conversion);
  await record(tx, context, { events: [{ type: 'conversion.refunded', objectId, object }] });
}

/** Settles commissions of which a payout let go: what refunds left undecided meanwhile is decided now. */
export async function settleCommissions(
  tx: Tx,
  context: CommandContext,
  { commissionIds }: { commissionIds: readonly string[] },
): Promise<void> {
  const { workspaceId, mode } = context.scope;
  const commissions = await query<CommissionRecord>(
    tx,
    `SELECT ${recordColumns} FROM commissions AS c ${recordJoins}
      WHERE c.id = ANY($1) AND c.workspace_id = $2 AND c.mode = $3 ORDER BY c.id FOR UPDATE OF c`,
    [commissionIds, workspaceId, mode],
  );
  // An adjustment has no sale that could be refunded.
  const facts = await readFacts(
    tx,
    commissions.flatMap(({ conversionId: id, conversionAmountCents: amountCents }) =>
      id === null ? [] : [{ id, amountCents }],
    ),
  );
  const changes = commissions.flatMap((commission) => {
    if (isTakenBack(commission)) return [takenBackChange(commission, context)];
    const known = facts.get(commission.conversionId ?? '');
    return known ? changesUnder(commission, known, context) : [];
  });
  await writeChanges(tx, changes);
}

/** Its sale was credited to somebody else, or to nobody, while a payout had it: nothing is due of it. */
function isTakenBack({ credited, status, payoutId }: CommissionRecord): boolean {
  return !credited && status === 'approved' && payoutId === null;
}

function takenBackChange(record: CommissionRecord, cause: Cause): CommissionChange {
  const reason = 'By all that is known, the sale is not this partner’s.';
  const change = withFields(beginChange(record, cause), {
    status: 'rejected',
    rejectedAt: cause.now,
    rejectionReason: reason,
    approvedAt: null,
    decidedByType: systemActor.type,
    decidedById: systemActor.id,
    reviewReasons: [],
  });
  const move = { from: record.status, to: 'rejected', trigger: 'recredit', reason } as const;
  const moved = withHistory(change, { ...move, actor: systemActor });
  return { ...withEvent(moved, 'commission.updated'), signalsLifecycle: true };
}

type LockedConversion = Pick<Conversion, 'id' | 'amountCents' | 'refundedAmountCents'>;

const lockedColumns = selectList(Conversion, 'v', ['id', 'amountCents', 'refundedAmountCents']);

/** Undefined for one of another workspace or mode. */
export function lockConversion(
  tx: Tx,
  { workspaceId, mode }: Scope,
  conversionId: string,
): Promise<LockedConversion | undefined> {
  return queryOne<LockedConversion>(
    tx,
    `SELECT ${lockedColumns} FROM conversions AS v
      WHERE v.id = $1 AND v.workspace_id = $2 AND v.mode = $3 FOR UPDATE`,
    [conversionId, workspaceId, mode],
  );
}

async function lockCommissionOf(
  tx: Tx,
  { workspaceId, mode }: Scope,
  conversionId: string,
): Promise<CommissionRecord | undefined> {
  return queryOne<CommissionRecord>(
    tx,
    `SELECT ${recordColumns} FROM commissions AS c ${recordJoins}
      WHERE c.conversion_id = $1 AND c.credited AND c.workspace_id = $2 AND c.mode = $3
        FOR UPDATE OF c`,
    [conversionId, workspaceId, mode],
  );
}

/** What is known of these conversions' money, by their ids. */
export async function readFacts(
  tx: Db,
  conversions: readonly { id: string; amountCents: number }[],
): Promise<Map<string, SettlementFacts>> {
  const rows = await query<SettlementFacts & { id: string }>(
    tx,
    `SELECT v.id, v.amount_cents AS "amountCents",
            (SELECT coalesce(sum(r.amount_cents), 0)::bigint FROM conversion_refunds AS r
              WHERE r.conversion_id = v.id) AS "apiRefundedCents",
            s.charge_cents AS "chargeCents",
            coalesce(s.refunded_cents, 0) AS "processorRefundedCents",
            coalesce(s.lost_dispute_cents, 0) AS "lostDisputeCents",
            coalesce(s.settled_lost_cents, 0) AS "settledLostCents",
            coalesce(s.open_disputes, 0) AS "openDisputes",
            s.fee_cents AS "feeCents",
            coalesce(s.refunded_before_cents, 0) AS "refundedBeforeCents",
            coalesce(s.api_refunded_before_cents, 0) AS "apiRefundedBeforeCents"
       FROM unnest($1::uuid[], $2::bigint[]) AS v (id, amount_cents)
       LEFT JOIN conversion_settlements AS s ON s.conversion_id = v.id`,
    [conversions.map(({ id }) => id), conversions.map(({ amountCents }) => amountCents)],
  );
  return new Map(rows.map(({ id, ...facts }) => [id, facts]));
}

/** What is known of the money of one conversion. */
export async function readSettlementFacts(tx: Tx, conversionId: string): Promise<SettlementFacts> {
  const conversion = await queryOne<{ id: string; amountCents: number }>(
    tx,
    `SELECT ${selectList(Conversion, 'v', ['id', 'amountCents'])} FROM conversions AS v WHERE v.id = $1`,
    [conversionId],
  );
  const facts = conversion && (await readFacts(tx, [conversion])).get(conversion.id);
  if (!facts) throw new Error('a conversion has facts, if only its amount');
  return facts;
}

/** What the facts change of the commission: nothing, or one change. */
function changesUnder(
  commission: CommissionRecord,
  facts: SettlementFacts,
  cause: Cause,
): CommissionChange[] {
  const settlement = settlementFor({ ...commission, inPayout: isInPayout(commission) }, facts);
  return settlement.changed ? [changeOf(commission, settlement, cause)] : [];
}

/** Notes these lost disputes as settled: from now on they are nothing new. */
async function markSettled(tx: Tx, conversionId: string, facts: SettlementFacts): Promise<void> {
  if (facts.lostDisputeCents === facts.settledLostCents) return;
  await execute(
    tx,
    'UPDATE conversion_settlements SET settled_lost_cents = $2 WHERE conversion_id = $1',
    [conversionId, facts.lostDisputeCents],
  );
}

function changeOf(
  record: CommissionRecord,
  settlement: Settlement,
  cause: Cause,
): CommissionChange {
  const { next, lines, refunded } = settlement;
  let change = withFields(beginChange(record, cause), {
    status: next.status,
    statusBeforeRefund: next.statusBeforeRefund,
    feeCents: next.feeCents,
    conversionAmountCents: next.conversionAmountCents,
    originalAmountCents: next.originalAmountCents,
    amountCents: next.amountCents,
    heldCents: next.heldCents,
    reviewReasons: next.reviewReasons,
    refundedAt: refundedAt(record, settlement, cause.now),
  });
  change = lines.reduce(withLedger, change);
  if (refunded || next.status !== record.status) {
    const trigger = settlement.cause;
    const move = { from: record.status, to: next.status, trigger, actor: cause.actor };
    change = withHistory(change, move);
  }
  const type = refunded ? 'commission.refunded' : 'commission.updated';
  change = withEvent(change, type, record.reviewReasons);
  if (isRefundUndone(record, settlement)) change = causedBy(change, 'refund_failed');
  return withWhatIsDue({ ...change, signalsLifecycle: true }, record);
}

/** Whether more is due again because a refund failed; a fee that settles may add something, too. */
function isRefundUndone(record: Commission, { next, refunded }: Settlement): boolean {
  const takenOff = next.originalAmountCents - next.amountCents;
  return !refunded && takenOff < record.refundedAmountCents;
}

/** The last refund that took something off; none when nothing is taken off any more. */
function refundedAt(record: Commission, settlement: Settlement, now: Date): Date | null {
  const { next, refunded } = settlement;
  if (refunded) return now;
  const isWhole = next.originalAmountCents === next.amountCents && next.status !== 'refunded';
  return isWhole ? null : record.refundedAt;
}
