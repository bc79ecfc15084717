import { balanceIn, feeOf, type BalanceAmount } from './fee';
import {
  amountAt,
  currencyOf,
  idAt,
  instantAt,
  integerAt,
  listAt,
  textAt,
  valueAt,
  type Json,
} from '../billing/json';
import { clickMetadataKey, customerOf, signalAt, type PaymentFact } from './payment-fact';
import { fromStripeUnits } from './units';

/** What a charge's events say together. Amounts with tax, in the charge's currency. */
export interface ChargeFact {
  kind: 'charge';
  /** What was authorised. */
  amountCents: number;
  /** What was taken of it; nothing while it is not captured, or not known. */
  capturedCents?: number | null;
  currency: string;
  /** Failed attempts are charges too; they never count. */
  succeeded: boolean;
  /**
   * Cumulative refunds as each second's events give them, without what was authorised and never
   * captured: the greatest of the second.
   */
  snapshots: Snapshot[];
  /** The most that was captured when refunds were shown as less than the rest of what was authorised. */
  restNotShownOf?: number | null;
  balanceTransactionId: string | null;
  /** The fee, which is known only when the balance transaction was read. */
  feeCents: number | null;
  /** What it is in the currency of the shop's balance; known as the fee is. */
  balance?: BalanceAmount;
  paymentIntentId?: string;
  /** The sale of a payment without checkout and invoice whose own metadata names the click. */
  sale?: ChargeSale;
}

/** A PaymentIntent that the merchant makes by itself, as for the Payment Element, is a sale then. */
interface ChargeSale {
  clickIds: string[];
  customerId: string | null;
  /** ISO: the first event that says so. */
  paidAt: string;
}

interface Snapshot {
  at: string;
  refundedCents: number;
  /** The amount that Stripe shows, where that is another one. */
  shownCents?: number;
}

export interface RefundFact {
  kind: 'refund';
  amountCents: number;
  /** ISO: the first that was told of it; absent where it was stored without. */
  toldAt?: string;
  /** Counts in the charge's cumulative amount until it fails. */
  issued: boolean;
  /** When it failed or was cancelled; null while it stands. */
  failedAt: string | null;
  chargeId: string | null;
  paymentIntentId: string | null;
}

/**
 * `ended`: closed by a word that does not say who has the money, such as an appeal. `prevented`:
 * resolved before it was one, by a refund as a rule. Of both the money that moved tells.
 */
type DisputeState = 'open' | 'released' | 'lost' | 'ended' | 'prevented';

export interface DisputeFact {
  kind: 'dispute';
  amountCents: number;
  /** The currency of the amount: it need not be that of the charge. Absent where it was stored without. */
  currency?: string;
  chargeId?: string;
  state: DisputeState;
  /** When it was closed; null while it is open. */
  closedAt: string | null;
  /** Balance transactions of the dispute by their ids, signed, in the currency of the balance. */
  moved?: Record<string, number>;
  /** The currency of that balance; empty when they name several. */
  movedCurrency?: string;
}

/** What a charge object of Stripe says; `eventAt` (ISO) is the time of the event that carried it. */
export function readCharge(charge: Json, eventAt: string): ChargeFact {
  const currency = currencyOf(charge);
  const amountCents = centsAt(charge, 'amount', currency);
  const taken = centsAt(charge, 'amount_captured', currency);
  // The captured amount is kept when it is all of the charge, too: an earlier event may have shown a part.
  const capturedCents = taken > 0 ? taken : null;
  const shown = centsAt(charge, 'amount_refunded', currency);
  const released = Math.max(0, amountCents - (capturedCents ?? amountCents));
  const isAll = valueAt(charge, 'refunded') === true && shown === capturedCents;
  const isNotShown = shown < released;
  const transaction = valueAt(charge, 'balance_transaction');
  const intent = idAt(charge, 'payment_intent');
  const refundedCents = isNotShown || isAll ? shown : shown - released;
  return {
    kind: 'charge',
    amountCents,
    capturedCents,
    currency,
    succeeded: textAt(charge, 'status') !== 'failed' && valueAt(charge, 'paid') !== false,
    snapshots: [snapshot(eventAt, refundedCents, shown)],
    ...(isNotShown ? { restNotShownOf: capturedCents } : {}),
    balanceTransactionId: idAt(charge, 'balance_transaction'),
    feeCents: feeOf(transaction, { currency, amountCents }),
    ...balanceIn(transaction),
    ...(intent === null ? {} : { paymentIntentId: intent }),
    ...saleIn(charge, eventAt),
  };
}

