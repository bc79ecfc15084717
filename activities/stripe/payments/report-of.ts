import {
  baseOf,
  checkedOutAt,
  checkoutWaitMs,
  isInvoiceOnly,
  isPaid,
  mayHaveCheckout,
  paymentFactsOf,
  signalsOf,
  transactionIdOf,
} from '../../../entities/rules/stripe/classify';
import type { PaymentFact } from '../../../entities/rules/stripe/payment-fact';
import { settlementOf } from '../../../entities/rules/stripe/settlement';
import type { Scope } from '../../../entities/rules/values/mode';
import type { Tx } from '../../../entities/database/sql';
import type { ConversionReport, RenewalCredit } from '../../conversions/report';
import type { CommandContext } from '../../journal/cause';
import { findEarlierPayments, findLaterBuyer, type EarlierPayments } from './earlier-payments';
import { resolveSignals, sellsByApiOnly, type ResolvedSignals } from './signals';
import { findUnpaidOfSubscription, paymentIdsOf, type StripePaymentRecord } from './payments';

export interface ArrivedPayment {
  payment: StripePaymentRecord;
  /** The buyer and the keyed hash of the address, for the fraud rules. */
  prospect: ConversionReport['prospect'];
}

/** When an invoice stops waiting for the checkout that may have made it. */
export function waitsUntil({ createdAt }: Pick<StripePaymentRecord, 'createdAt'>): Date {
  return new Date(createdAt.getTime() + checkoutWaitMs);
}

/**
 * The payment as a conversion to record; `waits` while a checkout may still say whose it is, `api`
 * when the programme takes no sales of Stripe's, null while it is no payment, or none of ours.
 */
export async function reportOf(
  tx: Tx,
  { scope, now }: CommandContext,
  { payment, prospect }: ArrivedPayment,
): Promise<ConversionReport | 'waits' | 'api' | null> {
  const facts = paymentFactsOf(payment.objects);
  const main = facts.find(isPaid);
  const base = baseOf(facts);
  const ids = paymentIdsOf(payment.objects);
  const externalTransactionId = transactionIdOf(ids);
  if (!main || !base || externalTransactionId === undefined) return null;

  const origin = await originOf(tx, scope, { payment, facts, main, now });
  if (origin === null || typeof origin === 'string') return origin;
  const { credit } = origin;
  if (credit && (await sellsByApiOnly(tx, scope, credit.participantId))) return 'api';
  return {
    source: 'stripe',
    externalTransactionId,
    aliases: ids,
    amountCents: base.amountCents,
    grossCents: base.chargedCents,
    currency: base.currency,
    occurredAt: new Date(main.paidAt),
    prospect,
    customerId: main.customerId,
    metadata: null,
    feeCents: settlementOf(payment.objects).feeCents,
    ...origin,
  };
}

interface PaidPayment {
  payment: StripePaymentRecord;
  facts: PaymentFact[];
  /** The object that gives amount and time. */
  main: PaymentFact;
  now: Date;
}

type Origin = Pick<
  ConversionReport,
  'clickId' | 'promoCode' | 'credit' | 'eventType' | 'checkedOutAt'
>;

type Outcome = Origin | 'waits' | 'api' | null;

/** Who brought it. What a checkout made has signals of its own first. */
async function originOf(tx: Tx, scope: Scope, paid: PaidPayment): Promise<Outcome> {
  if (isInvoiceOnly(paid.facts)) return originOfInvoice(tx, scope, paid);
  return (await saleOf(tx, scope, paid)) ?? checkoutRenewal(tx, scope, paid);
}

/** An invoice is a renewal whatever it carries, when an earlier payment says whose. */
async function originOfInvoice(tx: Tx, scope: Scope, paid: PaidPayment): Promise<Outcome> {
  const earlier = await earlierThan(tx, scope, paid);
  if (earlier.of === 'customer') {
    const trial = await trialSaleOf(tx, scope, paid);
    if (trial) return firstOf(tx, scope, { paid, sale: trial });
    if (earlier.credit && waitsForCheckout(paid)) return 'waits';
  }
  if (earlier.credit) return renewal(earlier.credit);
  const isFirst = earlier.of === null || (earlier.of === 'customer' && paid.main.begins === true);
  return bySignals(tx, scope, { paid, isFirst });
}

