import type { Commission } from '../../entities/tables/commissions/commission.entity';
import type { Actor } from '../../entities/rules/values/actor';
import type { Scope } from '../../entities/rules/values/mode';
import { refundedAmount, settle } from '../../entities/rules/commissions/settlement';
import type {
  SettledCommission,
  Settlement,
  SettlementFacts,
} from '../../entities/rules/commissions/settlement';
import { execute, query, queryOne, type Tx } from '../../entities/database/sql';
import { beginChange, withEvent, withFields } from '../commissions/commission-change';
import { withHistory, withLedger, withWhatIsDue } from '../commissions/commission-change';
import type { CommissionChange } from '../commissions/commission-change';
import { recordColumns, recordJoins } from '../commissions/records';
import type { CommissionRecord } from '../commissions/records';
import { writeChanges } from '../commissions/write';
import { recordConversionRefunded } from '../conversions/events';

export interface SettleCommand {
  scope: Scope;
  conversionId: string;
  /** Whose refund or event it was; named in the history. */
  actor: Actor;
}

/**
 * Brings conversion, commission, ledger and events to what is now known of the payment: refunds by
 * API (conversion_refunds) and the processor's facts (conversion_settlements). A target state: any
 * number of calls, in any order, ends the same. Call it after those rows were written, in their
 * transaction. Locks the conversion, then its commission.
 */
export async function settleConversion(tx: Tx, command: SettleCommand, now: Date): Promise<void> {
  const conversion = await lockConversion(tx, command);
  if (!conversion) return;
  const facts = (await factsOf(tx, [conversion])).get(conversion.id);
  if (!facts) throw new Error('a conversion has facts, if only its amount');
  const record = await lockCommissionOf(tx, command.conversionId);
  if (record) await writeChanges(tx, changesUnder(record, { facts, actor: command.actor, now }));
  await markSettled(tx, conversion.id, facts);

  const refunded = refundedAmount(facts);
  if (refunded === conversion.refundedAmountCents) return;
  await execute(tx, 'UPDATE conversions SET refunded_amount_cents = $2 WHERE id = $1', [
    conversion.id,
    refunded,
  ]);
  if (refunded > conversion.refundedAmountCents) {
    await recordConversionRefunded(tx, { conversionId: conversion.id, now });
  }
}

/** After a payout let go of commissions: what refunds left undecided meanwhile is decided now. */
export async function settleCommissions(
  tx: Tx,
  commissionIds: readonly string[],
  cause: { actor: Actor; now: Date },
): Promise<void> {
  const records = await query<CommissionRecord>(
    tx,
    `SELECT ${recordColumns} FROM commissions AS c ${recordJoins}
      WHERE c.id = ANY($1) ORDER BY c.id FOR UPDATE OF c`,
    [commissionIds],
  );
  const facts = await factsOf(
    tx,
    records.map(({ conversionId, conversionAmountCents }) => ({
      id: conversionId,
      amountCents: conversionAmountCents,
    })),
  );
  const changes = records.flatMap((record) => {
    const known = facts.get(record.conversionId);
    return known ? changesUnder(record, { facts: known, ...cause }) : [];
  });
  await writeChanges(tx, changes);
}

interface LockedConversion {
  id: string;
  amountCents: number;
  refundedAmountCents: number;
}

function lockConversion(tx: Tx, command: SettleCommand): Promise<LockedConversion | undefined> {
  return queryOne<LockedConversion>(
    tx,
    `SELECT id, amount_cents AS "amountCents", refunded_amount_cents AS "refundedAmountCents"
       FROM conversions WHERE id = $1 AND workspace_id = $2 AND mode = $3 FOR UPDATE`,
    [command.conversionId, command.scope.workspaceId, command.scope.mode],
  );
}

async function lockCommissionOf(
  tx: Tx,
  conversionId: string,
): Promise<CommissionRecord | undefined> {
  return queryOne<CommissionRecord>(
    tx,
    `SELECT ${recordColumns} FROM commissions AS c ${recordJoins}
      WHERE c.conversion_id = $1 FOR UPDATE OF c`,
    [conversionId],
  );
}

/** What is known of these conversions' money, by their ids. */
async function factsOf(
  tx: Tx,
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
            s.fee_cents AS "feeCents"
       FROM unnest($1::uuid[], $2::bigint[]) AS v (id, amount_cents)
       LEFT JOIN conversion_settlements AS s ON s.conversion_id = v.id`,
    [conversions.map(({ id }) => id), conversions.map(({ amountCents }) => amountCents)],
  );
  return new Map(rows.map(({ id, ...facts }) => [id, facts]));
}

interface SettleCause {
  facts: SettlementFacts;
  actor: Actor;
  now: Date;
}

/** What the facts change of the commission: nothing, or one change. */
function changesUnder(record: CommissionRecord, cause: SettleCause): CommissionChange[] {
  const settlement = settle(settledOf(record), cause.facts);
  return settlement.changed ? [changeOf(record, settlement, cause)] : [];
}

/** From now on, these lost disputes are nothing new. */
async function markSettled(tx: Tx, conversionId: string, facts: SettlementFacts): Promise<void> {
  if (facts.lostDisputeCents === facts.settledLostCents) return;
  await execute(
    tx,
    'UPDATE conversion_settlements SET settled_lost_cents = $2 WHERE conversion_id = $1',
    [conversionId, facts.lostDisputeCents],
  );
}

function settledOf(record: CommissionRecord): SettledCommission {
  return { ...record, inPayout: record.status === 'approved' && record.payoutId !== null };
}

function changeOf(
  record: CommissionRecord,
  settlement: Settlement,
  cause: SettleCause,
): CommissionChange {
  const { next, lines, refunded } = settlement;
  let change = withFields(beginChange(record, cause.now), {
    status: next.status,
    statusBeforeRefund: next.statusBeforeRefund,
    feeCents: next.feeCents,
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
  return withWhatIsDue({ ...change, wakes: true }, record);
}

/** The last refund that took something off; none when nothing is taken off any more. */
function refundedAt(record: Commission, settlement: Settlement, now: Date): Date | null {
  const { next, refunded } = settlement;
  if (refunded) return now;
  const isWhole = next.originalAmountCents === next.amountCents && next.status !== 'refunded';
  return isWhole ? null : record.refundedAt;
}
