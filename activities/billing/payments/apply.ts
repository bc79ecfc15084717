import type { Scope } from '../../../entities/rules/values/mode';
import { rulesOf } from '../../../entities/rules/billers';
import { billerNames, type Biller } from '../../../entities/rules/billing/biller';
import type { BillerFacts, PaymentSummary } from '../../../entities/rules/billing/rules';
import { keptOf } from '../../../entities/rules/payments/duplicates';
import type { StoredSale } from '../../../entities/rules/payments/sale';
import { boundedTransaction, type Db, type Tx } from '../../../entities/database/sql';
import type { ConversionReport } from '../../conversions/report';
import type { Answer } from '../../credit/answer';
import { askAgain } from '../../credit/ask';
import { resolveSignals } from '../../credit/signals';
import { canAsk } from '../../credit/timeline';
import type { CommandContext } from '../../journal/cause';
import { retry, waits, type RetryPolicy } from '../../../runtime/load/retry';
import { dismissEvents, type EventOutcome } from '../events/progress';
import { hasPromoCodes } from '../events/is-ours';
import { waitsFor } from '../events/waiting';
import { billerOf, settleKnown } from './biller';
import { enqueueWaiting } from './enqueue-follow-ups';
import {
  findPaymentsByObjects,
  lockStripeIds,
  savePayment,
  setConversion,
  withoutForeignFirst,
  type StripePaymentRecord,
} from './payments';
import type { ProspectVault } from './prospect';
import { reportedBuyer } from './reported-buyer';
import { findConversionsOf, settlePayment, type KnownConversion } from './settle';

/** What is to be applied of one event. */
interface FactsCommand {
  biller: Biller;
  facts: BillerFacts;
  /** The buyer and the keyed hash of the address, for the fraud rules. */
  prospect: ConversionReport['prospect'];
  vault?: ProspectVault;
  /** No event, but a payment that is to be judged once more. */
  isFollowUp?: boolean;
  /** What else belongs in the same transaction. */
  then?: (tx: Tx, outcome: EventOutcome) => Promise<void>;
}

/**
 * Another event joined further objects to the payment just before our locks were granted: the next
 * attempt locks those too, all in one order, so that transactions never dead-lock. A payment has a
 * handful of objects, so it cannot grow much more often than this.
 */
const whileThePaymentGrows: RetryPolicy = {
  waitsMs: waits(0, 9),
  isWorthIt: (error) => error instanceof PaymentGrewError,
};

/** One transaction that applies an event's facts. */
export function applyInTransaction(
  db: Db,
  context: CommandContext,
  command: FactsCommand,
): Promise<EventOutcome> {
  const apply = async (tx: Tx): Promise<EventOutcome> => {
    const outcome = await applyStripeFacts(tx, context, command);
    await command.then?.(tx, outcome);
    return outcome;
  };
  return retry(whileThePaymentGrows, () => boundedTransaction(db, apply));
}

class PaymentGrewError extends Error {
  override readonly name = 'PaymentGrewError';
}

/** No sale has this many objects: the event is given up, and says so. */
export class PaymentTooLargeError extends Error {
  override readonly name = 'PaymentTooLargeError';
}

/** Locks of one event, with all that its payment is known by. */
const maxLocks = 250;
/** Objects of one payment, refunds and disputes included. */
const maxObjects = 1_000;

/** Why a payment of a programme that takes others' sales alone makes no conversion. */
function soldElsewhere(biller: Biller): string {
  return `The programme takes no sales from ${billerNames[biller]} (salesFrom).`;
}

/**
 * Applies what an event says of a payment, in an open transaction. Facts are merged, who is credited is
 * asked anew where they tell more of it, and the payment's conversion is brought to what they say
 * together, so any order and number of events ends the same.
 */
async function applyStripeFacts(
  tx: Tx,
  context: CommandContext,
  applied: FactsCommand,
): Promise<EventOutcome> {
  const { biller } = applied;
  const locked = await lockPayments(tx, context.scope, applied);
  const { facts, known } = withoutForeignFirst(applied.facts, locked);
  const payment = await savePayment(tx, context, { biller, facts, known });
  if (!payment) return { status: 'ignored', reason: 'It names no payment.', paymentId: null };

  const joined = await joinConversions(tx, context, { payment, known: known[0] });
  const isJoining = applied.isFollowUp === true || joined.conversions.length > 1;
  const isNews = isJoining || tellsOfCredit(known, joined.payment);
  const isToBeJudged = tellsWhoSold(applied, { known, payment });
  const answer = isNews
    ? await askAndSettle(tx, context, { ...joined, applied, isToBeJudged })
    : await settleJoined(tx, context, joined);
  if (answer === 'settled') return { status: 'processed', reason: null, paymentId: payment.id };
  return endUnsold(tx, context, { payment, facts, isToBeJudged, answer });
}

