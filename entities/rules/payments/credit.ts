import type { AttributionReason } from '../attribution/attribute';
import type { BillerSource } from '../customers/binding';
import { wholeMonthsBetween } from '../commissions/renewal';
import type { PaymentRank } from '../commissions/rule-match';
import {
  boundWhenPaid,
  handBefore,
  type BindingFact,
  type BindingPeriod,
  type PaidMoment,
} from '../customers/bindings';

/**
 * Who is credited with a payment, and which payment is a customer's first: a pure function of all that is
 * known, by the times at which things happened (docs/reference/payments.md, Credit follows the facts).
 */

/** What a payment's own signals lead to, as they were judged when the payment was first told. */
export interface Verdict {
  reason: AttributionReason;
  /** Null when no signal leads to a partner. */
  participantId: string | null;
  programId: string | null;
}

/** Who tells of a payment: a report by API, or a processor by a checkout, an invoice or a bare charge. */
export type ToldBy = 'report' | 'checkout' | 'invoice' | 'charge';

/** One payment with what counts for its credit, whoever the biller is. */
export interface Payment {
  id: string;
  /** Breaks ties of time: the smaller comes first. */
  externalId: string;
  toldBy: ToldBy;
  /** The biller of a payment that a processor tells; absent for Stripe. */
  biller?: BillerSource;
  paid: PaidMoment;
  /** What recurring terms count their months by: the start of the period that it pays for. */
  periodAt: Date;
  /** Minor units; 0 is a lead, or a sale that credit covered whole. */
  amountCents: number;
  /** The first invoice of its subscription. */
  begins: boolean;
  subscription: string | null;
  /** When the subscription began, as far as it is known: with a trial, say. */
  subscriptionBeganAt: Date | null;
  customer: string | null;
  own: Verdict | null;
  /** Its own signals are those of a checkout that began with a trial: they make a sale. */
  isFromTrialCheckout: boolean;
  /** A checkout that is not told yet may have made it; it is waited for so long. */
  mayHaveCheckout: boolean;
  /** The processor can be asked for that checkout. */
  canAsk: boolean;
  /** Its conversion is credited to somebody already; absent for one of which that is decided for good. */
  isCredited?: boolean;
  /** The partner who could not be credited when it was told: not approved, erased, or paused. */
  failedFor: string | null;
}

/** A customer's first attributed payment in a programme. */
export interface First {
  paidAt: Date;
  periodAt: Date;
  /** How many of them there are by then, this one counted; null where an earlier release did not count. */
  payments: number | null;
}

/** Whom a payment is credited to without a signal of its own. */
export interface Renewed {
  kind: 'renewed';
  by: 'subscription' | 'customer';
  participantId: string;
  programId: string;
  /** Why the subscription's first payment was refused for good; then this one is too. */
  refusal: AttributionReason | null;
  /** The customer's first payment in the programme; null when this is it. */
  first: First | null;
  /** What says so, of a customer. */
  binding: BindingPeriod | null;
}

/**
 * `own`: what its signals say, attributed or not, and then it always earns. `waits`: a checkout may still
 * say more. `nobody`: nothing leads to a partner.
 */
export type Credit = { kind: 'own' } | Renewed | { kind: 'waits' } | { kind: 'nobody' };

/** What is known of the payments before one, and of whose its customer is. */
export interface Before {
  /** The subscription's first payment that was attributed, or refused for good. */
  ofSubscription: Pick<Renewed, 'participantId' | 'programId' | 'refusal'> | null;
  subscriptionBeganAt: Date | null;
  /** First payments of customer and subscription together, by programme. */
  firsts: ReadonlyMap<string, First>;
  bindings: readonly BindingPeriod[];
  bindingFacts: readonly BindingFact[];
  /** A payment before it waits, so that what depends on it cannot be known. */
  isWaitedFor: boolean;
}

/** What a first payment can be refused for, so that nothing later of its subscription earns. */
export const refusals: readonly AttributionReason[] = [
  'FRAUD_REJECTED',
  'PARTNER_NOT_APPROVED',
  'PARTNER_ERASED',
  'PROGRAM_NOT_ACTIVE',
];

/** Who is credited with one payment, by what is known of those before it. */
export function creditOf(payment: Payment, before: Before): Credit {
  const dealtWith = creditBeforeCutover(payment, before);
  if (dealtWith) return dealtWith;
  if (payment.toldBy === 'invoice') return creditOfInvoice(payment, before);
  if (payment.toldBy === 'charge' && payment.mayHaveCheckout) return waits;
  if (isAttributed(payment.own)) return own;
  return (
    dependent(payment, before, bySubscription(payment, before) ?? byCustomer(payment, before)) ??
    (payment.own ? own : nobody)
  );
}

const own: Credit = { kind: 'own' };
const waits: Credit = { kind: 'waits' };
const nobody: Credit = { kind: 'nobody' };

