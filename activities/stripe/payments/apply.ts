import type { Scope } from '../../../entities/rules/values/mode';
import {
  checkoutKnownMs,
  isPaid,
  paidAtOf,
  paymentFactsOf,
  signalsOf,
} from '../../../entities/rules/stripe/classify';
import { hasUnreadCode } from '../../../entities/rules/stripe/payment-fact';
import type { StripeFacts } from '../../../entities/rules/stripe/read-event';
import { boundedTransaction, type Db, type Tx } from '../../../entities/database/sql';
import type { ConversionReport } from '../../conversions/report';
import type { CommandContext } from '../../journal/cause';
import { retry, waits, type RetryPolicy } from '../../../runtime/load/retry';
import { askForFee, dismissEvents, type EventOutcome } from '../events/progress';
import { hasPromoCodes } from '../events/is-ours';
import { waitsFor } from '../events/waiting';
import { enqueueFirstPaid, enqueueFollowUp } from './enqueue-follow-ups';
import { enqueueRenewals } from './renewals';
import { paymentReportOf, waitsUntil, type ArrivedPayment } from './report-of';
import { resolveSignals } from './signals';
import {
  findPaymentsByObjects,
  lockStripeIds,
  namesOf,
  savePayment,
  withoutForeignFirst,
  type StripePaymentRecord,
} from './payments';
import { withBase } from './base';
import { recordOverRefused } from './refused-reports';
import { findConversionsOf, settlePayment } from './settle';

