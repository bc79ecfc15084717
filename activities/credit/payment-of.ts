import { processorPrecisionMs } from '../../entities/rules/values/duration';
import type { PaidMoment } from '../../entities/rules/customers/bindings';
import type { Payment, Verdict } from '../../entities/rules/payments/credit';
import { yieldingReasons } from '../../entities/rules/payments/duplicates';
import { waitsUntil, type StoredSale } from '../../entities/rules/payments/sale';
import type { FoundTimeline, TimelineConversion, TimelineRow } from './timeline';

/** The sales of each subscription that nothing was paid for, as there are in a trial, or where credit covered all. */
export function trialsOf(rows: readonly TimelineRow[]): Map<string, StoredSale[]> {
  const trials = new Map<string, StoredSale[]>();
  const unpaid = rows
    .flatMap(({ subscription, sale }) =>
      subscription !== null && sale && isUnpaid(sale) ? [{ subscription, sale }] : [],
    )
    .toSorted((a, b) => (a.sale.madeAt < b.sale.madeAt ? -1 : 1));
  for (const { subscription, sale } of unpaid) {
    trials.set(subscription, [...(trials.get(subscription) ?? []), sale]);
  }
  return trials;
}

function isUnpaid({ paidAt, amountCents }: StoredSale): boolean {
  return paidAt === null || amountCents === 0;
}

/** The sales that began a payment's subscription before anything was paid; what was paid before them is not theirs. */
export function trialBefore(
  trials: ReadonlyMap<string, readonly StoredSale[]>,
  { subscription, paidAt }: { subscription: string | null; paidAt: string },
): StoredSale[] {
  const all = (subscription !== null && trials.get(subscription)) || [];
  return all.filter(({ madeAt }) => madeAt <= paidAt);
}

/** A report whose own signals failed, or that its programme takes from elsewhere: it yields to what a processor tells. */
export function isYielding(conversion: TimelineConversion): boolean {
  return (
    conversion.source === 'api' &&
    !conversion.attributed &&
    yieldingReasons.includes(conversion.reason)
  );
}

/** One that an earlier release decided: it stays as it is, and counts for what comes after it. */
export function isFixed({ conversion, isOld }: TimelineRow): boolean {
  return conversion !== null && conversion.creditedAs === null && !isOld;
}

/** What an earlier release took in of a subscription before anything was paid for it. */
export function isUntoldTrial(row: TimelineRow): boolean {
  const { paymentId, subscription, sale, isPaid, conversion } = row;
  return paymentId !== null && subscription !== null && sale === null && !isPaid && !conversion;
}

interface Given extends Pick<FoundTimeline, 'canAsk'> {
  trials: ReadonlyMap<string, readonly StoredSale[]>;
  /** Verdicts on payments that a processor tells, by their key. */
  verdicts: ReadonlyMap<string, Verdict | null>;
  now: Date;
}

/** A row as the rule takes it; null for what is no payment: nothing was paid, or nothing is known. */
export function paymentOf(row: TimelineRow, given: Given): Payment | null {
  const { conversion, sale } = row;
  if (conversion && (isFixed(row) || isReport(row, conversion))) return reported(row, conversion);
  if (!sale || sale.paidAt === null) return null;
  // What credit covered whole is no sale, but for one that is recorded.
  if (sale.amountCents === 0 && !conversion) return null;
  return told(row, { sale, paidAt: sale.paidAt, given });
}

/** Whether the report alone decides: it has signals of its own, or it is the only report of the payment. */
function isReport({ sale }: TimelineRow, conversion: TimelineConversion): boolean {
  if (conversion.source !== 'api') return false;
  if (!sale || sale.paidAt === null) return true;
  const { attributed, matchedBy } = conversion;
  if (!attributed) return !isYielding(conversion) && matchedBy !== 'customer';
  return matchedBy === 'click' || matchedBy === 'promo_code';
}

const common = { begins: false, mayHaveCheckout: false, canAsk: false, isFromTrialCheckout: false };

