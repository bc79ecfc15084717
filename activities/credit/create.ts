import { createHash } from 'node:crypto';
import type { Tx } from '../../entities/database/sql';
import { creditedAs, type Payment, type Sold } from '../../entities/rules/payments/credit';
import type { ConversionReport, DecidedCredit } from '../conversions/report';
import type { Answer } from './answer';
import type { CreditContext } from './biller';
import { toldFirstAt } from './payment-of';
import { recordOverRefused } from './record-over';
import type { TimelineConversion, TimelineRow } from './timeline';
import { reportOf, type JudgedRow } from './verdicts';

export interface Decided {
  row: TimelineRow;
  payment: Payment;
  credit: DecidedCredit['credit'];
  rank: DecidedCredit['rank'];
}

/** The decision as a report carries it; `stands` is what was decided before. */
export function decidedCredit(
  { row, payment, credit, rank }: Decided,
  stands: DecidedCredit['stands'],
  now: Date,
): DecidedCredit {
  const judged = { rank, sold: soldInShort(row), arrivedAt: toldFirstAt(row, now) };
  return {
    credit,
    periodAt: payment.periodAt,
    isPart: row.sale?.isPart ?? false,
    ...judged,
    creditedAs: creditedAs(payment, credit, judged),
    stands,
  };
}

/** Sums of what a processor tells of what was sold. */
export function soldInShort({ sale }: Pick<TimelineRow, 'sale'>): Sold {
  const { items = null, metadata = null } = sale ?? {};
  return { items: sumOf(items), metadata: sumOf(metadata) };
}

function sumOf(told: unknown): string {
  if (told === null) return '';
  return createHash('sha256').update(JSON.stringify(told)).digest('hex').slice(0, 12);
}

/** A payment is a renewal when its subscription or its customer alone credits it, after an earlier payment. */
export function eventTypeOf(credit: DecidedCredit['credit']): 'purchase' | 'renewal' {
  if (credit.kind === 'own') return 'purchase';
  return credit.first !== null || credit.refusal !== null ? 'renewal' : 'purchase';
}

/** Records a payment that a processor told as the conversion that it is, with all that is known of it. */
export async function createConversion(
  tx: Tx,
  context: CreditContext,
  decided: Decided,
): Promise<Answer | null> {
  const { row, payment, credit } = decided;
  if (!isTold(row)) throw new Error('a payment that nobody told of');
  const { paymentId } = row;
  const report = {
    ...reportOf(row),
    ...signalsAsJudged(row),
    eventType: eventTypeOf(credit),
    amountCents: payment.amountCents,
    ...soldOf(row, null),
    prospect: await context.biller.prospectOf(tx, paymentId),
    credit: decidedCredit(decided, null, context.now),
  };
  const refused = row.conversion ? [row.conversion] : [];
  const conversion = await recordOverRefused(tx, context, { report, refused });
  if (!conversion) return null;
  await context.biller.settle(tx, context, { paymentId, conversionId: conversion.id });
  return credit.kind;
}

/** What was sold: the report's own items go before the processor's. */
export function soldOf(
  { sale }: Pick<TimelineRow, 'sale'>,
  reported: Pick<TimelineConversion, 'items' | 'metadata'> | null,
): Pick<ConversionReport, 'items' | 'metadata' | 'awaitsItems'> {
  const items = reported?.items ?? sale?.items ?? null;
  const metadata = reported?.metadata ?? sale?.metadata ?? null;
  return { items, metadata, awaitsItems: items === null && sale !== null };
}

function isTold(row: TimelineRow): row is JudgedRow {
  return row.paymentId !== null && row.biller !== null && row.sale !== null;
}

/** The signals that were judged, and what they were compared with. */
export function signalsAsJudged({ verdict }: Pick<TimelineRow, 'verdict'>) {
  if (!verdict?.reason) return { clickId: null, promoCode: null, checkedOutAt: null };
  const { clickId, promoCode, madeAt } = verdict;
  return { clickId, promoCode, checkedOutAt: new Date(madeAt) };
}
