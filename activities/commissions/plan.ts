import type { Commission } from '../../entities/tables/commissions/commission.entity';
import { newId } from '../../entities/ids';
import { systemActor } from '../../entities/rules/values/actor';
import { commissionFor, type PinnedTerms } from '../../entities/rules/commissions/amount';
import { holdUntilFor } from '../../entities/rules/commissions/status';
import type { Scope } from '../../entities/rules/values/mode';
import {
  reviewReasonsFor,
  withReason,
  type ReviewReason,
  type ReviewSettings,
} from '../../entities/rules/commissions/review-reasons';
import {
  approvedAtOnce,
  unchanged,
  withEvent,
  withHistory,
  withLedger,
  withWhatIsDue,
  type CommissionChange,
  type ChangeCause,
} from './commission-change';

/** An attributed conversion, and all that decides what it earns. */
export interface NewCommission {
  scope: Scope;
  conversion: {
    id: string;
    externalTransactionId: string;
    amountCents: number;
    /** Null for a conversion without an amount. */
    currency: string | null;
  };
  program: { id: string } & ReviewSettings;
  participantId: string;
  terms: PinnedTerms;
  /** What fraud detection adds; the reasons that follow from the money are found here. */
  reviewReasons: readonly ReviewReason[];
  /** The processor's fee; null while it is not known. */
  feeCents: number | null;
  /** When the payment was first told: the hold counts from then. */
  arrivedAt: Date;
}

/**
 * The rows of a new commission: accrual, history, events, and the approval that follows at once when
 * nothing holds it. Undefined when the sale earns nothing. Pure but for the ids.
 */
export function planCommission(
  input: NewCommission,
  { now, requestId = null }: ChangeCause,
): CommissionChange | undefined {
  const { conversion, program, terms, feeCents, arrivedAt } = input;
  const payment = { amountCents: conversion.amountCents, currency: conversion.currency, feeCents };
  const earned = commissionFor(terms, payment, program.currency);
  if (!earned) return undefined;

  const ofMoney = reviewReasonsFor({ terms, payment, ...earned }, program);
  const reviewReasons = input.reviewReasons.reduce<ReviewReason[]>(withReason, ofMoney);
  const commission = newCommission(input.scope, now, {
    programId: program.id,
    participantId: input.participantId,
    conversionId: conversion.id,
    externalTransactionId: conversion.externalTransactionId,
    adjustmentReason: null,
    adjustmentKind: null,
    commissionType: earned.type,
    amountCents: earned.amountCents,
    currency: earned.currency,
    conversionAmountCents: conversion.amountCents,
    feeCents,
    terms,
    reviewReasons,
    arrivedAt,
  });
  let change = unchanged(commission, requestId);
  change = withLedger(change, { type: 'accrual', amountCents: earned.amountCents });
  change = withHistory(change, {
    from: null,
    to: 'pending',
    trigger: 'created',
    actor: systemActor,
  });
  change = withEvent(change, 'commission.created', []);
  change = withWhatIsDue(change, { participantStatus: 'approved', participantErased: false });
  const isPending = change.commission.status === 'pending';
  return isPending ? { ...change, signalsLifecycle: true } : approvedAtOnce(change);
}

type BeginsWith =
  | 'programId'
  | 'participantId'
  | 'conversionId'
  | 'externalTransactionId'
  | 'adjustmentReason'
  | 'adjustmentKind'
  | 'commissionType'
  | 'amountCents'
  | 'currency'
  | 'conversionAmountCents'
  | 'feeCents'
  | 'terms'
  | 'reviewReasons';

/** A commission as it begins: pending, and on hold where its terms say so. */
export function newCommission(
  { workspaceId, mode }: Scope,
  now: Date,
  given: Pick<Commission, BeginsWith> & { arrivedAt: Date },
): Commission {
  const { amountCents, terms, reviewReasons } = given;
  const holdUntil = holdUntilFor(given.arrivedAt, terms.holdDays);
  // One literal that begins with no spread: with one, V8 takes a hundred times as long and makes 24 kB
  // of garbage, and every conversion needs one.
  return {
    id: newId(now),
    workspaceId,
    mode,
    programId: given.programId,
    participantId: given.participantId,
    conversionId: given.conversionId,
    externalTransactionId: given.externalTransactionId,
    adjustmentReason: given.adjustmentReason,
    adjustmentKind: given.adjustmentKind,
    status: 'pending',
    statusBeforeRefund: null,
    commissionType: given.commissionType,
    credited: true,
    amountCents,
    originalAmountCents: amountCents,
    refundedAmountCents: 0,
    heldCents: 0,
    owedCents: 0,
    reservedCents: 0,
    currency: given.currency,
    conversionAmountCents: given.conversionAmountCents,
    feeCents: given.feeCents,
    terms,
    autoApprove: terms.autoApprove,
    reviewReasons,
    needsReview: reviewReasons.length > 0,
    holdUntil,
    holdElapsed: holdUntil === null,
    rejectionReason: null,
    overrideReason: null,
    decidedByType: null,
    decidedById: null,
    approvedAt: null,
    rejectedAt: null,
    paidAt: null,
    refundedAt: null,
    payoutId: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}
