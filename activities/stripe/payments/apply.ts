import type { Scope } from '../../../entities/rules/values/mode';
import {
  hasSignal,
  isPaid,
  mayBeRenewal,
  paymentFactsOf,
  signalsOf,
  transactionIdOf,
  type PaymentSignals,
} from '../../../entities/rules/stripe/classify';
import type { StripeEventStatus, StripeFacts } from '../../../entities/rules/stripe/read-event';
import type { PaymentFact } from '../../../entities/rules/stripe/payment-fact';
import { settlementOf } from '../../../entities/rules/stripe/settlement';
import { type Db, transaction, type Tx } from '../../../entities/database/sql';
import type { ConversionReport } from '../../conversions/decide';
import { recordOne } from '../../conversions/record-one';
import { findEarlierPayments, resolveSignals } from './signals';
import {
  findOpenPaymentsOf,
  findPaymentsByObjects,
  findPaymentsOfSubscription,
  lockStripeIds,
  paymentIdsOf,
  savePayment,
  withoutForeignFirst,
  type StripePaymentRecord,
} from './payments';
import { findConversionsOf, settlePayment } from './settle';

export interface Application {
  facts: StripeFacts;
  /** The buyer and the keyed hash of the address, for the fraud rules. */
  prospect: ConversionReport['prospect'];
  now: Date;
}

export interface Outcome {
  status: Extract<StripeEventStatus, 'processed' | 'ignored' | 'waiting'>;
  /** Why it was ignored, or what it waits for. */
  reason: string | null;
  paymentId: string | null;
}

/** A payment has a handful of objects: it cannot change much more often than this while we look. */
const mostLooks = 10;

/**
 * One transaction that applies an event's facts, and what `then` adds to it. Begins again when
 * another event joined further objects to the payment just before our locks were granted: the next
 * look locks those too, all in one order, so that nobody waits for each other.
 */
export async function applyInTransaction(
  db: Db,
  scope: Scope,
  { then, ...application }: Application & { then?: (tx: Tx, outcome: Outcome) => Promise<void> },
): Promise<Outcome> {
  for (let look = 1; ; look += 1) {
    try {
      return await transaction(db, async (tx) => {
        const outcome = await applyStripeFacts(tx, scope, application);
        await then?.(tx, outcome);
        return outcome;
      });
    } catch (error) {
      if (!(error instanceof PaymentGrewError) || look === mostLooks) throw error;
    }
  }
}

class PaymentGrewError extends Error {
  override readonly name = 'PaymentGrewError';
}

/**
 * Applies what an event tells of a payment, in an open transaction. Facts are merged and the
 * payment's conversion brought to what they say together, so any order and number of events ends
 * the same.
 */
async function applyStripeFacts(tx: Tx, scope: Scope, application: Application): Promise<Outcome> {
  const { now } = application;
  const locked = await lockPayments(tx, scope, application.facts);
  const { facts, known } = withoutForeignFirst(application.facts, locked);
  const payment = await savePayment(tx, scope, { facts, known, now });
  if (!payment) return { status: 'ignored', reason: 'It names no payment.', paymentId: null };

  const isConversion = await bringUpToDate(tx, scope, { ...application, payment });
  if (isConversion) {
    await recordOpenRenewals(tx, scope, { payment, now });
    return { status: 'processed', reason: null, paymentId: payment.id };
  }
  return { ...(await withoutConversion(tx, scope, payment)), paymentId: payment.id };
}

/**
 * Locks all that the event can touch: its objects, those of the payments they belong to, and the
 * subscription and customer whose renewals hang on it. Then reads those payments.
 */
async function lockPayments(
  tx: Tx,
  scope: Scope,
  facts: StripeFacts,
): Promise<StripePaymentRecord[]> {
  const told = [...facts.ids, ...facts.objects.map(({ id }) => id)];
  const parties = paymentFactsOf(facts.objects).flatMap(partiesOf);
  const seen = await findPaymentsByObjects(tx, scope, told);
  const locked = new Set([...told, ...parties, ...seen.flatMap(allIdsOf)]);
  await lockStripeIds(tx, scope, [...locked]);

  const known = await findPaymentsByObjects(tx, scope, told);
  const isMissed = known.flatMap(allIdsOf).some((id) => !locked.has(id));
  if (isMissed) throw new PaymentGrewError('the payment grew while it was read');
  return known;
}

