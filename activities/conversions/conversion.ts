import type { AttributionObject } from '../../entities/rules/attribution/conversion';
import type {
  CommissionSummaryObject,
  ConversionObject,
} from '../../entities/rules/webhooks/objects';
import type { Scope } from '../../entities/rules/values/mode';
import type { Commission } from '../../entities/tables/commissions/commission.entity';
import type { Conversion } from '../../entities/tables/conversions/conversion.entity';
import type { CommissionChange } from '../commissions/commission-change';
import type { ConversionFacts } from './read-signals';
import type { ConversionReport } from './report';

/** A conversion with how it was attributed, and its commission as it stands now. */
export interface ConversionRecord extends Omit<Conversion, Unshown> {
  commission: ConversionCommission | null;
}

/** Columns that no record shows. */
type Unshown = 'workspaceId' | 'prospectHash' | 'newCustomer' | 'linkId';

type ConversionCommission = Pick<
  Commission,
  'id' | 'status' | 'amountCents' | 'currency' | 'holdUntil' | 'needsReview'
>;

/**
 * The conversion as clients see it, in answers and in events (docs/reference/attribution.md,
 * Duplicates).
 */
export function conversionObject(conversion: ConversionRecord): ConversionObject {
  return {
    id: conversion.id,
    external_transaction_id: conversion.externalTransactionId,
    attributed: conversion.attributed,
    attribution: attributionObject(conversion),
    commission: conversion.commission && commissionObject(conversion.commission),
    event_type: conversion.eventType,
    amount_cents: conversion.amountCents,
    currency: conversion.currency,
    occurred_at: conversion.occurredAt.toISOString(),
    customer_id: conversion.customerId,
    metadata: conversion.metadata,
    items: conversion.items,
    source: conversion.source,
    refunded_amount_cents: conversion.refundedAmountCents,
    mode: conversion.mode,
    created_at: conversion.createdAt.toISOString(),
  };
}

/** How it was attributed, as clients see it. */
export function attributionObject(conversion: Attributed): AttributionObject {
  return {
    reason: conversion.reason,
    explanation: conversion.explanation,
    matched_by: conversion.matchedBy,
    click_id: conversion.clickId,
    promo_code: conversion.promoCode,
    program_id: conversion.programId,
    participant_id: conversion.participantId,
    window_ends_at: conversion.windowEndsAt?.toISOString() ?? null,
  };
}

type Attributed = Omit<Credited, 'attributed' | 'occurredAt' | 'creditedAs'> &
  Pick<ConversionRecord, 'clickId' | 'promoCode'>;

function commissionObject(commission: ConversionCommission): CommissionSummaryObject {
  return {
    id: commission.id,
    status: commission.status,
    amount_cents: commission.amountCents,
    currency: commission.currency,
    hold_until: commission.holdUntil?.toISOString() ?? null,
    needs_review: commission.needsReview,
  };
}

/** What attribution and fraud decided of a report. */
export type Credited = Pick<
  ConversionRecord,
  | 'attributed'
  | 'reason'
  | 'explanation'
  | 'matchedBy'
  | 'programId'
  | 'participantId'
  | 'windowEndsAt'
  | 'occurredAt'
  | 'creditedAs'
>;

interface NewConversion {
  scope: Scope;
  report: ConversionReport;
  facts: ConversionFacts;
  id: string;
  now: Date;
}

/** A conversion at its recording. Resolved signals in their own spelling, others as reported. */
export function newConversion(
  { scope, report, facts, id, now }: NewConversion,
  credited: Credited,
  change: CommissionChange | null,
): ConversionRecord {
  const { clickId, promoCode } = report;
  // A spread at the end: at the start, each name that follows it costs V8 a microsecond.
  return {
    clickId: clickId && (facts.click?.click?.id ?? clickId),
    promoCode: promoCode && (facts.code?.code ?? promoCode),
    id,
    mode: scope.mode,
    externalTransactionId: report.externalTransactionId,
    source: report.source,
    eventType: report.eventType,
    amountCents: report.amountCents,
    currency: report.currency,
    customerId: report.customerId,
    metadata: report.metadata,
    items: report.items ?? null,
    refundedAmountCents: 0,
    createdAt: now,
    commission: change && earnedOf(change),
    ...credited,
  };
}

function earnedOf({ commission }: CommissionChange): ConversionCommission {
  const { id, status, amountCents, currency, holdUntil, needsReview } = commission;
  return { id, status, amountCents, currency, holdUntil, needsReview };
}