/** Stripe copies the metadata of a PaymentIntent onto its charge; what an invoice made is the invoice's. */
function saleIn(charge: Json, eventAt: string): Pick<ChargeFact, 'sale'> {
  const click = signalAt(charge, 'metadata', clickMetadataKey);
  if (click === null || idAt(charge, 'invoice') !== null) return {};
  return { sale: { clickIds: [click], customerId: customerOf(charge), paidAt: eventAt } };
}

/** The payment that a charge is by itself; undefined for one that names no click, or took nothing. */
export function paymentOfCharge(charge: ChargeFact): PaymentFact | undefined {
  const { sale, succeeded, capturedCents, currency } = charge;
  if (!sale || !succeeded || !capturedCents) return undefined;
  return {
    kind: 'direct',
    paid: true,
    amountCents: capturedCents,
    chargedCents: capturedCents,
    currency,
    paidAt: sale.paidAt,
    completedAt: null,
    metadataClickIds: sale.clickIds,
    clientReferenceId: null,
    promotions: [],
    hidesPromotions: false,
    subscriptionId: null,
    customerId: sale.customerId,
  };
}

function snapshot(at: string, refundedCents: number, shownCents: number): Snapshot {
  return { at, refundedCents, ...(shownCents === refundedCents ? {} : { shownCents }) };
}

/**
 * Whether refunds are shown without what was authorised and never captured. Up to API version
 * 2025-03-31 Stripe counts that as refunded, since then it does not, by the version of whoever
 * captured: what shows less than it cannot contain it, nor what is all that was captured. While
 * more is to be captured nothing is released yet, so what was shown then proves nothing.
 */
export function isRestNotShown({ capturedCents, restNotShownOf }: ChargeFact): boolean {
  return typeof restNotShownOf === 'number' && restNotShownOf === capturedCents;
}

/** The cumulative refunds as the snapshots give them. */
export function shownRefundsOf(charge: ChargeFact): { at: string; refundedCents: number }[] {
  if (!isRestNotShown(charge)) return charge.snapshots;
  return charge.snapshots.map(({ at, refundedCents, shownCents = refundedCents }) => ({
    at,
    refundedCents: shownCents,
  }));
}

function centsAt(object: Json, field: string, currency: string): number {
  return fromStripeUnits(Math.max(0, amountAt(object, field)), currency);
}

/** How much the buyer was charged. */
export function chargedCentsOf({ amountCents, capturedCents }: ChargeFact): number {
  return capturedCents ?? amountCents;
}

/** The same of a refund object. */
export function readRefund(refund: Json, eventAt: string): RefundFact {
  const status = textAt(refund, 'status');
  const hasFailed = status === 'failed' || status === 'canceled';
  return {
    kind: 'refund',
    amountCents: centsAt(refund, 'amount', currencyOf(refund)),
    toldAt: eventAt,
    issued: status !== 'requires_action',
    failedAt: hasFailed ? eventAt : null,
    chargeId: idAt(refund, 'charge'),
    paymentIntentId: idAt(refund, 'payment_intent'),
  };
}

const endings = new Map<string | null, DisputeState>([
  ['lost', 'lost'],
  ['won', 'released'],
  ['warning_closed', 'released'],
  ['prevented', 'prevented'],
]);

