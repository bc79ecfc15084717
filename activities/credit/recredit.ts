import { execute, query, queryOne, type Tx } from '../../entities/database/sql';
import { update } from '../../entities/database/update';
import { Conversion } from '../../entities/tables/conversions/conversion.entity';
import type { AttributionReason } from '../../entities/rules/attribution/attribute';
import {
  afterFormer,
  type DecisionTrace,
  type FormerAnswer,
} from '../../entities/rules/attribution/conversion';
import type { Payment } from '../../entities/rules/payments/credit';
import { planConversion, type ConversionPlan } from '../conversions/decide';
import { readFacts } from '../conversions/record';
import type { ConversionReport } from '../conversions/report';
import type { CreditContext } from './biller';
import { recreditCommissions } from './commissions';
import { decidedCredit, eventTypeOf, signalsAsJudged, soldOf, type Decided } from './create';
import type { TimelineConversion, TimelineRow } from './timeline';

type KnownRow = TimelineRow & { conversion: TimelineConversion };

/** Brings a conversion that is recorded to its credit: the row, its trace, its commissions. */
export async function recredit(tx: Tx, context: CreditContext, decided: Decided): Promise<void> {
  const { row } = decided;
  if (!isKnown(row)) throw new Error('nothing is recorded that could be credited again');
  const plan = await planAgain(tx, context, { ...decided, row });
  if (row.isOld && (await isAnsweredSo(tx, row, plan))) return markAsked(tx, row, plan);
  await updateConversion(tx, context, plan);
  const { record, trace } = plan;
  // The time of the report and what fraud rules saw stay.
  const former = formerAnswer(context, row, record);
  await changeTrace(tx, record.id, (before) => {
    const { reported_at, fraud_rules } = before;
    return afterFormer({ ...trace, reported_at, fraud_rules }, before, former);
  });
  await recreditCommissions(tx, context, {
    conversionId: row.conversion.id,
    target: plan.commission,
    reason: plan.record.explanation,
  });
}

/** Whether an earlier release gave the same answer: then the terms of then stay pinned. */
async function isAnsweredSo(
  tx: Tx,
  { conversion }: KnownRow,
  { record, commission }: ConversionPlan,
): Promise<boolean> {
  const { id, attributed, participantId, amountCents } = conversion;
  const isSame =
    attributed === record.attributed &&
    participantId === record.participantId &&
    amountCents === record.amountCents;
  if (!isSame) return false;
  const earns = await queryOne(
    tx,
    `SELECT 1 FROM commissions
      WHERE conversion_id = $1 AND credited AND original_amount_cents > 0`,
    [id],
  );
  return (earns !== undefined) === (commission !== null);
}

/** Marks the sale of an earlier release as asked: from now on it is asked again like any other. */
async function markAsked(tx: Tx, { conversion }: KnownRow, { record }: ConversionPlan) {
  await update(tx, Conversion, {
    set: { creditedAs: record.creditedAs },
    where: { id: conversion.id },
  });
}

/** Nobody had brought the customer when this was paid, by all that is known now. */
export async function uncredit(
  tx: Tx,
  context: CreditContext,
  { row, payment }: { row: TimelineRow; payment: Payment },
): Promise<void> {
  if (!isKnown(row)) return;
  const { id } = row.conversion;
  const explanation = 'Nobody had brought the customer when this was paid.';
  await execute(
    tx,
    `UPDATE conversions SET attributed = false, reason = $2, explanation = $3, matched_by = NULL,
            program_id = NULL, participant_id = NULL, link_id = NULL, window_ends_at = NULL,
            new_customer = false, credited_as = 'nobody'
      WHERE id = $1 AND workspace_id = $4 AND mode = $5`,
    [id, failureOf(payment), explanation, context.scope.workspaceId, context.scope.mode],
  );
  await changeTrace(tx, id, (before) => {
    const candidates = before.candidates.filter(({ outcome }) => outcome !== 'HOLDS');
    const unranked = { rules: [], customer_month: null, payment_number: null };
    const now = { ...before, candidates, rule: null, terms: null, ...unranked };
    return afterFormer(now, before, formerAnswer(context, row, nobodys(row, payment)));
  });
  await recreditCommissions(tx, context, { conversionId: id, target: null, reason: explanation });
}

type Answered = Pick<TimelineConversion, 'attributed' | 'reason' | 'participantId' | 'amountCents'>;

