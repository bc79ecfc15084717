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
import { earliest } from '../../../entities/rules/commissions/renewal';
import type { PaymentFact } from '../../../entities/rules/stripe/payment-fact';
import { settlementOf } from '../../../entities/rules/stripe/settlement';
import type { Scope } from '../../../entities/rules/values/mode';
import type { Tx } from '../../../entities/database/sql';
import type { ConversionReport, RenewalCredit } from '../../conversions/report';
import type { CommandContext } from '../../journal/cause';
import {
  isBoundWhenPaid,
  isDecidedByHand,
  joinPayingCustomer,
  type PayingCustomer,
} from './customer-of';
import { findEarlierPayments, findLaterBuyer, type EarlierPayments } from './earlier-payments';
import { resolveSignals, sellsByApiOnly, type ResolvedSignals } from './signals';
import { findUnpaidOfSubscription, paymentIdsOf, type StripePaymentRecord } from './payments';

export interface ArrivedPayment {
  payment: StripePaymentRecord;
  /** The buyer and the keyed hash of the address, for the fraud rules. */
  prospect: ConversionReport['prospect'];
  /** Stripe can be asked whether a checkout made an invoice. */
  canAsk: boolean;
}

/** When an invoice stops waiting for the checkout that may have made it. */
export function waitsUntil({ createdAt }: Pick<StripePaymentRecord, 'createdAt'>): Date {
  return new Date(createdAt.getTime() + checkoutWaitMs);
}

/**
 * The payment as a conversion to record; `waits` while a checkout may still say whose it is, `api`
 * when the programme takes no sales of Stripe's, null while it is no payment, or none of ours.
 */
export async function paymentReportOf(
  tx: Tx,
  { scope, now }: CommandContext,
  { payment, prospect, canAsk }: ArrivedPayment,
): Promise<ConversionReport | 'waits' | 'api' | null> {
  const facts = paymentFactsOf(payment.objects);
  const main = facts.find(isPaid);
  const base = baseOf(facts);
  const ids = paymentIdsOf(payment.objects);
  const externalTransactionId = transactionIdOf(ids);
  if (!main || !base || externalTransactionId === undefined) return null;

  const customer = await joinPayingCustomer(tx, { scope, now }, facts);
  const origin = await originOf(tx, scope, { payment, facts, main, now, customer, canAsk });
  if (origin === null || typeof origin === 'string') return origin;
  const creditTo = creditedWithoutSignal(origin, customer);
  if (creditTo !== null && (await sellsByApiOnly(tx, scope, creditTo))) return 'api';
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
    customerNames: customer ? [customer.name] : [],
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
  customer: PayingCustomer | undefined;
  canAsk: boolean;
}

type Origin = Pick<
  ConversionReport,
  'clickId' | 'promoCode' | 'credit' | 'eventType' | 'checkedOutAt'
>;

type Outcome = Origin | 'waits' | 'api' | null;

/** Who brought it. What a checkout made has signals of its own first. */
async function originOf(tx: Tx, scope: Scope, paid: PaidPayment): Promise<Outcome> {
  const origin = isInvoiceOnly(paid.facts)
    ? await originOfInvoice(tx, scope, paid)
    : ((await saleOf(tx, scope, paid)) ?? (await checkoutRenewal(tx, scope, paid)));
  return origin ?? byCustomer(paid);
}

/** Without anything of its own it is the customer's partner's, who is asked for as an API report does. */
function byCustomer(paid: PaidPayment): Outcome {
  const { customer, main } = paid;
  if (!customer || !isBoundWhenPaid(customer, new Date(main.paidAt))) return null;
  if (waitsForCheckout(paid)) return 'waits';
  const eventType = customer.firstPaidAt ? 'renewal' : 'purchase';
  return { clickId: null, promoCode: null, credit: null, eventType, checkedOutAt: null };
}

/** Whom a renewal or the customer's binding leads to; null where a click or code does. */
function creditedWithoutSignal(
  { credit, clickId, promoCode }: Origin,
  customer: PayingCustomer | undefined,
): string | null {
  if (credit) return credit.participantId;
  return clickId === null && promoCode === null ? (customer?.participantId ?? null) : null;
}

/** Once a member has said whose the customer is, what is paid afterwards follows that. */
function isByHandNow({ customer, main }: PaidPayment): boolean {
  return customer !== undefined && isDecidedByHand(customer, new Date(main.paidAt));
}

/** An invoice is a renewal whatever it carries, when an earlier payment says whose. */
async function originOfInvoice(tx: Tx, scope: Scope, paid: PaidPayment): Promise<Outcome> {
  if (isByHandNow(paid)) return null;
  const earlier = await earlierThan(tx, scope, paid);
  if (earlier.of === 'customer') {
    const trial = await trialSaleOf(tx, scope, paid);
    if (trial) return firstOf(tx, scope, { paid, sale: trial });
    if (earlier.credit && waitsForCheckout(paid)) return 'waits';
  }
  if (earlier.credit) return renewal(withMonthsOf(paid, earlier.credit));
  const isFirst = earlier.of === null || (earlier.of === 'customer' && paid.main.begins === true);
  return bySignals(tx, scope, { paid, isFirst });
}

async function bySignals(
  tx: Tx,
  scope: Scope,
  { paid, isFirst }: { paid: PaidPayment; isFirst: boolean },
): Promise<Outcome> {
  const sale = await saleOf(tx, scope, paid);
  // What the buyer did in the checkout comes before what the subscription carries.
  if (sale !== null && paid.canAsk && waitsForCheckout(paid)) return 'waits';
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
  if (paid.payment.subscriptionId === null || !isComplete || isByHandNow(paid)) return null;
  const { credit } = await earlierThan(tx, scope, paid);
  return credit && renewal(withMonthsOf(paid, credit));
}

/** Months count from the customer's first payment, whoever told us of it and whose they were then. */
function withMonthsOf({ customer }: PaidPayment, credit: RenewalCredit): RenewalCredit {
  const first = customer?.firstPaidAt;
  return first ? { ...credit, firstPaidAt: earliest(first, credit.firstPaidAt) } : credit;
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
