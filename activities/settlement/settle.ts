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
  const facts = await factsOf(tx, conversion);
  const record = await lockCommissionOf(tx, command.conversionId);
  if (record) await settleCommission(tx, record, { facts, actor: command.actor, now });

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
  for (const record of records) {
    const facts = await factsOf(tx, {
      id: record.conversionId,
      amountCents: record.conversionAmountCents,
    });
    await settleCommission(tx, record, { facts, ...cause });
  }
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

async function factsOf(
  tx: Tx,
  conversion: { id: string; amountCents: number },
): Promise<SettlementFacts> {
  const row = await queryOne<Omit<SettlementFacts, 'amountCents'>>(
    tx,
    `SELECT (SELECT coalesce(sum(amount_cents), 0)::bigint FROM conversion_refunds
              WHERE conversion_id = $1) AS "apiRefundedCents",
            s.charge_cents AS "chargeCents",
            coalesce(s.refunded_cents, 0) AS "processorRefundedCents",
            coalesce(s.lost_dispute_cents, 0) AS "lostDisputeCents",
            coalesce(s.open_disputes, 0) AS "openDisputes",
            s.fee_cents AS "feeCents"
       FROM (SELECT 1) AS one LEFT JOIN conversion_settlements AS s ON s.conversion_id = $1`,
    [conversion.id],
  );
  if (!row) throw new Error('a SELECT without a condition has a row');
  return { amountCents: conversion.amountCents, ...row };
}

interface SettleCause {
  facts: SettlementFacts;
  actor: Actor;
  now: Date;
}

async function settleCommission(
  tx: Tx,
  record: CommissionRecord,
  cause: SettleCause,
): Promise<void> {
  const settlement = settle(settledOf(record), cause.facts);
  if (settlement.changed) await writeChanges(tx, [changeOf(record, settlement, cause)]);
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