function allIdsOf(payment: StripePaymentRecord): string[] {
  return [...payment.objects.map(({ id }) => id), ...partiesOf(payment)];
}

function partiesOf({
  subscriptionId,
  customerId,
}: {
  subscriptionId: string | null;
  customerId: string | null;
}): string[] {
  return [subscriptionId, customerId].filter((id) => id !== null);
}

interface PaymentContext extends Omit<Application, 'facts'> {
  payment: StripePaymentRecord;
}

/** Finds or makes the payment's conversion and settles it; false when there is none. */
async function bringUpToDate(tx: Tx, scope: Scope, context: PaymentContext): Promise<boolean> {
  const { payment, now } = context;
  let conversions = await findConversionsOf(tx, scope, payment);
  if (conversions.length === 0) {
    const report = await reportOf(tx, scope, context);
    if (!report) return false;
    const { id, amountCents, commission } = await recordOne(tx, scope, report, now);
    conversions = [{ id, amountCents, hasCommission: commission !== null }];
  }
  await settlePayment(tx, scope, { payment, conversions, now });
  return true;
}

/** The payment as a conversion to record; null while it is no payment, or none of ours. */
async function reportOf(
  tx: Tx,
  scope: Scope,
  { payment, prospect }: PaymentContext,
): Promise<ConversionReport | null> {
  const facts = paymentFactsOf(payment.objects);
  const main = facts.find(isPaid);
  const ids = paymentIdsOf(payment.objects);
  const externalTransactionId = transactionIdOf(ids);
  if (!main || externalTransactionId === undefined) return null;

  const { known, credit } = mayBeRenewal(facts)
    ? await findEarlierPayments(tx, scope, payment)
    : { known: false, credit: null };
  const signals = credit
    ? { clickId: null, promoCode: null }
    : await resolveSignals(tx, scope, await signalsWithTrial(tx, scope, { payment, facts }));
  if (!signals) return null;

  return {
    source: 'stripe',
    externalTransactionId,
    aliases: ids,
    eventType: known ? 'renewal' : 'purchase',
    amountCents: main.amountCents,
    currency: main.currency,
    occurredAt: new Date(main.paidAt),
    ...signals,
    prospect,
    customerId: main.customerId,
    metadata: null,
    feeCents: settlementOf(payment.objects).feeCents,
    credit,
  };
}

/**
 * A payment's own signals; the first one after a trial also has those of the zero-amount checkout
 * that began it.
 */
async function signalsWithTrial(
  tx: Tx,
  scope: Scope,
  { payment, facts }: { payment: StripePaymentRecord; facts: PaymentFact[] },
): Promise<PaymentSignals> {
  const own = signalsOf(facts);
  if (hasSignal(own) || payment.subscriptionId === null) return own;
  const siblings = await findPaymentsOfSubscription(tx, scope, payment.subscriptionId);
  const unpaid = siblings
    .flatMap(({ objects }) => paymentFactsOf(objects))
    .filter((fact) => !isPaid(fact));
  return signalsOf(unpaid);
}

/**
 * A first payment is known now: invoices of the subscription or customer that came before it, and
 * seemed to be nothing of ours, are renewals.
 */
async function recordOpenRenewals(
  tx: Tx,
  scope: Scope,
  { payment, now }: { payment: StripePaymentRecord; now: Date },
): Promise<void> {
  if (payment.subscriptionId === null && payment.customerId === null) return;
  for (const open of await findOpenPaymentsOf(tx, scope, payment)) {
    await bringUpToDate(tx, scope, { payment: open, prospect: null, now });
  }
}

/** What to say of an event whose payment is no conversion, or not yet. */
async function withoutConversion(
  tx: Tx,
  scope: Scope,
  payment: StripePaymentRecord,
): Promise<Pick<Outcome, 'status' | 'reason'>> {
  const facts = paymentFactsOf(payment.objects);
  if (facts.length === 0) {
    return { status: 'waiting', reason: 'Its payment has not arrived.' };
  }
  if (facts.some(isPaid)) {
    return { status: 'ignored', reason: 'The payment carries no click and no code of a partner.' };
  }
  const isRemembered =
    payment.subscriptionId !== null && (await resolveSignals(tx, scope, signalsOf(facts))) !== null;
  if (isRemembered) return { status: 'processed', reason: null };
  return { status: 'ignored', reason: 'Nothing was paid yet.' };
}