/** What was answered before; null where the answer is the same. */
function formerAnswer(
  { now, fact }: CreditContext,
  { conversion }: KnownRow,
  next: Answered,
): FormerAnswer | null {
  const { attributed, reason, participantId, amountCents } = conversion;
  const isSame =
    attributed === next.attributed &&
    reason === next.reason &&
    participantId === next.participantId &&
    amountCents === next.amountCents;
  if (isSame) return null;
  const until = now.toISOString();
  return {
    until,
    fact,
    attributed,
    reason,
    participant_id: participantId,
    amount_cents: amountCents,
  };
}

function nobodys({ conversion }: KnownRow, payment: Payment): Answered {
  const reason = failureOf(payment);
  return { ...conversion, attributed: false, reason, participantId: null };
}

/** Signals that lead to a partner have not failed: they do not count, as if there were none. */
function failureOf({ own }: Payment): AttributionReason {
  return own === null || own.reason === 'ATTRIBUTED' ? 'CLICK_NOT_FOUND' : own.reason;
}

function isKnown(row: TimelineRow): row is KnownRow {
  return row.conversion !== null;
}

/** The same plan as of a new conversion, by the credit of now; what was asked once is not asked again. */
async function planAgain(
  tx: Tx,
  { scope, now, requestId }: CreditContext,
  decided: Decided & { row: KnownRow },
): Promise<ConversionPlan> {
  const { row, payment } = decided;
  const { participantId, reason } = row.conversion;
  const stands = { verdict: payment.own, participantId, reason };
  const credit = decidedCredit(decided, stands, now);
  const told = reportAgain(row, payment);
  const eventType = told.source === 'api' ? told.eventType : eventTypeOf(decided.credit);
  const report: ConversionReport = { ...told, eventType, credit };
  const submission = { scope, report, id: row.conversion.id, now, requestId };
  const [facts] = await readFacts(tx, [submission]);
  if (!facts) throw new Error('a conversion without facts');
  return planConversion({ facts, ...submission });
}

function reportAgain(row: KnownRow, { amountCents, paid, toldBy, own }: Payment) {
  const { conversion, sale } = row;
  const { source, externalTransactionId, currency, customerId } = conversion;
  // What the processor tells counts before what was reported, where it has signals at all.
  const isJudgedByReport = source === 'api' && (toldBy === 'report' || own === null);
  return {
    source,
    externalTransactionId,
    aliases: [],
    eventType: conversion.eventType,
    amountCents,
    currency,
    occurredAt: paid.at,
    ...(isJudgedByReport ? signalsReported(conversion) : signalsAsJudged(row)),
    prospect: null,
    customerId,
    ...soldOf(row, conversion),
    feeCents: sale?.feeCents ?? null,
  };
}

function signalsReported({ clickId, promoCode }: TimelineConversion) {
  return { clickId, promoCode, checkedOutAt: null };
}

async function updateConversion(
  tx: Tx,
  { scope }: CreditContext,
  { record, linkId, isOfNewCustomer }: ConversionPlan,
): Promise<void> {
  await execute(
    tx,
    `UPDATE conversions SET attributed = $4, reason = $5, explanation = $6, matched_by = $7,
            program_id = $8, participant_id = $9, link_id = $10, window_ends_at = $11,
            new_customer = $12, credited_as = $13, event_type = $14, amount_cents = $15,
            click_id = $16, promo_code = $17, metadata = $18, items = $19
      WHERE id = $1 AND workspace_id = $2 AND mode = $3`,
    [
      record.id,
      scope.workspaceId,
      scope.mode,
      record.attributed,
      record.reason,
      record.explanation,
      record.matchedBy,
      record.programId,
      record.participantId,
      linkId,
      record.windowEndsAt,
      isOfNewCustomer,
      record.creditedAs,
      record.eventType,
      record.amountCents,
      record.clickId,
      record.promoCode,
      record.metadata && JSON.stringify(record.metadata),
      record.items && JSON.stringify(record.items),
    ],
  );
}

/** The decision shows what holds now. */
async function changeTrace(
  tx: Tx,
  conversionId: string,
  change: (before: DecisionTrace) => DecisionTrace,
): Promise<void> {
  const before = await queryOne<{ trace: DecisionTrace }>(
    tx,
    'SELECT trace FROM attribution_decisions WHERE conversion_id = $1',
    [conversionId],
  );
  if (!before) return;
  await query(tx, 'UPDATE attribution_decisions SET trace = $2 WHERE conversion_id = $1', [
    conversionId,
    JSON.stringify(change(before.trace)),
  ]);
}