async function bySignals(
  tx: Tx,
  scope: Scope,
  { paid, isFirst }: { paid: PaidPayment; isFirst: boolean },
): Promise<Outcome> {
  const sale = await saleOf(tx, scope, paid);
  if (isFirst) return sale && firstOf(tx, scope, { paid, sale });
  return sale === null || sale === 'api' ? sale : { ...sale, eventType: 'renewal' };
}

/**
 * A subscription's signals make one purchase: when a later invoice of the subscription came first and is
 * that purchase, this one is a renewal with the months counted from it, so that both together earn
 * what they would in their order.
 */
async function firstOf(
  tx: Tx,
  scope: Scope,
  { paid, sale }: { paid: PaidPayment; sale: Origin | 'api' },
): Promise<Origin | 'api'> {
  if (sale === 'api') return sale;
  const paidAt = new Date(paid.main.paidAt);
  const participantId = await findLaterBuyer(tx, scope, { ...paid.payment, ...sale, paidAt });
  if (participantId === null) return sale;
  return renewal({ participantId, firstPaidAt: paidAt, refusal: null });
}

function waitsForCheckout({ payment, facts, now }: PaidPayment): boolean {
  return mayHaveCheckout(facts) && now < waitsUntil(payment);
}

function earlierThan(
  tx: Tx,
  scope: Scope,
  { payment, main }: PaidPayment,
): Promise<EarlierPayments> {
  return findEarlierPayments(tx, scope, { ...payment, paidAt: new Date(main.paidAt) });
}

/** A sale by its own signals; after a trial also by those of the zero-amount checkout, its own first. */
async function saleOf(
  tx: Tx,
  scope: Scope,
  { payment, facts }: PaidPayment,
): Promise<Origin | 'api' | null> {
  const trial = await trialFacts(tx, scope, payment);
  const signals = await resolveSignals(tx, scope, signalsOf([...facts, ...trial]));
  if (signals === null || signals === 'api') return signals;
  return sale(signals, checkedOutAt(facts) ?? checkedOutAt(trial));
}

/** What a checkout began with a trial is a sale of its own, whoever brought the customer earlier. */
async function trialSaleOf(
  tx: Tx,
  scope: Scope,
  paid: PaidPayment,
): Promise<Origin | 'api' | null> {
  const trial = await trialFacts(tx, scope, paid.payment);
  return trial.some(({ kind }) => kind === 'session') ? saleOf(tx, scope, paid) : null;
}

function sale(signals: ResolvedSignals, at: Date | null): Origin {
  return { ...signals, credit: null, eventType: 'purchase', checkedOutAt: at };
}

/** A subscription whose checkout carries nothing of ours: its invoice is the customer's renewal. */
async function checkoutRenewal(tx: Tx, scope: Scope, paid: PaidPayment): Promise<Origin | null> {
  const isComplete = paid.facts.some(({ kind }) => kind === 'invoice');
  if (paid.payment.subscriptionId === null || !isComplete) return null;
  const { credit } = await earlierThan(tx, scope, paid);
  return credit && renewal(credit);
}

function renewal(credit: RenewalCredit): Origin {
  return { clickId: null, promoCode: null, credit, eventType: 'renewal', checkedOutAt: null };
}

async function trialFacts(
  tx: Tx,
  scope: Scope,
  { id, subscriptionId }: StripePaymentRecord,
): Promise<PaymentFact[]> {
  if (subscriptionId === null) return [];
  const siblings = await findUnpaidOfSubscription(tx, scope, { id, subscriptionId });
  return siblings.flatMap(({ objects }) => paymentFactsOf(objects)).filter((fact) => !isPaid(fact));
}
