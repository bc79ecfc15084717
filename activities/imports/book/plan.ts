import { pinsWithoutSale, type PinnedTerms } from '../../../entities/rules/commissions/amount';
import { dayMs } from '../../../entities/rules/values/duration';
import { systemActor } from '../../../entities/rules/values/actor';
import type { StoredCommission } from '../../../entities/rules/imports/stored';
import type { Commission } from '../../../entities/tables/commissions/commission.entity';
import type { ImportRow } from '../../../entities/tables/imports/import-row.entity';
import {
  unchanged,
  withFields,
  withHistory,
  withLedger,
  type CommissionChange,
} from '../../commissions/commission-change';
import { newCommission } from '../../commissions/plan';
import { commissionOf, toldOf } from '../judge/commissions';
import type { Booking } from './booking';

export interface CommissionToBook {
  row: ImportRow;
  participantId: string;
  isApprovedPartner: boolean;
  /** Null where another commission has the sale, or there is none. */
  conversionId: string | null;
  externalTransactionId: string | null;
}

/**
 * A commission as the old system has it, with the ledger lines that say so: what was imported, and what
 * was paid elsewhere. Never flagged, and without events.
 */
export function planImported(
  booking: Pick<Booking, 'context' | 'program' | 'held'>,
  toBook: CommissionToBook,
): CommissionChange {
  const { context, program } = booking;
  const told = commissionOf(toBook.row);
  const { status, amountCents } = toldOf(toBook.row);
  const holdUntil = holdOf(told, status === 'pending' ? program.holdDays : 0);
  const commission = commissionAsTold(booking, toBook);
  const begun = withHistory(
    unchanged({ ...commission, ...heldUntil(holdUntil, context.now) }, null),
    { from: null, to: 'pending', trigger: 'created', actor: systemActor },
  );
  if (status === 'void') return voided(begun);
  const owed = withLedger(begun, { type: 'import', amountCents });
  if (status === 'paid') return paid(approved(owed), told);
  const isEarned = status === 'approved' || amountCents < 0;
  const isDue = holdUntil === null || holdUntil <= context.now;
  const isApproved = isEarned || (isDue && program.autoApprove && toBook.isApprovedPartner);
  return isApproved ? approved(owed) : { ...owed, signalsLifecycle: true };
}

/**
 * A commission as it begins; one below nothing is an adjustment, and has no sale. The object is
 * written without spreads: a million are made, and each spread costs more than all the rest.
 */
function commissionAsTold(
  { context, program, held }: Pick<Booking, 'context' | 'program' | 'held'>,
  { row, participantId, conversionId, externalTransactionId }: CommissionToBook,
): Commission {
  const told = commissionOf(row);
  const { amountCents } = toldOf(row);
  const isAdjustment = amountCents < 0;
  return newCommission(context.scope, context.now, {
    programId: held.programId,
    participantId,
    conversionId: isAdjustment ? null : conversionId,
    externalTransactionId: isAdjustment ? null : externalTransactionId,
    adjustmentReason: told.note ?? (isAdjustment ? 'Imported' : null),
    adjustmentKind: null,
    commissionType: isAdjustment ? 'adjustment' : 'imported',
    amountCents,
    currency: row.currency ?? program.currency,
    conversionAmountCents: isAdjustment ? 0 : (told.saleCents ?? 0),
    feeCents: null,
    terms: importedTerms(program.autoApprove),
    reviewReasons: [],
    arrivedAt: context.now,
  });
}

/** What the old system pays by is not known; a refund takes off its share. */
function importedTerms(autoApprove: boolean): PinnedTerms {
  return pinsWithoutSale({
    type: 'percentage',
    rateBps: null,
    amountCents: null,
    basis: 'gross',
    holdDays: 0,
    autoApprove,
  });
}

function holdOf({ dueAt, occurredAt }: StoredCommission, holdDays: number): Date | null {
  if (dueAt !== null) return new Date(dueAt);
  return holdDays === 0 ? null : new Date(Date.parse(occurredAt) + holdDays * dayMs);
}

function heldUntil(
  holdUntil: Date | null,
  now: Date,
): Pick<Commission, 'holdUntil' | 'holdElapsed'> {
  return { holdUntil, holdElapsed: holdUntil === null || holdUntil <= now };
}

function approved(change: CommissionChange): CommissionChange {
  const next = withFields(change, {
    status: 'approved',
    approvedAt: change.at,
    holdElapsed: true,
    decidedByType: systemActor.type,
    decidedById: systemActor.id,
  });
  return withHistory(next, {
    from: 'pending',
    to: 'approved',
    trigger: 'hold_elapsed',
    actor: systemActor,
    reason: asTold,
  });
}

const asTold = 'As it was told by the import.';

function paid(change: CommissionChange, { paidAt }: StoredCommission): CommissionChange {
  const at = paidAt === null ? change.at : new Date(paidAt);
  const next = withFields(change, { status: 'paid', paidAt: at });
  const booked = withLedger(next, {
    type: 'paid_elsewhere',
    amountCents: -change.commission.amountCents,
  });
  return withHistory(booked, {
    from: 'approved',
    to: 'paid',
    trigger: 'payout',
    actor: systemActor,
    reason: asTold,
  });
}

/** Nothing was owed of it, and nothing is. */
function voided(change: CommissionChange): CommissionChange {
  const next = withFields(change, {
    status: 'rejected',
    rejectedAt: change.at,
    rejectionReason: asTold,
    holdElapsed: true,
    decidedByType: systemActor.type,
    decidedById: systemActor.id,
  });
  return withHistory(next, {
    from: 'pending',
    to: 'rejected',
    trigger: 'reject',
    actor: systemActor,
    reason: asTold,
  });
}

/** What is booked where theirs that was open became paid or void. */
export function planRetold(change: CommissionChange, row: ImportRow): CommissionChange {
  const { status, amountCents, heldCents } = change.commission;
  const told = commissionOf(row);
  if (toldOf(row).status === 'paid') {
    const open = status === 'pending' ? approved(change) : change;
    return { ...paid({ ...open, ledger: open.ledger }, told), signalsLifecycle: true };
  }
  let next = withFields(change, {
    status: 'rejected',
    rejectedAt: change.at,
    rejectionReason: asTold,
    decidedByType: systemActor.type,
    decidedById: systemActor.id,
    heldCents: 0,
    reviewReasons: [],
  });
  next = withLedger(next, { type: 'dispute_release', amountCents: heldCents });
  next = withLedger(next, { type: 'reversal', amountCents: -amountCents });
  const line = { from: status, to: 'rejected', trigger: 'reject', reason: asTold } as const;
  return { ...withHistory(next, { ...line, actor: systemActor }), signalsLifecycle: true };
}
