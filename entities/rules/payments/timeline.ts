import type { PaymentRank } from '../commissions/rule-match';
import { bindingsOf, type BindingFact, type BindingPeriod } from '../customers/bindings';
import {
  creditOf,
  isAttributed,
  systemBefore,
  rankAfter,
  refusals,
  type Before,
  type Credit,
  type CreditedTo,
  type First,
  type Payment,
} from './credit';

/** Payments of customers and subscriptions that hang together, with what says whose the customers are. */
export interface Timeline {
  payments: readonly Payment[];
  /** Facts of each customer but those that follow from these payments. */
  bindingFacts: ReadonlyMap<string, readonly BindingFact[]>;
}

export interface CreditedTimeline {
  /** Credits by the payment's id. */
  credits: Map<string, Credit>;
  /** The sales that bind their customer, by customer. */
  sales: Map<string, SaleFact[]>;
  /** Which payment of its customer each is, by its id; null for what is no payment of a programme. */
  ranks: Map<string, PaymentRank | null>;
  /** First attributed payments by customer and programme, with how many there are. */
  firsts: Map<string, Map<string, First>>;
}

/** The credit of every payment of a timeline, each by those before it. */
export function creditTimeline({ payments, bindingFacts }: Timeline): CreditedTimeline {
  const ordered = payments.toSorted(inOrder);
  const sales = salesThatMayBind(
    ordered.filter((payment) => !isCovered(payment)),
    bindingFacts,
  );
  const known = new Map<string, { facts: BindingFact[]; periods: BindingPeriod[] }>();
  for (const customer of new Set(ordered.flatMap((payment) => payment.customer ?? []))) {
    const facts = [...(bindingFacts.get(customer) ?? []), ...(sales.get(customer) ?? [])];
    known.set(customer, { facts, periods: bindingsOf(facts) });
  }
  const state = new PaymentsSoFar(bindingFacts);
  const credits = new Map<string, Credit>();
  const ranks = new Map<string, PaymentRank | null>();
  for (const payment of ordered) {
    const customer = payment.customer === null ? undefined : known.get(payment.customer);
    const credit = creditOf(payment, {
      ...state.before(payment),
      bindings: customer?.periods ?? [],
      bindingFacts: customer?.facts ?? [],
    });
    credits.set(payment.id, credit);
    ranks.set(payment.id, state.rankOf(payment, credit));
    state.add(payment, credit);
  }
  return { credits, ranks, sales: bindingSales(known), firsts: state.firstsOfCustomers() };
}

/** Order by time; a subscription's first invoice before what else was paid in that moment. */
export function inOrder(a: Payment, b: Payment): number {
  return (
    a.paid.at.getTime() - b.paid.at.getTime() ||
    Number(b.begins) - Number(a.begins) ||
    (a.externalId < b.externalId ? -1 : 1)
  );
}

/**
 * Sales by their own signals, of those that may begin something: a later invoice carries its
 * subscription's metadata on, and begins nothing.
 */
function salesThatMayBind(
  ordered: readonly Payment[],
  bindingFacts: Timeline['bindingFacts'],
): Map<string, SaleFact[]> {
  const begun = new Set<string>();
  const sales = new Map<string, SaleFact[]>();
  for (const payment of ordered) {
    const { subscription, customer, toldBy } = payment;
    const isLater = toldBy === 'invoice' && subscription !== null && begun.has(subscription);
    if (subscription !== null) begun.add(subscription);
    if (isLater || customer === null) continue;
    const verdict = ownCredit(payment, bindingFacts.get(customer) ?? []);
    if (verdict === null) continue;
    const sale = saleFact(payment, verdict);
    sales.set(customer, [...(sales.get(customer) ?? []), sale]);
  }
  return sales;
}

/**
 * What credit covered whole is no payment, and begins nothing, though a conversion may be there that was recorded
 * before that was told. A report without a sum is a lead.
 */
function isCovered({ toldBy, amountCents }: Payment): boolean {
  return toldBy !== 'report' && amountCents === 0;
}

/** Whom its own signals credit; null where they do not, or an import's old system has dealt with it. */
function ownCredit(payment: Payment, facts: readonly BindingFact[]): CreditedTo | null {
  return isAttributed(payment.own) && !systemBefore(payment, facts) ? payment.own : null;
}

type SaleFact = BindingFact & { paymentId: string };

function saleFact(
  { id, toldBy, paid, biller = 'stripe' }: Payment,
  { participantId, programId }: CreditedTo,
): SaleFact {
  const source = toldBy === 'report' ? 'conversion' : biller;
  return {
    participantId,
    programId,
    source,
    boundAt: paid.at,
    speaksFrom: paid.at,
    paymentId: id,
  };
}

function bindingSales(
  known: ReadonlyMap<string, { periods: readonly BindingPeriod[] }>,
): CreditedTimeline['sales'] {
  const isSale = (fact: BindingFact): fact is SaleFact => 'paymentId' in fact;
  return new Map(
    [...known].map(([customer, { periods }]) => [
      customer,
      periods.map(({ fact }) => fact).filter(isSale),
    ]),
  );
}

type Party = Pick<Payment, 'subscription' | 'customer'>;

/** What the payments so far have left of their customers and subscriptions. */
class PaymentsSoFar {
  private readonly ofCustomers = new Map<string, Map<string, First>>();
  private readonly firstsOfSubscriptions = new Map<string, Map<string, First>>();
  private readonly decisive = new Map<string, NonNullable<Before['ofSubscription']>>();
  private readonly began = new Map<string, Date>();
  private readonly waitedFor = new Set<string>();
  /** Ids of the payments of each party in each programme. */
  private readonly counted = new Map<string, Set<string>>();

