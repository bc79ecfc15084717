import type { StoredSale, StoredSignals } from '../payments/sale';
import { standsForErased } from '../values/identifier';
import { textInForce, type DiscountText } from './discount-texts';
import type {
  BillerFacts,
  BillerObject,
  BillerRules,
  Discount,
  PaymentSettlement,
  PaymentSummary,
} from './rules';

/**
 * Facts of a biller that tells a payment whole, each time anew: of several tellings of one object the newest
 * counts. A reader of such a biller makes these, and all that follows is here once.
 */
interface Telling {
  /** ISO with microseconds: when it was true. */
  toldAt: string;
  /** ISO: breaks ties, the last received counts. */
  receivedAt: string;
}

/** A sale: a transaction of Paddle's, an order of Polar's. Amounts are minor units, times ISO. */
export interface ToldSale extends Telling {
  kind: 'sale';
  /** Done, with or without money; else it is only noted. */
  isDone: boolean;
  amountCents: number;
  grossCents: number;
  currency: string;
  paidAt: string;
  madeAt: string;
  periodAt: string | null;
  /** True when it is less than a whole period's price. */
  isPart: boolean;
  /** The first of its subscription. */
  begins: boolean;
  clickIds: string[];
  /** The ids that the merchant meant as a click, whatever they are. */
  metadataClickIds: string[];
  discountId: string | null;
  /** Null while it is not known; empty for a discount without a code, or none. */
  code: string | null;
  /** When the code was told to be so; absent where the telling itself told it. */
  codeAt?: string;
  own: string[];
  billers: string[];
  subscriptionId: string | null;
  feeCents: number | null;
  /** The whole that comes back in parts, and how much of it the sale itself says has come back. */
  wholeCents: number;
  refundedCents: number;
}

/** Money that came back, or may: an adjustment of Paddle's, a dispute of Polar's. */
export interface ToldReturn extends Telling {
  kind: 'return';
  what: 'refund' | 'chargeback' | 'chargeback_reverse' | 'warning' | 'warning_reverse' | 'dispute';
  /** `counts`: it stands. `undone`: it stood, and was taken back. `open`: of a dispute. */
  state: 'counts' | 'undone' | 'open' | 'none';
  cents: number;
}

/** The subscription that a payment began, where the payment does not name it. */
export interface ToldSubscription extends Telling {
  kind: 'subscription';
  subscriptionId: string;
}

export type ToldFact = ToldSale | ToldReturn | ToldSubscription;

export interface ToldObject {
  id: string;
  fact: ToldFact | null;
}

export interface ToldFacts extends BillerFacts {
  objects: ToldObject[];
}

type SharedRules = Omit<
  BillerRules,
  'eventTypes' | 'isRead' | 'isPaymentId' | 'headerOf' | 'factsOf'
>;

/** What the rules of such billers have in common. */
export const toldRules: SharedRules = {
  merge: (stored: ToldFact | null, told: ToldFact | null) => {
    const fact = newer(stored, told);
    if (fact?.kind !== 'sale') return fact;
    return withoutErased(asFirstTold(fact, [stored, told]), stored);
  },
  says: (fact: ToldFact | null) =>
    // The database keeps no order of fields.
    fact === null ? '' : JSON.stringify(fact, Object.keys(fact).filter(isNoTime).sort()),
  summaryOf: (objects: ToldObject[]) => summaryOf(objects),
  settlementOf: (objects: ToldObject[]) => settlementOf(objects),
  paymentIdsOf: (objects: ToldObject[]) =>
    objects.filter(({ fact }) => fact === null || fact.kind === 'sale').map(({ id }) => id),
  tellsSale: (objects: ToldObject[]) => objects.some(({ fact }) => fact?.kind === 'sale'),
  isTold: (sale) => sale !== null,
  namesOf: (objects: ToldObject[]) =>
    objects.filter(({ fact }) => fact?.kind !== 'return').map(({ id }) => id),
  discountsOf: ({ objects }: ToldFacts) =>
    salesOf(objects).flatMap(({ code, discountId }) =>
      code === null && discountId !== null ? [discountId] : [],
    ),
  withCodes: (facts: ToldFacts, discounts) => withCodes(facts, discounts),
};