/** What is to be applied of one event. */
interface FactsCommand {
  facts: StripeFacts;
  /** The buyer and the keyed hash of the address, for the fraud rules. */
  prospect: ConversionReport['prospect'];
  /** Stripe can be asked: there is a key. */
  canAsk?: boolean;
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

/** Of one event, with all that its payment is known by. */
const maxLocks = 250;
/** Of one payment, refunds and disputes included. */
const maxObjects = 1_000;

const salesFromApi = 'The programme takes its sales from reports by API alone (salesFrom).';

/**
 * Applies what an event says of a payment, in an open transaction. Facts are merged and the
 * payment's conversion brought to what they say together, so any order and number of events ends
 * the same.
 */
async function applyStripeFacts(
  tx: Tx,
  context: CommandContext,
  applied: FactsCommand,
): Promise<EventOutcome> {
  const locked = await lockPayments(tx, context.scope, applied.facts);
  const { facts, known } = withoutForeignFirst(applied.facts, locked);
  const payment = await savePayment(tx, context, { facts, known });
  if (!payment) return { status: 'ignored', reason: 'It names no payment.', paymentId: null };

  const paymentId = payment.id;
  const isToBeJudged = tellsWhoSold(applied, { known, payment });
  const progress = await bringUpToDate(tx, context, {
    payment,
    prospect: applied.prospect,
    canAsk: applied.canAsk === true,
    isToBeJudged,
    isFollowUp: applied.isFollowUp === true,
  });
  if (progress === 'waits') {
    const now = looksAgainAt(payment, { now: context.now, canAsk: applied.canAsk === true });
    await enqueueFollowUp(tx, { ...context, now }, { paymentId });
    return { status: 'waiting', reason: waitsFor.checkout, paymentId };
  }
  if (progress === 'api') return { status: 'ignored', reason: salesFromApi, paymentId };
  if (progress === 'none')
    return endWithoutConversion(tx, context, { payment, facts, isToBeJudged });
  if (isNews(known, { ...payment, ...progress })) await enqueueRenewals(tx, context, { paymentId });
  return { status: 'processed', reason: null, paymentId };
}

/** When to look again whether a checkout made an invoice: with a key as soon as Stripe must know. */
function looksAgainAt(
  payment: StripePaymentRecord,
  { now, canAsk }: { now: Date; canAsk: boolean },
): Date {
  const last = waitsUntil(payment);
  const known = Date.parse(paidAtOf(payment.objects) ?? '') + checkoutKnownMs;
  return canAsk && known > now.getTime() && known < last.getTime() ? new Date(known) : last;
}

/**
 * A payment is judged when an event tells of a session or an invoice, when two payments turn out to
 * be one, and in a follow-up. A refund months later is no reason: by then its code may be another's.
 */
function tellsWhoSold(
  { facts, isFollowUp }: FactsCommand,
  { known, payment }: { known: StripePaymentRecord[]; payment: StripePaymentRecord },
): boolean {
  if (isFollowUp || paymentFactsOf(facts.objects).some(({ kind }) => kind !== 'direct'))
    return true;
  const told = paymentFactsOf(payment.objects).length;
  return !known.some(({ objects }) => paymentFactsOf(objects).length === told);
}

interface Unsold {
  payment: StripePaymentRecord;
  facts: StripeFacts;
  /** Else nothing is decided: an invoice that waits for its checkout goes on waiting. */
  isToBeJudged: boolean;
}

async function endWithoutConversion(
  tx: Tx,
  context: CommandContext,
  { payment, facts, isToBeJudged }: Unsold,
): Promise<EventOutcome> {
  const paymentId = payment.id;
  const isAlone = facts.withoutInvoice === true && paymentFactsOf(payment.objects).length === 0;
  const outcome = isAlone ? organic : await withoutConversion(tx, context.scope, payment);
  if (outcome.status === 'processed') await enqueueFirstPaid(tx, context, payment);
  const isKnown = isAlone || paymentFactsOf(payment.objects).some(isPaid);
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
  facts: StripeFacts,
): Promise<StripePaymentRecord[]> {
  const named = [...facts.ids, ...facts.objects.map(({ id }) => id)];
  const parties = paymentFactsOf(facts.objects).flatMap(partiesOf);
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
  return [...namesOf(payment.objects), ...partiesOf(payment)];
}

/** Whether renewals may be found now that were not before. */
function isNews([before]: StripePaymentRecord[], payment: StripePaymentRecord): boolean {
  if (!before) return true;
  return (
    before.id !== payment.id ||
    before.conversionId !== payment.conversionId ||
    before.subscriptionId !== payment.subscriptionId ||
    before.customerId !== payment.customerId ||
    paidAtOf(before.objects) !== paidAtOf(payment.objects)
  );
}

type Parties = Pick<StripePaymentRecord, 'subscriptionId' | 'customerId'>;

function partiesOf({ subscriptionId, customerId }: Parties): string[] {
  return [subscriptionId, customerId].filter((id) => id !== null);
}

type Progress = Pick<StripePaymentRecord, 'conversionId'> | 'waits' | 'api' | 'none';

/** Finds or makes the payment's conversion and settles it, unless there is none, or not yet. */
async function bringUpToDate(
  tx: Tx,
  context: CommandContext,
  arrived: ArrivedPayment & { isToBeJudged: boolean; isFollowUp: boolean },
): Promise<Progress> {
  const { payment } = arrived;
  let conversions = await findConversionsOf(tx, context.scope, payment);
  if (conversions.every(({ isRefused }) => isRefused)) {
    if (!arrived.isToBeJudged && conversions.length === 0) return 'none';
    const report = await paymentReportOf(tx, context, arrived);
    if (typeof report === 'string') return report;
    if (!report && conversions.length === 0) return 'none';
    const recorded =
      report && (await recordOverRefused(tx, context, { report, refused: conversions }));
    if (recorded) {
      const { id, amountCents, commission } = recorded;
      conversions = [{ id, amountCents, hasCommission: commission !== null, isRefused: false }];
      // Its event came when the payment seemed to be nothing of ours: nothing was asked of Stripe.
      if (arrived.isFollowUp) await askForFee(tx, context, payment.id);
    }
  }
  conversions = await withBase(tx, context.scope, { payment, conversions });
  return { conversionId: await settlePayment(tx, context, { payment, conversions }) };
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
  payment: StripePaymentRecord,
): Promise<Pick<EventOutcome, 'status' | 'reason'>> {
  const facts = paymentFactsOf(payment.objects);
  if (facts.length === 0) return { status: 'waiting', reason: waitsFor.payment };
  if (facts.some(hasUnreadCode) && (await hasPromoCodes(tx, scope))) {
    return { status: 'waiting', reason: waitsFor.code };
  }
  if (facts.some(isPaid)) {
    return { status: 'ignored', reason: 'The payment carries no click and no code of a partner.' };
  }
  const signals =
    payment.subscriptionId === null ? null : await resolveSignals(tx, scope, signalsOf(facts));
  if (signals !== null && signals !== 'api') return { status: 'processed', reason: null };
  return { status: 'ignored', reason: 'Nothing was paid yet.' };
}
