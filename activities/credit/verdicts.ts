import { execute, type Tx } from '../../entities/database/sql';
import { newId } from '../../entities/ids';
import type { Biller } from '../../entities/rules/billing/biller';
import type { Verdict } from '../../entities/rules/payments/credit';
import {
  signalsKey,
  type StoredSale,
  type StoredSignals,
  type StoredVerdict,
} from '../../entities/rules/payments/sale';
import { ownVerdict } from '../conversions/judge-fraud';
import { readSignals } from '../conversions/record';
import type { ConversionReport } from '../conversions/report';
import { withStatusesOfArrival } from '../conversions/terms-of-arrival';
import type { CreditContext } from './biller';
import { isFixed, toldFirstAt, trialBefore, trialsOf } from './payment-of';
import { resolveSignals } from './signals';
import type { TimelineRow } from './timeline';

export type JudgedRow = TimelineRow & { sale: StoredSale; paymentId: string; biller: Biller };

/** What the signals of each payment that a processor tells lead to; those that changed are judged, once. */
export async function judgeSignals(
  tx: Tx,
  context: CreditContext,
  rows: readonly TimelineRow[],
): Promise<Map<string, StoredVerdict | null>> {
  const trials = trialsOf(rows);
  const verdicts = new Map<string, StoredVerdict | null>();
  for (const row of rows) {
    if (!isJudged(row)) continue;
    const trial = trialBefore(trials, { ...row, paidAt: row.sale.paidAt ?? '' });
    row.verdict = await verdictOf(tx, context, { row, trial });
    verdicts.set(row.key, row.verdict);
  }
  return verdicts;
}

function isJudged(row: TimelineRow): row is JudgedRow {
  return row.paymentId !== null && row.sale !== null && row.sale.paidAt !== null && !isFixed(row);
}

interface Judging {
  row: JudgedRow;
  /** What began the subscription with a trial: its signals count after the payment's own. */
  trial: readonly StoredSale[];
}

async function verdictOf(
  tx: Tx,
  context: CreditContext,
  judging: Judging,
): Promise<StoredVerdict | null> {
  const { row, trial } = judging;
  const signals = allSignals([row.sale, ...trial]);
  if (isEmpty(signals)) return null;
  const key = signalsKey(signals);
  const madeAt = momentOf(row.sale, trial).toISOString();
  if (row.verdict?.key === key && isOfMoment(row.verdict, madeAt))
    return hasReason(row.verdict) ? row.verdict : null;
  const asked = { key, madeAt };
  const verdict =
    verdictOfBefore(row, asked) ?? (await judge(tx, context, { ...judging, ...asked, signals }));
  await execute(tx, 'UPDATE stripe_payments SET verdict = $2 WHERE id = $1', [
    row.paymentId,
    verdict ?? { key },
  ]);
  return verdict;
}

/** A trial that is told late moves the moment that a click's window is compared with, though it adds no signal. */
function isOfMoment({ clickId, madeAt: before }: Partial<StoredVerdict>, madeAt: string): boolean {
  return !clickId || before === madeAt;
}

type Asked = Pick<StoredVerdict, 'key' | 'madeAt'>;

/** What a release that kept no verdicts made of the payment's own signals stands. */
function verdictOfBefore({ conversion, isOld }: JudgedRow, asked: Asked): StoredVerdict | null {
  const matchedBy = conversion?.matchedBy ?? null;
  if (!isOld || !conversion || (matchedBy !== 'click' && matchedBy !== 'promo_code')) return null;
  const { reason, clickId, promoCode, participantId, programId } = conversion;
  return { ...asked, reason, clickId, promoCode, participantId, programId };
}

function isEmpty({ clickIds, metadataClickIds, codes }: StoredSignals): boolean {
  return clickIds.length + metadataClickIds.length + codes.length === 0;
}

/** A verdict without a reason is kept as its key alone: the payment has no signal of ours. */
function hasReason(verdict: Partial<StoredVerdict>): boolean {
  return verdict.reason !== undefined;
}

function allSignals(sales: readonly StoredSale[]): StoredSignals {
  const distinct = (pick: (signals: StoredSignals) => string[]): string[] => [
    ...new Set(sales.flatMap(({ signals }) => pick(signals))),
  ];
  return {
    clickIds: distinct(({ clickIds }) => clickIds),
    metadataClickIds: distinct(({ metadataClickIds }) => metadataClickIds),
    codes: distinct(({ codes }) => codes),
  };
}

async function judge(
  tx: Tx,
  { scope, now, biller }: CreditContext,
  { row, signals, key, madeAt }: Judging & Asked & { signals: StoredSignals },
): Promise<StoredVerdict | null> {
  const resolved = await resolveSignals(tx, scope, { biller: row.biller, signals });
  if (resolved === null) return null;
  const nowhere = { clickId: null, promoCode: null, participantId: null };
  if (resolved === 'elsewhere') {
    return { key, madeAt, reason: 'elsewhere', ...nowhere, programId: null };
  }
  const prospect = await biller.prospectOf(tx, row.paymentId);
  const report = { ...reportOf(row), ...resolved, prospect, checkedOutAt: new Date(madeAt) };
  const submission = { scope, report, id: newId(), now, firstToldAt: toldFirstAt(row, now) };
  const [known] = await readSignals(tx, [submission]);
  const facts = known && (await withStatusesOfArrival(tx, submission, known));
  const verdict = facts ? ownVerdict({ facts, ...submission }) : null;
  return verdict && { key, madeAt, ...resolved, ...verdict };
}

/** The payment as a report, but for who is credited. */
export function reportOf({ biller, sale, buyer }: JudgedRow): ConversionReport {
  return {
    source: biller,
    externalTransactionId: sale.externalId,
    aliases: sale.aliases,
    eventType: 'purchase',
    amountCents: sale.amountCents,
    grossCents: sale.grossCents,
    currency: sale.currency,
    occurredAt: sale.paidAt === null ? null : new Date(sale.paidAt),
    clickId: null,
    promoCode: null,
    prospect: null,
    customerId: buyer,
    metadata: sale.metadata ?? null,
    items: sale.items ?? null,
    feeCents: sale.feeCents,
    credit: null,
  };
}

/** The moment of the checkout, its trial's too; without one the invoice's own. */
function momentOf(sale: StoredSale, trial: readonly StoredSale[]): Date {
  const checkout = [sale, ...trial].find(({ hasCheckout }) => hasCheckout) ?? sale;
  return new Date(checkout.madeAt);
}

/** A verdict as the rule takes it. */
export function asVerdict(verdict: StoredVerdict | null): Verdict | null {
  if (!verdict || verdict.reason === 'elsewhere') return null;
  const { reason, participantId, programId } = verdict;
  return { reason, participantId, programId };
}