/**
 * An invoice without a checkout of its own continues what its subscription, else its customer, began,
 * whatever its metadata says. The first of a subscription may have been made by a checkout that nobody
 * has told of yet.
 */
function creditOfInvoice(payment: Payment, before: Before): Credit {
  if (isOfUnbound(payment, before)) return nobody;
  const renewed = bySubscription(payment, before);
  if (renewed) return dependent(payment, before, renewed) ?? nobody;
  if (beginsByTrial(payment, before)) return own;
  const bound = byCustomer(payment, before);
  return beginsByItself(payment, before, bound)
    ? creditOfBeginning(payment, before, bound)
    : creditOfReturning(payment, before, bound);
}

/** The checkout of its trial led to a partner, and no member has said since whose the customer is. */
function beginsByTrial(payment: Payment, before: Before): boolean {
  if (!payment.isFromTrialCheckout || !isAttributed(payment.own)) return false;
  return !isGivenByHand(payment, before);
}

/** Signals of its own begin something, unless its customer has paid before, or a member gave them to somebody. */
function beginsByItself(payment: Payment, before: Before, bound: Renewed | null): boolean {
  if (payment.own === null || isGivenByHand(payment, before)) return false;
  return bound === null || before.firsts.size === 0;
}

/** The signals of an invoice; those of a checkout would come first, and signals that fail give way to the customer's partner. */
function creditOfBeginning(payment: Payment, before: Before, bound: Renewed | null): Credit {
  if (payment.mayHaveCheckout && payment.canAsk) return waits;
  if (isAttributed(payment.own)) return own;
  return dependent(payment, before, bound) ?? own;
}

/** The customer's partner, once no checkout can say more. */
function creditOfReturning(payment: Payment, before: Before, bound: Renewed | null): Credit {
  if (bound === null) return payment.own ? own : nobody;
  return payment.mayHaveCheckout ? waits : (dependent(payment, before, bound) ?? nobody);
}

function isGivenByHand({ paid }: Payment, { bindingFacts }: Before): boolean {
  const hand = handBefore(bindingFacts, paid);
  return hand !== undefined && hand.participantId !== null;
}

/** What rests on earlier payments waits with them; a report by API is answered at once. */
function dependent(
  { toldBy }: Payment,
  { isWaitedFor }: Before,
  renewed: Renewed | null,
): Credit | null {
  if (!renewed) return null;
  return isWaitedFor && toldBy !== 'report' ? waits : renewed;
}

/** A member took the customer away since the subscription began, and no hand has given them anew. */
function isOfUnbound(payment: Payment, before: Before): boolean {
  const hand = handBefore(before.bindingFacts, payment.paid);
  if (!hand || hand.participantId !== null || payment.subscription === null) return false;
  const { subscriptionBeganAt } = before;
  return subscriptionBeganAt !== null && subscriptionBeganAt < hand.boundAt;
}

/** The credit by the subscription's first payment, unless a member has said whose the customer is. */
function bySubscription(payment: Payment, before: Before): Renewed | null {
  const { ofSubscription } = before;
  if (!ofSubscription || isOfUnbound(payment, before)) return null;
  if (isGivenByHand(payment, before)) return null;
  const first = before.firsts.get(ofSubscription.programId) ?? null;
  return { kind: 'renewed', by: 'subscription', ...ofSubscription, first, binding: null };
}

/** The credit of the partner whose customer the buyer was when this was paid. */
function byCustomer({ paid }: Payment, { bindings, firsts }: Before): Renewed | null {
  const binding = boundWhenPaid(bindings, paid);
  const { participantId, programId } = binding?.fact ?? {};
  if (!binding || !participantId || !programId) return null;
  const first = firsts.get(programId) ?? null;
  return {
    kind: 'renewed',
    by: 'customer',
    participantId,
    programId,
    refusal: isOfSystemBefore(binding.fact, paid) ? 'BEFORE_CUTOVER' : null,
    first,
    binding,
  };
}

/**
 * An imported customer's payment that the system before has dealt with, whatever its own signals say. What was
 * credited here before the import stays: that is what the import leaves out.
 */
export function systemBefore(
  { isCredited = true, paid }: Payment,
  facts: readonly BindingFact[],
): BindingFact | undefined {
  return isCredited ? undefined : facts.find((fact) => isOfSystemBefore(fact, paid));
}

/**
 * The credit of a payment that the system before has dealt with: its own signals count for nothing,
 * so it is as any payment of its customer.
 */
function creditBeforeCutover(
  payment: Payment,
  { bindings, bindingFacts, firsts }: Before,
): Renewed | null {
  const fact = isAttributed(payment.own) ? systemBefore(payment, bindingFacts) : undefined;
  const { participantId, programId } = fact ?? {};
  if (!fact || !participantId || !programId) return null;
  return {
    kind: 'renewed',
    by: 'customer',
    participantId,
    programId,
    refusal: 'BEFORE_CUTOVER',
    first: firsts.get(programId) ?? null,
    binding: bindings.find((period) => period.fact === fact) ?? null,
  };
}

