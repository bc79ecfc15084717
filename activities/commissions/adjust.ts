import { insertAll } from '../../entities/database/insert-all';
import { execute, queryOne, transaction, type Db, type Tx } from '../../entities/database/sql';
import { AppError, validationError } from '../../entities/errors';
import { pinsWithoutSale, type PinnedTerms } from '../../entities/rules/commissions/amount';
import { Commission } from '../../entities/tables/commissions/commission.entity';
import type { CommandContext } from '../journal/cause';
import { isCarried } from './carried';
import {
  approvedAtOnce,
  beginChange,
  withDecision,
  withEvent,
  withHistory,
  withLedger,
  type CommissionChange,
} from './commission-change';
import { newCommission } from './plan';
import { findCommissions, type CommissionRecord } from './records';
import { writeChanges } from './write';

/** A bonus, a correction or a debt that is forgiven, as a commission without a sale. */
export interface Adjustment {
  programId: string;
  participantId: string;
  /** Signed, minor units, not 0; negative ones are netted from what is paid. */
  amountCents: number;
  currency: string;
  /** The partner reads it. */
  reason: string;
  /** The merchant's id of it: a repeat gives the first one. */
  externalId: string | null;
  /** A debt that is not asked for any more, also of a partner who is gone; positive. */
  isWriteOff?: boolean;
}

/**
 * Adjusts what a partner is owed, approved at once. `isNew` is false for a repeat of the external id
 * (uq_adjustment_external). PARTICIPANT_NOT_FOUND, ADJUSTMENT_EXTERNAL_ID_TAKEN by another one;
 * PARTICIPANT_ERASED but for a debt that is written off, VALIDATION_ERROR for more than is owed.
 */
export function adjustBalance(
  db: Db,
  context: CommandContext,
  adjustment: Adjustment,
): Promise<{ record: CommissionRecord; isNew: boolean }> {
  const { scope } = context;
  const { programId } = adjustment;
  return transaction(db, async (tx) => {
    // One at a time of a programme: the second of two equal ones finds the first.
    await execute(tx, 'SELECT 1 FROM programs WHERE id = $1 FOR NO KEY UPDATE', [programId]);
    const first = await findFirst(tx, adjustment);
    if (first === undefined) await assertAllowed(tx, context, adjustment);
    const id = first ?? (await insert(tx, context, adjustment));
    const [record] = await findCommissions(tx, { scope, programId, commissionIds: [id] });
    if (!record) throw new AppError('COMMISSION_NOT_FOUND');
    return { record, isNew: first === undefined };
  });
}

/** The adjustment under the same id; ADJUSTMENT_EXTERNAL_ID_TAKEN where that is of another partner or amount. */
async function findFirst(
  tx: Tx,
  { programId, participantId, externalId, amountCents, currency }: Adjustment,
): Promise<string | undefined> {
  if (externalId === null) return undefined;
  const row = await queryOne<{ id: string; isSame: boolean }>(
    tx,
    `SELECT id, participant_id = $3 AND original_amount_cents = $4 AND currency = $5 AS "isSame"
       FROM commissions WHERE program_id = $1 AND external_transaction_id = $2
        AND commission_type = 'adjustment'`,
    [programId, externalId, participantId, amountCents, currency],
  );
  if (row && !row.isSame) throw new AppError('ADJUSTMENT_EXTERNAL_ID_TAKEN');
  return row?.id;
}

async function assertAllowed(
  tx: Tx,
  { scope }: CommandContext,
  { programId, participantId, ...adjustment }: Adjustment,
): Promise<void> {
  const row = await queryOne<{ isErased: boolean }>(
    tx,
    `SELECT erased_at IS NOT NULL AS "isErased" FROM participants
      WHERE id = $1 AND program_id = $2 AND workspace_id = $3 AND mode = $4 FOR SHARE`,
    [participantId, programId, scope.workspaceId, scope.mode],
  );
  if (!row) throw new AppError('PARTICIPANT_NOT_FOUND');
  if (adjustment.isWriteOff) return assertOwed(tx, { participantId, ...adjustment });
  if (row.isErased) throw new AppError('PARTICIPANT_ERASED');
}

/** More than the debt would be owed to the partner. What is written off is waited for. */
async function assertOwed(
  tx: Tx,
  { participantId, amountCents, currency }: Omit<Adjustment, 'programId'>,
): Promise<void> {
  const row = await queryOne<{ debtCents: number }>(
    tx,
    `SELECT greatest(0, -coalesce(sum(cents), 0))::bigint AS "debtCents" FROM (
       SELECT c.owed_cents - c.reserved_cents AS cents FROM commissions AS c
        WHERE c.participant_id = $1 AND c.currency = $2 AND ${isCarried}
        ORDER BY c.id FOR UPDATE) AS carried`,
    [participantId, currency],
  );
  const debtCents = row?.debtCents ?? 0;
  if (amountCents > debtCents) {
    throw validationError('amountCents', `must be at most the debt, ${debtCents}`);
  }
}

async function insert(tx: Tx, context: CommandContext, adjustment: Adjustment): Promise<string> {
  const commission = newAdjustment(context, adjustment);
  const { refundedAmountCents: _generated, needsReview: _too, ...row } = commission;
  await insertAll(tx, { into: Commission, rows: [row] });
  await writeChanges(tx, [approvedChange(commission, context)]);
  return commission.id;
}

/** Ledger, history and events of an adjustment, which nobody has to decide on any more. */
function approvedChange(commission: Commission, context: CommandContext): CommissionChange {
  const { actor, requestId } = context;
  const { amountCents } = commission;
  let change = beginChange(commission, context);
  change = withLedger(change, { type: 'adjustment', amountCents });
  change = withHistory(change, { from: null, to: 'pending', trigger: 'created', actor });
  change = withEvent(change, 'commission.created', []);
  change = withDecision(change, { decision: 'approve', reason: null, actor });
  const audit = { actor, requestId, action: 'commission.adjusted' };
  return { ...approvedAtOnce(change), audit };
}

function newAdjustment({ scope, now }: CommandContext, adjustment: Adjustment): Commission {
  const { amountCents, currency, programId, participantId } = adjustment;
  return newCommission(scope, now, {
    programId,
    participantId,
    conversionId: null,
    externalTransactionId: adjustment.externalId,
    adjustmentReason: adjustment.reason,
    adjustmentKind: adjustment.isWriteOff ? 'write_off' : null,
    commissionType: 'adjustment',
    amountCents,
    currency,
    conversionAmountCents: 0,
    feeCents: null,
    terms: termsOf(amountCents),
    reviewReasons: [],
    arrivedAt: now,
  });
}

/** The terms of an adjustment: a flat amount, as if a programme had offered it once. */
function termsOf(amountCents: number): PinnedTerms {
  return pinsWithoutSale({
    type: 'flat',
    rateBps: null,
    amountCents,
    basis: null,
    holdDays: 0,
    autoApprove: true,
  });
}