/** `closed` is how the event names it; a dispute that was lost from the start is closed too. */
export function readDispute(dispute: Json, eventAt: string, closed: boolean): DisputeFact {
  const ending = endings.get(textAt(dispute, 'status'));
  const isFinal = closed || ending !== undefined;
  const currency = currencyOf(dispute);
  const chargeId = idAt(dispute, 'charge');
  return {
    kind: 'dispute',
    amountCents: centsAt(dispute, 'amount', currency),
    ...(currency === '' ? {} : { currency }),
    ...(chargeId === null ? {} : { chargeId }),
    state: isFinal ? (ending ?? 'ended') : 'open',
    closedAt: isFinal ? eventAt : null,
    ...movedIn(dispute),
  };
}

/** The money that a dispute moved, without its fees: what matters is where the buyer's money is. */
function movedIn(dispute: Json): Moved {
  const moved: Record<string, number> = {};
  let movedCurrency: string | undefined;
  for (const transaction of listAt(dispute, 'balance_transactions')) {
    const id = idAt(transaction, 'id');
    const amount = integerAt(transaction, 'amount') ?? integerAt(transaction, 'net');
    if (id === null || amount === null) continue;
    moved[id] = amount;
    const currency = textAt(transaction, 'currency')?.toLowerCase();
    movedCurrency = sameCurrency(movedCurrency, currency);
  }
  return withCurrency(moved, movedCurrency);
}

type Moved = Pick<DisputeFact, 'moved' | 'movedCurrency'>;

function withCurrency(moved: Record<string, number>, movedCurrency: string | undefined): Moved {
  if (Object.keys(moved).length === 0) return {};
  return { moved, ...(movedCurrency === undefined ? {} : { movedCurrency }) };
}

function sameCurrency(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a === b ? a : '';
}

/** Whether the shop has lost the disputed money, as far as the dispute itself says. */
export function isLost(dispute: DisputeFact): boolean {
  if (dispute.state === 'lost') return true;
  if (dispute.state === 'open' || dispute.state === 'released') return false;
  return movedSum(dispute) < 0;
}

/** What the dispute moved on the shop's balance in sum, in Stripe's units of that: below 0 when it took. */
export function movedSum({ moved }: Pick<DisputeFact, 'moved'>): number {
  return Object.values(moved ?? {}).reduce((sum, amount) => sum + amount, 0);
}

/** Whether the disputed money went back to the buyer by a refund, which Stripe may tell as well. */
export function isGivenBack(dispute: DisputeFact): boolean {
  return dispute.state === 'prevented' && !isLost(dispute);
}

/** Symmetric, like every merge here: what is known after two events, in either order. */
export function mergeCharges(a: ChargeFact, b: ChargeFact): ChargeFact {
  return {
    kind: 'charge',
    amountCents: Math.max(a.amountCents, b.amountCents),
    capturedCents: greaterNumber(a.capturedCents ?? null, b.capturedCents ?? null),
    currency: a.currency || b.currency,
    succeeded: a.succeeded || b.succeeded,
    snapshots: mergeSnapshots([...a.snapshots, ...b.snapshots]),
    ...mergeRests(a.restNotShownOf ?? null, b.restNotShownOf ?? null),
    balanceTransactionId: greaterText(a.balanceTransactionId, b.balanceTransactionId),
    feeCents: greaterNumber(a.feeCents, b.feeCents),
    ...mergeBalances(a.balance, b.balance),
    ...mergeIntents(a.paymentIntentId ?? null, b.paymentIntentId ?? null),
    ...mergeSales(a.sale, b.sale),
  };
}

function mergeBalances(a?: BalanceAmount, b?: BalanceAmount): Pick<ChargeFact, 'balance'> {
  const greatest = [a, b]
    .filter((balance) => balance !== undefined)
    .sort((one, other) => other.amount - one.amount || (other.currency < one.currency ? -1 : 1))[0];
  return greatest ? { balance: greatest } : {};
}