function reported(row: TimelineRow, conversion: TimelineConversion): Payment {
  const { key, sale, subscription, customer } = row;
  const paid =
    sale && sale.paidAt !== null
      ? momentOf(sale.paidAt)
      : { at: conversion.occurredAt, until: conversion.occurredAt };
  return {
    ...common,
    id: key,
    externalId: conversion.externalTransactionId,
    toldBy: 'report',
    paid,
    periodAt: sale?.periodAt ? new Date(sale.periodAt) : periodBefore(row, paid.at),
    amountCents: conversion.amountCents,
    subscription,
    subscriptionBeganAt: null,
    customer,
    own: isFixed(row) ? verdictOfRow(conversion) : ownVerdictOf(conversion),
    failedFor: failedFor(conversion),
    ...(isFixed(row) ? {} : { isCredited: conversion.attributed }),
  };
}

/** A first invoice is paid within the hour that its period begins in, but for what is late. */
const firstInvoiceMs = 3_600_000;

/** An earlier release kept no period: the first of a subscription began a while before it was paid. */
function periodBefore(row: TimelineRow, paidAt: Date): Date {
  const isOfBefore = row.conversion?.creditedAs === null;
  const isOfSubscription = isOfBefore && row.subscription !== null;
  return isOfSubscription ? new Date(paidAt.getTime() - firstInvoiceMs) : paidAt;
}

interface Told {
  sale: StoredSale;
  paidAt: string;
  given: Given;
}

function told(row: TimelineRow, { sale, paidAt, given }: Told): Payment {
  const { key, subscription, customer, conversion } = row;
  const trial = trialBefore(given.trials, { subscription, paidAt });
  const isReported = conversion?.source === 'api' && !isYielding(conversion);
  const [beganAt] = trial.map(({ madeAt }) => madeAt);
  return {
    id: key,
    externalId: sale.externalId,
    toldBy: sale.toldBy,
    biller: row.biller ?? 'stripe',
    paid: momentOf(paidAt),
    periodAt: new Date(sale.periodAt ?? paidAt),
    amountCents: isReported ? conversion.amountCents : sale.amountCents,
    begins: sale.begins,
    subscription,
    subscriptionBeganAt: beganAt === undefined ? null : new Date(beganAt),
    customer,
    own: given.verdicts.get(key) ?? null,
    isFromTrialCheckout: trial.some(({ hasCheckout }) => hasCheckout),
    mayHaveCheckout:
      sale.mayHaveCheckout && given.now < waitsUntil(sale, { toldAt: row.toldAt, ...given }),
    canAsk: given.canAsk,
    ...recordedAs(conversion),
  };
}

/** When the payment was first told, by a report or by its biller. */
export function toldFirstAt({ toldAt, conversion }: TimelineRow, now: Date): Date {
  const times = [toldAt, conversion?.createdAt ?? null].filter((at) => at !== null);
  return times.reduce((first, at) => (at < first ? at : first), times[0] ?? now);
}

/** What its conversion says of whom it is credited to. */
function recordedAs(
  conversion: TimelineConversion | null,
): Pick<Payment, 'failedFor' | 'isCredited'> {
  if (!conversion) return { failedFor: null, isCredited: false };
  return { failedFor: failedFor(conversion), isCredited: conversion.attributed };
}

/** A processor names whole seconds. */
function momentOf(paidAt: string): PaidMoment {
  const at = new Date(paidAt);
  return { at, until: new Date(at.getTime() + processorPrecisionMs) };
}

function verdictOfRow({ reason, participantId, programId }: TimelineConversion): Verdict {
  return { reason, participantId, programId };
}

/** What a report's own signals gave when it was told, also where its customer is credited by now. */
export function ownVerdictOf(conversion: TimelineConversion): Verdict | null {
  const { matchedBy, clickId, promoCode } = conversion;
  if (matchedBy === 'customer') return failedVerdictOf(conversion);
  return clickId === null && promoCode === null ? null : verdictOfRow(conversion);
}

/** The verdict on the signal that failed, as the trace keeps it beside the customer's candidate. */
function failedVerdictOf({ candidates }: TimelineConversion): Verdict | null {
  const failed = (candidates ?? []).filter(({ signal }) => signal !== 'customer');
  const first = failed.find(({ participant }) => participant !== null) ?? failed[0];
  if (!first || first.outcome === 'HOLDS') return null;
  const { outcome: reason, participant, program } = first;
  return { reason, participantId: participant?.id ?? null, programId: program?.id ?? null };
}

function failedFor({ matchedBy, attributed, participantId }: TimelineConversion): string | null {
  return matchedBy === 'customer' && !attributed ? participantId : null;
}