function isNoTime(field: string): boolean {
  return !['toldAt', 'receivedAt', 'codeAt'].includes(field);
}

interface Past {
  /** ISO. */
  connectedAt: string;
  /** What was told of the payment before. */
  stored: readonly BillerObject[];
}

/**
 * The objects of a payment that the biller was asked for. A sale of before the connection is credited by bindings
 * alone: what it says of who brought it is left out, unless an event has told it.
 */
export function withoutPast(
  objects: readonly ToldObject[],
  { connectedAt, stored }: Past,
): ToldObject[] {
  const { clickIds, codes } = toldRules.summaryOf(stored).signals;
  const isTold = clickIds.length > 0 || codes.length > 0;
  return objects.map(({ id, fact }) => {
    if (fact?.kind !== 'sale' || fact.madeAt >= connectedAt || isTold) return { id, fact };
    const nobody = { clickIds: [], metadataClickIds: [], discountId: null, code: '' };
    return { id, fact: { ...fact, ...nobody } };
  });
}

/** A sale that was done stays one: what comes after it says what became of it. */
function newer(stored: ToldFact | null, told: ToldFact | null): ToldFact | null {
  if (!stored || !told || stored.kind !== told.kind) return stored ?? told;
  if (isDone(stored) !== isDone(told)) return isDone(stored) ? stored : told;
  if (stored.toldAt !== told.toldAt) return stored.toldAt > told.toldAt ? stored : told;
  return stored.receivedAt > told.receivedAt ? stored : told;
}

/**
 * A telling shows the sale's discount and subscription as they are at that time: the buyer typed the code that the
 * discount had when the sale was made, and paid for the period that was first told.
 */
function asFirstTold(fact: ToldSale, tellings: readonly (ToldFact | null)[]): ToldSale {
  const sales = tellings.filter((one): one is ToldSale => one?.kind === 'sale');
  const texts = sales
    .filter((one) => one.discountId === fact.discountId || (one.isDone && fact.discountId === null))
    .flatMap((one) => textOf(one) ?? []);
  const coded = textInForce(texts, fact.madeAt);
  const code = coded && { code: coded.code, codeAt: coded.at };
  const [period] = sales
    .filter(({ isDone }) => isDone === fact.isDone)
    .flatMap(({ periodAt }) => periodAt ?? [])
    .sort();
  return { ...fact, ...code, periodAt: period ?? null };
}

/** Where the buyer may stand in a sale. */
const erasable = ['own', 'billers', 'clickIds', 'metadataClickIds'] as const;

/** What the buyer's erasure took from a sale, no later telling of it brings back. */
function withoutErased(fact: ToldSale, stored: ToldFact | null): ToldSale {
  if (stored?.kind !== 'sale') return fact;
  const isErased = erasable.some((field) => stored[field].some(standsForErased));
  if (!isErased) return fact;
  const { own, billers, clickIds, metadataClickIds } = stored;
  return { ...fact, own, billers, clickIds, metadataClickIds };
}

/** Undefined where none is known, or none is shown. */
function textOf({ code, codeAt, toldAt }: ToldSale): DiscountText | undefined {
  const isShown = code !== null && (code !== '' || codeAt !== undefined);
  return isShown ? { code, at: codeAt ?? toldAt } : undefined;
}

function isDone(fact: ToldFact): boolean {
  return fact.kind === 'sale' && fact.isDone;
}

function salesOf(objects: readonly ToldObject[]): ToldSale[] {
  return objects.flatMap(({ fact }) => (fact?.kind === 'sale' ? [fact] : []));
}

function isPaid({ isDone, amountCents }: ToldSale): boolean {
  return isDone && amountCents > 0;
}

const noSignals: StoredSignals = { clickIds: [], metadataClickIds: [], codes: [] };