function mergeIntents(a: string | null, b: string | null): Pick<ChargeFact, 'paymentIntentId'> {
  const id = greaterText(a, b);
  return id === null ? {} : { paymentIntentId: id };
}

function mergeSales(a?: ChargeSale, b?: ChargeSale): Pick<ChargeFact, 'sale'> {
  if (!a || !b) {
    const sale = a ?? b;
    return sale ? { sale } : {};
  }
  const [first, second] = a.paidAt <= b.paidAt ? [a, b] : [b, a];
  const clickIds = [...new Set([...first.clickIds, ...second.clickIds])];
  return { sale: { ...first, clickIds, customerId: first.customerId ?? second.customerId } };
}

function mergeRests(a: number | null, b: number | null): Pick<ChargeFact, 'restNotShownOf'> {
  const greatest = greaterNumber(a, b);
  return greatest === null ? {} : { restNotShownOf: greatest };
}

function mergeSnapshots(snapshots: Snapshot[]): Snapshot[] {
  const times = [...new Set(snapshots.map(({ at }) => at))].sort();
  return times.map((time) => {
    const told = snapshots.filter(({ at }) => at === time);
    const refunded = Math.max(...told.map(({ refundedCents }) => refundedCents));
    return snapshot(time, refunded, Math.max(...told.map(shownIn)));
  });
}

function shownIn({ refundedCents, shownCents = refundedCents }: Snapshot): number {
  return shownCents;
}

/** A refund that failed stays failed: an older event of it may still come. */
export function mergeRefunds(a: RefundFact, b: RefundFact): RefundFact {
  const toldAt = lesserText(a.toldAt ?? null, b.toldAt ?? null);
  return {
    kind: 'refund',
    amountCents: Math.max(a.amountCents, b.amountCents),
    ...(toldAt === null ? {} : { toldAt }),
    issued: a.issued || b.issued,
    failedAt: lesserText(a.failedAt, b.failedAt),
    chargeId: a.chargeId ?? b.chargeId,
    paymentIntentId: a.paymentIntentId ?? b.paymentIntentId,
  };
}

/** Any close is final; of two closes the later one holds, lost when they name the same second. */
export function mergeDisputes(a: DisputeFact, b: DisputeFact): DisputeFact {
  const holds = prevails(a, b) ? a : b;
  const currency = greaterText(a.currency ?? null, b.currency ?? null);
  const chargeId = greaterText(a.chargeId ?? null, b.chargeId ?? null);
  return {
    ...holds,
    amountCents: Math.max(a.amountCents, b.amountCents),
    ...(currency === null ? {} : { currency }),
    ...(chargeId === null ? {} : { chargeId }),
    ...withCurrency({ ...a.moved, ...b.moved }, sameCurrency(a.movedCurrency, b.movedCurrency)),
  };
}

function prevails(a: DisputeFact, b: DisputeFact): boolean {
  if (a.closedAt === null || b.closedAt === null) return b.closedAt === null;
  if (a.closedAt !== b.closedAt) return a.closedAt > b.closedAt;
  return finality.indexOf(a.state) >= finality.indexOf(b.state);
}

/** States by finality: where two closes name the same second, the later in this list holds. */
const finality: DisputeState[] = ['open', 'ended', 'prevented', 'released', 'lost'];

function greaterNumber(a: number | null, b: number | null): number | null {
  const known = [a, b].filter((number) => number !== null);
  return known.length === 0 ? null : Math.max(...known);
}

function greaterText(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a > b ? a : b;
}

function lesserText(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}

/** Refunds that the oldest versions list inside the charge; they have times of their own. */
export function refundTime(refund: unknown, eventAt: string): string {
  return instantAt(refund, 'created') ?? eventAt;
}