interface Joined {
  payment: StripePaymentRecord;
  conversions: KnownConversion[];
  /** The customer whose payment it seemed to be before it was joined; null where nothing was joined. */
  former: string | null;
}

/** The payment with what it is already: reported, or recorded, under any of its ids. */
async function joinConversions(
  tx: Tx,
  context: CommandContext,
  { payment, known }: { payment: StripePaymentRecord; known: StripePaymentRecord | undefined },
): Promise<Joined> {
  const { scope } = context;
  const conversions = await findConversionsOf(tx, scope, payment);
  const conversionId = keptOf(conversions)?.id ?? null;
  const isJoined = conversionId === known?.conversionId && payment.customer === known?.customer;
  if (conversionId === null || isJoined) {
    return { payment: { ...payment, conversionId }, conversions, former: null };
  }
  if (conversionId !== payment.conversionId)
    await setConversion(tx, scope, { paymentId: payment.id, conversionId });
  const customer = await reportedBuyer(tx, context, { payment, conversionId });
  return { payment: { ...payment, conversionId, customer }, conversions, former: payment.customer };
}

/** Nothing of its credit is new: what became of its money counts. */
async function settleJoined(
  tx: Tx,
  context: CommandContext,
  joined: Joined,
): Promise<Answer | 'settled'> {
  return (await settlePayment(tx, context, joined)) === null ? 'own' : 'settled';
}

/** Who is credited is asked anew, and what the payment is then brought to what is known of its money. */
async function askAndSettle(
  tx: Tx,
  context: CommandContext,
  asked: Asked,
): Promise<Answer | 'settled'> {
  const { payment } = asked;
  const { answer, isSettled } = await ask(tx, context, asked);
  if (isSettled) return 'settled';
  const isSold = payment.conversionId !== null || answer === 'own' || answer === 'renewed';
  const settled = isSold ? await settleKnown(tx, context, payment.id) : null;
  return settled === null ? answer : 'settled';
}

/** What becomes of the event of a payment that is no conversion, or not yet. */
async function endUnsold(
  tx: Tx,
  context: CommandContext,
  { answer, ...unsold }: Unsold & { answer: Answer },
): Promise<EventOutcome> {
  const paymentId = unsold.payment.id;
  if (answer === 'elsewhere') {
    return { status: 'ignored', reason: soldElsewhere(unsold.payment.biller), paymentId };
  }
  if (answer !== 'waits') return endWithoutConversion(tx, context, unsold);
  await enqueueWaiting(tx, context, {
    payment: unsold.payment,
    isKeyed: await canAsk(tx, context.scope),
  });
  return { status: 'waiting', reason: waitsFor.checkout, paymentId };
}

interface Asked extends Joined {
  applied: FactsCommand;
  isToBeJudged: boolean;
}

async function ask(
  tx: Tx,
  context: CommandContext,
  { payment, former, applied, isToBeJudged }: Asked,
): Promise<{ answer: Answer; isSettled: boolean }> {
  const { vault, prospect, isFollowUp = false } = applied;
  const biller = billerOf(vault ?? null, { paymentId: payment.id, prospect, isFollowUp });
  const customers = [...new Set([payment.customer, former])].filter((one) => one !== null);
  const judged = isToBeJudged ? { judged: payment.id } : {};
  const subscriptions = payment.subscriptionId === null ? [] : [payment.subscriptionId];
  const beginning = { customers, subscriptions, payments: [payment.id], ...judged };
  const answers = await askAgain(tx, { ...context, biller, fact: 'payment' }, beginning);
  const answer = answers.get(payment.id) ?? 'nobody';
  return { answer, isSettled: biller.settled.has(payment.id) };
}

/** Whether what is known of the payment for its credit is another than before. */
function tellsOfCredit(
  [before, ...merged]: StripePaymentRecord[],
  payment: StripePaymentRecord,
): boolean {
  if (!before || merged.length > 0 || payment.conversionId === null) return true;
  const of = ({ id, conversionId, subscriptionId, customer, sale }: StripePaymentRecord): string =>
    JSON.stringify([id, conversionId, subscriptionId, customer, sale && creditOf(sale)]);
  return of(before) !== of(payment);
}

/** Fee, further ids and what was charged beside the price change no credit. */
function creditOf(sale: StoredSale): Partial<StoredSale> {
  const { feeCents: _fee, aliases: _aliases, grossCents: _gross, ...counts } = sale;
  return counts;
}

