import { query, type Tx } from '../../entities/database/sql';
import { recreditOf, type Earning, type Recredit } from '../../entities/rules/commissions/recredit';
import type { SettlementFacts } from '../../entities/rules/commissions/settlement';
import { systemActor } from '../../entities/rules/values/actor';
import type { Commission } from '../../entities/tables/commissions/commission.entity';
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
import { insertCommission, writeChanges } from '../commissions/write';
import { readSettlementFacts, settleConversion } from '../settlement/settle';
import type { CommandContext } from '../journal/cause';

interface Target {
  conversionId: string;
  /** What the conversion would earn if it were new; null for nothing. */
  target: CommissionChange | null;
  /** The reason, in words that a partner understands. */
  reason: string;
}

/**
 * Brings the commissions of a conversion to its credit: the one of the partner who is credited is made,
 * given or changed, all others are taken back. Then refunds, disputes and fee count for it.
 */
export async function recreditCommissions(
  tx: Tx,
  context: CommandContext,
  { conversionId, target, reason }: Target,
): Promise<void> {
  const known = await lockAll(tx, context, conversionId);
  const facts = await readSettlementFacts(tx, conversionId);
  const changes = known.flatMap((commission) => {
    const isTarget = commission.participantId === target?.commission.participantId;
    const earning = isTarget && target ? earningOf(target.commission) : null;
    return changesOf(commission, { earning, facts, reason, context });
  });
  await writeChanges(tx, changes);
  const isKnown = known.some(
    ({ participantId }) => participantId === target?.commission.participantId,
  );
  if (target && !isKnown) await insertCommission(tx, target);
  await settleConversion(tx, context, { conversionId });
}

function lockAll(
  tx: Tx,
  { scope: { workspaceId, mode } }: CommandContext,
  conversionId: string,
): Promise<CommissionRecord[]> {
  return query<CommissionRecord>(
    tx,
    `SELECT ${recordColumns} FROM commissions AS c ${recordJoins}
      WHERE c.conversion_id = $1 AND c.workspace_id = $2 AND c.mode = $3
      ORDER BY c.id FOR UPDATE OF c`,
    [conversionId, workspaceId, mode],
  );
}

function earningOf(commission: Commission): Earning | null {
  const { commissionType } = commission;
  if (commissionType !== 'percentage' && commissionType !== 'flat') return null;
  const { currency, originalAmountCents, terms, holdUntil, reviewReasons } = commission;
  return { commissionType, currency, originalAmountCents, terms, holdUntil, reviewReasons };
}

interface Facts {
  earning: Earning | null;
  facts: SettlementFacts;
  reason: string;
  context: CommandContext;
}

function changesOf(record: CommissionRecord, given: Facts): CommissionChange[] {
  const isRejectedByHand = record.status === 'rejected' && record.decidedByType !== 'system';
  const credited = { ...record, inPayout: isInPayout(record), isRejectedByHand };
  const recredit = recreditOf(credited, given.earning, given.facts);
  return recredit ? [changeOf(record, recredit, given)] : [];
}

function changeOf(
  record: CommissionRecord,
  recredit: Recredit,
  { reason, context }: Facts,
): CommissionChange {
  let change = withFields(beginChange(record, context), {
    ...recredit.next,
    ...decisionOf(record, recredit, { reason, now: context.now }),
  });
  if (recredit.kind === 'marked') return change;
  if (recredit.kind === 'unflagged') {
    const told = withEvent(change, 'commission.updated', record.reviewReasons);
    return withWhatIsDue({ ...told, signalsLifecycle: true }, record);
  }
  change = recredit.lines.reduce(withLedger, change);
  change = withHistory(change, {
    from: record.status,
    to: change.commission.status,
    trigger: 'recredit',
    actor: systemActor,
    reason,
  });
  change = withEvent(change, 'commission.updated', record.reviewReasons);
  if (recredit.kind === 'taken') change = causedBy(change, 'credit_taken');
  if (recredit.kind === 'given') change = causedBy(change, 'credit_given');
  return withWhatIsDue({ ...change, signalsLifecycle: true }, record);
}

function decisionOf(
  record: CommissionRecord,
  { move, next }: Recredit,
  { reason, now }: { reason: string; now: Date },
): Partial<Commission> {
  const autoApprove = next.terms?.autoApprove ?? record.autoApprove;
  if (move?.to === 'rejected') {
    const decided = { decidedByType: 'system' as const, decidedById: null };
    return { ...decided, autoApprove, rejectedAt: now, rejectionReason: reason, approvedAt: null };
  }
  if (move?.to === 'pending') {
    const undecided = { decidedByType: null, decidedById: null, overrideReason: null };
    const holdElapsed = next.holdUntil === null;
    return { ...undecided, autoApprove, holdElapsed, rejectedAt: null, rejectionReason: null };
  }
  return { autoApprove };
}