function summaryOf(objects: readonly ToldObject[]): PaymentSummary {
  const [sale] = salesOf(objects);
  const begun = objects.flatMap(({ fact }) => (fact?.kind === 'subscription' ? [fact] : []))[0];
  const subscriptionId = sale?.subscriptionId ?? begun?.subscriptionId ?? null;
  if (!sale) {
    const names = { own: [], billers: [] };
    const nothing = { sale: null, paidAt: null, isPaid: false, tellings: 0, hidesCode: false };
    return { ...nothing, signals: noSignals, names, subscriptionId, customerId: null };
  }
  return {
    sale: saleOf(objects, sale),
    paidAt: isPaid(sale) ? sale.paidAt : null,
    isPaid: isPaid(sale),
    tellings: 1,
    hidesCode: sale.isDone && sale.code === null,
    signals: signalsOf(sale),
    ...buyerIn(sale),
    subscriptionId,
  };
}

/** The buyer, of a sale that is done: until then another one may finish the checkout. */
function buyerIn({ isDone, own, billers }: ToldSale): Pick<PaymentSummary, 'names' | 'customerId'> {
  if (!isDone) return { names: { own: [], billers: [] }, customerId: null };
  return { names: { own, billers }, customerId: billers[0] ?? null };
}

function signalsOf({ clickIds, metadataClickIds, code }: ToldSale): StoredSignals {
  return { clickIds, metadataClickIds, codes: code ? [code] : [] };
}

/** What began a subscription without money is its trial: its moment and signals count for what is paid. */
function saleOf(objects: readonly ToldObject[], sale: ToldSale): StoredSale | null {
  const externalId = objects.find(({ fact }) => fact === sale)?.id;
  if (!sale.isDone || externalId === undefined) return null;
  return {
    externalId,
    toldBy: 'invoice',
    paidAt: isPaid(sale) ? sale.paidAt : null,
    madeAt: sale.madeAt,
    periodAt: sale.periodAt,
    amountCents: sale.amountCents,
    grossCents: sale.grossCents,
    currency: sale.currency,
    begins: sale.begins,
    isPart: sale.isPart,
    mayHaveCheckout: false,
    hasCheckout: !isPaid(sale),
    signals: signalsOf(sale),
    aliases: toldRules.paymentIdsOf(objects),
    feeCents: sale.feeCents,
  };
}

function settlementOf(objects: readonly ToldObject[]): PaymentSettlement {
  const [sale] = salesOf(objects);
  const returns = objects.flatMap(({ fact }) => (fact?.kind === 'return' ? [fact] : []));
  const sum = (what: ToldReturn['what'], state: ToldReturn['state'] = 'counts'): number =>
    returns
      .filter((one) => one.what === what && one.state === state)
      .reduce((total, { cents }) => total + cents, 0);
  // A chargeback that is `reversed` and its chargeback_reverse are one fact.
  const reversedElsewhere = Math.max(0, sum('chargeback_reverse') - sum('chargeback', 'undone'));
  const chargedBack = Math.max(0, sum('chargeback') - reversedElsewhere);
  return {
    chargeCents: sale?.isDone ? sale.wholeCents : null,
    refundedCents: (sale?.refundedCents ?? 0) + sum('refund'),
    lostDisputeCents: chargedBack + sum('dispute'),
    openDisputes: openWarnings(returns) + returns.filter(({ state }) => state === 'open').length,
    feeCents: sale?.isDone ? sale.feeCents : null,
  };
}

/** A warning is open until its reverse, its end, or the chargeback that it warned of. */
function openWarnings(returns: readonly ToldReturn[]): number {
  const count = (what: ToldReturn['what'], state: ToldReturn['state']): number =>
    returns.filter((one) => one.what === what && one.state === state).length;
  const reversedElsewhere = Math.max(
    0,
    count('warning_reverse', 'counts') - count('warning', 'undone'),
  );
  const chargebacks = count('chargeback', 'counts') + count('chargeback', 'undone');
  return Math.max(0, count('warning', 'counts') - reversedElsewhere - chargebacks);
}

function withCodes(facts: ToldFacts, discounts: readonly Discount[]): ToldFacts {
  const objects = facts.objects.map(({ id, fact }) => {
    if (fact?.kind !== 'sale' || fact.code !== null || fact.discountId === null)
      return { id, fact };
    const texts = discounts
      .filter((one) => one.id === fact.discountId)
      .map(({ code, toldAt }) => ({ code, at: toldAt }));
    const text = textInForce(texts, fact.madeAt);
    return { id, fact: text ? { ...fact, code: text.code, codeAt: text.at } : fact };
  });
  return { ...facts, objects };
}