/** An imported customer's payment up to the cutover, which nobody imported. */
function isOfSystemBefore({ cutover = null }: BindingFact, { at }: PaidMoment): boolean {
  return cutover !== null && at <= cutover;
}

/** Whether its own signals lead to a partner. */
export function isAttributed(verdict: Verdict | null): verdict is Verdict & CreditedTo {
  return verdict !== null && verdict.reason === 'ATTRIBUTED';
}

/** A partner, in a programme. */
export interface CreditedTo {
  participantId: string;
  programId: string;
}

/** What a processor tells of what was sold, in short: sums that say no more than that it is another; empty for nothing told. */
export interface Sold {
  items: string;
  metadata: string;
}

export const nothingSold: Sold = { items: '', metadata: '' };

/** Which payment of its customer it is, given the first of them; the first itself has none before it. */
export function rankAfter(
  payment: Pick<Payment, 'amountCents' | 'periodAt' | 'paid'>,
  before: First | null,
): PaymentRank | null {
  if (payment.amountCents === 0) return null;
  if (before === null) return { number: 1, month: 0, since: payment.paid.at };
  const { periodAt, paidAt: since, payments } = before;
  const month = wholeMonthsBetween(periodAt, payment.periodAt);
  return { number: (payments ?? 1) + 1, month, since };
}

/**
 * The credit in short: equal texts ask for nothing to be changed. What earlier releases wrote says nothing
 * of the arrival, or of the rank.
 */
export function isCreditedAs(stored: string | null, now: string): boolean {
  if (stored === null) return false;
  const [before, arrived] = stored.split(arrivalMark);
  const [after = '', arrives] = now.split(arrivalMark);
  return isSameCredit(before ?? '', after) && (arrived ?? arrives) === arrives;
}

function isSameCredit(stored: string, now: string): boolean {
  if (!stored.includes(rankMark)) return now.startsWith(`${stored}${rankMark}`);
  // An erasure takes the metadata, and changes no terms.
  const isUnsaid = now.endsWith(soldMark);
  return isUnsaid ? stored.slice(0, stored.lastIndexOf(soldMark) + 1) === now : stored === now;
}

const rankMark = '#';
const soldMark = '~';
const arrivalMark = '@';

/** What decides the terms of a payment besides who is credited. */
interface Judged {
  rank: PaymentRank | null;
  sold: Sold;
  /** When a report or a biller first told of it: its terms are those of then. */
  arrivedAt: Date;
}

export function creditedAs(
  payment: Pick<Payment, 'amountCents' | 'periodAt' | 'own'>,
  credit: Extract<Credit, { kind: 'own' | 'renewed' }>,
  { rank, sold, arrivedAt }: Judged,
): string {
  const ranked = rank ? [rank.number, rank.month, rank.since.toISOString()].join('/') : '';
  const facts = [ranked, sold.items, sold.metadata].join(soldMark);
  return `${creditInShort(payment, credit)}${rankMark}${facts}${arrivalMark}${arrivedAt.toISOString()}`;
}

function creditInShort(
  payment: Pick<Payment, 'amountCents' | 'periodAt' | 'own'>,
  credit: Extract<Credit, { kind: 'own' | 'renewed' }>,
): string {
  if (credit.kind === 'own') {
    const { reason, participantId } = payment.own ?? { reason: '', participantId: null };
    return ['own', reason, participantId ?? '', payment.amountCents].join(':');
  }
  const { by, participantId, refusal, first } = credit;
  const months = first
    ? `${first.periodAt.toISOString()}/${payment.periodAt.toISOString()}`
    : 'first';
  return [by, participantId, refusal ?? '', months, payment.amountCents].join(':');
}

/** What a credit in short says of a payment: whether its own signals credit it, and its rank. */
export function readCreditedAs(
  stored: string | null,
  paidAt: Date,
): { isOwn: boolean; rank: PaymentRank | null } {
  const isOwn = stored === null || stored.startsWith('own:');
  const [, number, month, since] = /#(\d+)\/(\d+)\/([^~]+)~/.exec(stored ?? '') ?? [];
  if (since !== undefined) {
    return {
      isOwn,
      rank: { number: Number(number), month: Number(month), since: new Date(since) },
    };
  }
  // An earlier release kept the periods of a renewal, and no number.
  const [, first, own] = /:(\d[\dTZ:.-]+Z)\/([\dTZ:.-]+Z):/.exec(stored ?? '') ?? [];
  if (first === undefined || own === undefined) {
    return { isOwn, rank: { number: 1, month: 0, since: paidAt } };
  }
  const since0 = new Date(first);
  return {
    isOwn,
    rank: { number: 2, month: wholeMonthsBetween(since0, new Date(own)), since: since0 },
  };
}
