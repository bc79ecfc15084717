import {
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
import type { ConversionReport, RenewalCredit } from '../../conversions/decide';
import { findEarlierPayments, resolveSignals, type ResolvedSignals } from './signals';
import { findUnpaidOfSubscription, paymentIdsOf, type StripePaymentRecord } from './payments';

export interface PaymentContext {
  payment: StripePaymentRecord;
  /** The buyer and the keyed hash of the address, for the fraud rules. */
  prospect: ConversionReport['prospect'];
  now: Date;
}

/** When an invoice stops waiting for the checkout that may have made it. */
export function waitsUntil({ createdAt }: StripePaymentRecord): Date {
  return new Date(createdAt.getTime() + checkoutWaitMs);
}

/**
 * The payment as a conversion to record; `waits` while a checkout may still say whose it is, null
 * while it is no payment, or none of ours.
 */
export async function reportOf(
  tx: Tx,
  scope: Scope,
  { payment, prospect, now }: PaymentContext,
): Promise<ConversionReport | 'waits' | null> {
  const facts = paymentFactsOf(payment.objects);
  const main = facts.find(isPaid);
  const ids = paymentIdsOf(payment.objects);
  const externalTransactionId = transactionIdOf(ids);
  if (!main || externalTransactionId === undefined) return null;

  const origin = await originOf(tx, scope, { payment, facts, main, now });
  if (origin === 'waits' || origin === null) return origin;
  return {
    source: 'stripe',
    externalTransactionId,
    aliases: ids,
    amountCents: main.amountCents,
    currency: main.currency,
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
  /** The identifying that gives amount and time. */
  main: PaymentFact;
  now: Date;
}

type Origin = Pick<
  ConversionReport,
  'clickId' | 'promoCode' | 'credit' | 'eventType' | 'checkedOutAt'
>;

/**
 * Who brought it. An invoice is a renewal whatever it carries, when an earlier payment says whose;
 * what a checkout made has signals of its own first.
 */
async function originOf(tx: Tx, scope: Scope, paid: PaidPayment): Promise<Origin | 'waits' | null> {
  const { payment, facts, main, now } = paid;
  if (!isInvoiceOnly(facts))
    return (await saleOf(tx, scope, paid)) ?? checkoutRenewal(tx, scope, paid);

  const asked = { ...payment, paidAt: new Date(main.paidAt) };
  const earlier = await findEarlierPayments(tx, scope, asked);
  const trial = earlier.of === 'customer' && (await trialSaleOf(tx, scope, paid));
  if (trial) return trial;
  if (earlier.of === 'customer' && earlier.credit && mayHaveCheckout(facts)) {
    if (now < waitsUntil(payment)) return 'waits';
  }
  if (earlier.credit) return renewal(earlier.credit);
  const sale = await saleOf(tx, scope, paid);
  const isFirst = earlier.of === null || (earlier.of === 'customer' && main.begins === true);
  return sale && { ...sale, eventType: isFirst ? 'purchase' : 'renewal' };
}

/** A sale by its own signals; after a trial also by those of the zero-amount checkout, its own first. */
async function saleOf(
  tx: Tx,
  scope: Scope,
  { payment, facts }: PaidPayment,
): Promise<Origin | null> {
  const trial = await trialFacts(tx, scope, payment);
  const signals = await resolveSignals(tx, scope, signalsOf([...facts, ...trial]));
  return signals && sale(signals, checkedOutAt(facts) ?? checkedOutAt(trial));
}

/** What a checkout began with a trial is a sale of its own, whoever brought the customer earlier. */
async function trialSaleOf(tx: Tx, scope: Scope, paid: PaidPayment): Promise<Origin | null> {
  const trial = await trialFacts(tx, scope, paid.payment);
  return trial.some(({ kind }) => kind === 'session') ? saleOf(tx, scope, paid) : null;
}

function sale(signals: ResolvedSignals, at: Date | null): Origin {
  return { ...signals, credit: null, eventType: 'purchase', checkedOutAt: at };
}

/** A subscription whose checkout carries nothing of ours: its invoice is the customer's renewal. */
async function checkoutRenewal(
  tx: Tx,
  scope: Scope,
  { payment, facts, main }: PaidPayment,
): Promise<Origin | null> {
  const isComplete = facts.some(({ kind }) => kind === 'invoice');
  if (payment.subscriptionId === null || !isComplete) return null;
  const asked = { ...payment, paidAt: new Date(main.paidAt) };
  const { credit } = await findEarlierPayments(tx, scope, asked);
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