/**
 * A payment is judged when an event tells of a session or an invoice, when two payments turn out to
 * be one, and in a follow-up. A refund months later is no reason: by then its code may be another's.
 */
function tellsWhoSold(
  { biller, facts, isFollowUp }: FactsCommand,
  { known, payment }: { known: StripePaymentRecord[]; payment: StripePaymentRecord },
): boolean {
  const { tellsSale, summaryOf } = rulesOf(biller);
  if (isFollowUp || tellsSale(facts.objects)) return true;
  const { tellings } = summaryOf(payment.objects);
  return !known.some(({ objects }) => summaryOf(objects).tellings === tellings);
}

interface Unsold {
  payment: StripePaymentRecord;
  facts: BillerFacts;
  /**
   * Whether it is decided that there is no sale. When it is not, an invoice that waits for its
   * checkout goes on waiting.
   */
  isToBeJudged: boolean;
}

async function endWithoutConversion(
  tx: Tx,
  context: CommandContext,
  { payment, facts, isToBeJudged }: Unsold,
): Promise<EventOutcome> {
  const paymentId = payment.id;
  const summary = rulesOf(payment.biller).summaryOf(payment.objects);
  const isAlone = facts.withoutInvoice === true && summary.tellings === 0;
  const { biller } = payment;
  const outcome = isAlone
    ? organic
    : await withoutConversion(tx, context.scope, { biller, ...summary });
  const isKnown = isAlone || summary.isPaid;
  if (outcome.status === 'ignored' && isKnown) {
    const except = isToBeJudged ? undefined : waitsFor.checkout;
    await dismissEvents(tx, context, { paymentId, reason: outcome.reason, except });
  }
  return { ...outcome, paymentId };
}

/**
 * Locks all that the event can touch: its objects, those of the payments they belong to, and the
 * subscription and customer whose renewals hang on it. Then reads those payments.
 */
async function lockPayments(
  tx: Tx,
  scope: Scope,
  { biller, facts }: Pick<FactsCommand, 'biller' | 'facts'>,
): Promise<StripePaymentRecord[]> {
  const named = [...facts.ids, ...facts.objects.map(({ id }) => id)];
  const parties = facts.objects.flatMap((one) => partiesOf(rulesOf(biller).summaryOf([one])));
  const seen = await findPaymentsByObjects(tx, scope, named);
  const locked = new Set([...named, ...parties, ...seen.flatMap(lockedIdsOf)]);
  const objects = seen.reduce((sum, payment) => sum + payment.objects.length, 0);
  if (locked.size > maxLocks || objects > maxObjects) throw new PaymentTooLargeError();
  await lockStripeIds(tx, scope, [...locked]);

  const known = await findPaymentsByObjects(tx, scope, named);
  const isMissed = known.flatMap(lockedIdsOf).some((id) => !locked.has(id));
  if (isMissed) throw new PaymentGrewError('the payment grew while it was read');
  return known;
}

/** Whoever touches a payment names one of these; its refunds and disputes need no lock beside them. */
function lockedIdsOf(payment: StripePaymentRecord): string[] {
  return [...rulesOf(payment.biller).namesOf(payment.objects), ...partiesOf(payment)];
}

type Parties = Pick<StripePaymentRecord, 'subscriptionId' | 'customerId'>;

function partiesOf({ subscriptionId, customerId }: Parties): string[] {
  return [subscriptionId, customerId].filter((id) => id !== null);
}

/**
 * A payment intent that no checkout and no invoice made, as far as anybody told. What its events say
 * is kept all the same: should the payment become a conversion, it counts.
 */
const organic = {
  status: 'ignored',
  reason: 'Stripe knows no invoice of this payment, and no checkout told of it.',
} as const;

/** What to say of an event whose payment is no conversion, or not yet. */
async function withoutConversion(
  tx: Tx,
  scope: Scope,
  told: PaymentSummary & { biller: Biller },
): Promise<Pick<EventOutcome, 'status' | 'reason'>> {
  if (told.tellings === 0) return { status: 'waiting', reason: waitsFor.payment };
  if (told.hidesCode && (await hasPromoCodes(tx, scope))) {
    return { status: 'waiting', reason: waitsFor.code };
  }
  if (told.isPaid) {
    return { status: 'ignored', reason: 'The payment carries no click and no code of a partner.' };
  }
  const signals = told.subscriptionId === null ? null : await resolveSignals(tx, scope, told);
  if (signals !== null && signals !== 'elsewhere') return { status: 'processed', reason: null };
  return { status: 'ignored', reason: 'Nothing was paid yet.' };
}