  constructor(bindingFacts: Timeline['bindingFacts']) {
    for (const [customer, facts] of bindingFacts) this.begin(customer, facts);
  }

  /** What an import says was paid first: it came before all that is told here. */
  private begin(customer: string, facts: readonly BindingFact[]): void {
    for (const { programId, firstPaidAt } of facts) {
      if (programId === null || !firstPaidAt) continue;
      const first = { paidAt: firstPaidAt, periodAt: firstPaidAt, payments: null };
      note(this.ofCustomers, { party: customer, programId, first });
    }
  }

  before(payment: Payment): Omit<Before, 'bindings' | 'bindingFacts'> {
    const { subscription, customer, subscriptionBeganAt } = payment;
    return {
      ofSubscription: (subscription && this.decisive.get(subscription)) || null,
      subscriptionBeganAt:
        (subscription && this.began.get(subscription)) || subscriptionBeganAt || null,
      firsts: earliestOf(
        (customer && this.ofCustomers.get(customer)) || noFirsts,
        (subscription && this.firstsOfSubscriptions.get(subscription)) || noFirsts,
      ),
      isWaitedFor: keysOf(payment).some((key) => this.waitedFor.has(key)),
    };
  }

  /** Which payment it is of its customer and subscription in the programme that it is credited in. */
  rankOf(payment: Payment, credit: Credit): PaymentRank | null {
    const to = creditedTo(payment, credit);
    if (!to || to.refusal !== null) return null;
    const first = this.before(payment).firsts.get(to.programId) ?? null;
    // What an import says was paid first is a payment, though nobody told it here.
    const payments = Math.max(1, this.countOf(payment, to.programId));
    return rankAfter(payment, first && { ...first, payments });
  }

  /** The first payment of each customer in each programme, with the number of payments there. */
  firstsOfCustomers(): Map<string, Map<string, First>> {
    const counted = (customer: string, firsts: ReadonlyMap<string, First>) =>
      new Map(
        [...firsts].map(([programId, first]) => {
          const payments = this.counted.get(countKey(`c:${customer}`, programId))?.size ?? null;
          return [programId, { ...first, payments }] as const;
        }),
      );
    return new Map([...this.ofCustomers].map(([one, firsts]) => [one, counted(one, firsts)]));
  }

  private countOf(payment: Party, programId: string): number {
    const ids = keysOf(payment).flatMap((key) => [
      ...(this.counted.get(countKey(key, programId)) ?? []),
    ]);
    return new Set(ids).size;
  }

  add(payment: Payment, credit: Credit): void {
    if (isCovered(payment)) return;
    const { subscription, paid } = payment;
    if (subscription !== null && !this.began.has(subscription)) {
      this.began.set(subscription, payment.subscriptionBeganAt ?? paid.at);
    }
    if (credit.kind === 'waits') for (const key of keysOf(payment)) this.waitedFor.add(key);
    const to = creditedTo(payment, credit);
    if (to) this.addCredited(payment, to);
  }

  private addCredited(payment: Payment, to: NonNullable<Before['ofSubscription']>): void {
    const { subscription, customer, paid, periodAt, amountCents } = payment;
    if (subscription !== null && !this.decisive.has(subscription)) {
      this.decisive.set(subscription, to);
    }
    if (to.refusal !== null || amountCents === 0) return;
    const first = { paidAt: paid.at, periodAt, payments: null };
    for (const key of keysOf(payment)) this.count(countKey(key, to.programId), payment.id);
    note(this.ofCustomers, { party: customer, programId: to.programId, first });
    note(this.firstsOfSubscriptions, { party: subscription, programId: to.programId, first });
  }

  private count(key: string, id: string): void {
    const ids = this.counted.get(key) ?? new Set();
    this.counted.set(key, ids.add(id));
  }
}

const noFirsts: ReadonlyMap<string, First> = new Map();

function countKey(party: string, programId: string): string {
  return `${party} ${programId}`;
}

function keysOf({ subscription, customer }: Party): string[] {
  return [subscription && `s:${subscription}`, customer && `c:${customer}`].filter(
    (key) => key !== null,
  );
}

/** Whom it decides for: attributed, or refused for good. */
function creditedTo(payment: Payment, credit: Credit): Before['ofSubscription'] {
  if (credit.kind === 'renewed') {
    const { participantId, programId, refusal } = credit;
    if (refusal === 'BEFORE_CUTOVER') return null;
    return participantId === payment.failedFor ? null : { participantId, programId, refusal };
  }
  if (credit.kind !== 'own' || !payment.own) return null;
  const { reason, participantId, programId } = payment.own;
  if (participantId === null || programId === null) return null;
  if (reason === 'ATTRIBUTED') return { participantId, programId, refusal: null };
  return refusals.includes(reason) ? { participantId, programId, refusal: reason } : null;
}

function note(
  firsts: Map<string, Map<string, First>>,
  { party, programId, first }: { party: string | null; programId: string; first: First },
): void {
  if (party === null) return;
  const ofParty = firsts.get(party) ?? new Map<string, First>();
  if (!ofParty.has(programId)) ofParty.set(programId, first);
  firsts.set(party, ofParty);
}

function earliestOf(
  a: ReadonlyMap<string, First>,
  b: ReadonlyMap<string, First>,
): ReadonlyMap<string, First> {
  if (a.size === 0 || b.size === 0) return a.size === 0 ? b : a;
  const all = new Map(a);
  for (const [programId, first] of b) {
    const other = all.get(programId);
    if (!other || first.paidAt < other.paidAt) all.set(programId, first);
  }
  return all;
}
