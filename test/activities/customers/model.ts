import { Twins } from './twins';

/**
 * What is expected of one customer: `user` to the shop, `cus` to Stripe, brought by a partner or a rival.
 * It keeps what happened and when, never in which order it was told, and answers from all of it. Written
 * from docs/reference/customers.md and payments.md, without the service's rules.
 */
export type Partner = 'partner' | 'rival';

export interface Terms {
  recurring: boolean;
  recurringMonths: number | null;
}

export interface ExpectedSale {
  partner: Partner;
  paidAt: Date;
  matchedBy: 'click' | 'promo_code' | 'customer' | null;
  currency: string;
  /** Minor units due of it. */
  due: number;
}

/**
 * How a payment is told: a report by API with a click or the customer alone, Stripe's checkout with both names of the
 * customer, with the shop's or with Stripe's alone, its invoice, or a bare charge.
 */
export type PaymentKind =
  | 'click'
  | 'report'
  | 'checkout'
  | 'guest'
  | 'stripes'
  | 'invoice'
  | 'charge';

export interface Payment {
  id: string;
  kind: PaymentKind;
  paidAt: Date;
  /** The time from which on it pays a subscription; when it was paid unless told. */
  periodAt?: Date;
  cents: number;
  currency?: string;
  /** The partner whose click it came by, or whose code its buyer typed. */
  clicked?: Partner;
  by?: 'click' | 'promo_code';
}

/** What was given back of a payment: this much of so much. */
export interface Returned {
  cents: number;
  of: number;
  /** The amount of the one charge that is known. */
  charge: number;
}

interface Hand {
  at: Date;
  /** Null where a member took the customer away. */
  partner: Partner | null;
}

interface SignUp {
  at: Date;
  /** The how many-th of all that was told. */
  told: number;
}

interface Period {
  partner: Partner;
  from: number;
  until: number;
}

type CreditedSale = Pick<ExpectedSale, 'partner' | 'matchedBy'>;

/** What the subscription's invoices have said so far. */
interface Invoices {
  subscribed: Partner | null;
  began: Date | null;
}

/** One whom the shop or Stripe names, or both: whatever is known of them. */
export interface Party {
  payments: Told[];
  signUps: SignUp[];
  hands: Hand[];
}

export type Told = Payment & { told: number };

export const ever = Number.NEGATIVE_INFINITY;
export const never = Number.POSITIVE_INFINITY;

export class CustomerModel {
  readonly twins = new Twins();
  protected readonly signUps: SignUp[] = [];
  protected readonly returned = new Map<string, Returned>();
  /** Payments that Stripe's invoice says credit paid whole. */
  protected readonly covered = new Set<string>();
  private isNamedBySignUp = false;
  private readonly hands: Hand[] = [];
  private readonly payments = new Map<string, Told>();
  private readonly refused: Payment[] = [];
  private facts = 0;

  constructor(protected readonly terms: Terms) {}

  /** One that is told again after a member took the customer away binds from then on. */
  signUp({ at, now, isStripeNamed }: { at: Date; now: Date; isStripeNamed: boolean }): void {
    const isTakenAway = this.hands.length > 0 && this.partner() === null;
    const told = this.count();
    if (isTakenAway) this.signUps.push({ at: now, told });
    else if (this.signUps.length === 0) this.signUps.push({ at, told });
    this.isNamedBySignUp ||= isStripeNamed;
  }

  bind({ partner, at }: { partner: Partner; at: Date }): void {
    this.hands.push({ partner, at });
  }

  /** There is nothing to take away of one who is nobody's. */
  unbind(at: Date): void {
    if (this.partner() !== null) this.hands.push({ partner: null, at });
  }

  /** A checkout says more than its charge, whichever was told first. */
  pay(payment: Payment): void {
    const known = this.payments.get(payment.id);
    const told = this.count();
    if (!known) this.payments.set(payment.id, { ...payment, told });
    else if (this.saysMore(payment, known)) this.payments.set(payment.id, { ...payment, told });
  }

  protected saysMore(payment: Payment, known: Payment): boolean {
    return known.kind === 'charge' && payment.kind !== 'charge';
  }

  giveBack(id: string, returned: Returned): void {
    this.returned.set(id, returned);
  }

  cover(id: string): void {
    this.covered.add(id);
  }

  /** A report of a payment of Stripe's by a click that had expired says nothing. */
  reportInVain(_id: string): void {
    this.count();
  }

  private count(): number {
    return (this.facts += 1);
  }

  /** Whether a member can act at that time: they act now, after all that was told. */
  isNow(at: Date): boolean {
    const told = [...this.payments.values(), ...this.refused].map(({ paidAt }) => paidAt);
    const all = [...told, ...this.signUps.map((one) => one.at), ...this.hands.map((one) => one.at)];
    return all.every((one) => one <= at);
  }

  /** A report that nothing credits is refused, and no fact. */
  refuse(id: string): void {
    const refused = this.payments.get(id);
    if (refused) this.refused.push(refused);
    this.payments.delete(id);
  }

  /** Whether anything names the shop's customer and Stripe's together. */
  protected isNamedTogether(): boolean {
    return this.isNamedBySignUp || this.has('checkout');
  }

  protected has(...kinds: PaymentKind[]): boolean {
    return [...this.payments.values()].some(({ kind }) => kinds.includes(kind));
  }

  /** The shop's customer, and Stripe's while nothing has named both. */
  private parties(): Party[] {
    const { signUps, hands } = this;
    const payments = this.inOrder();
    if (this.isNamedTogether()) return [{ payments, signUps, hands }];
    const isStripes = ({ kind }: Payment): boolean => kind === 'stripes' || kind === 'invoice';
    return [
      { payments: payments.filter((one) => !isStripes(one)), signUps, hands },
      { payments: payments.filter(isStripes), signUps: [], hands: [] },
    ];
  }

  private shops(): Party {
    const [party] = this.parties();
    if (!party) throw new Error('the shop has no customer');
    return party;
  }

  /** Nothing was paid of what credit covered, and a charge alone names nobody. */
  private inOrder(): Told[] {
    return [...this.payments.values()]
      .filter(({ id, kind }) => kind !== 'charge' && !this.isCovered(id))
      .sort((a, b) => this.compare(a, b));
  }

  protected isCovered(id: string): boolean {
    return this.covered.has(id);
  }

  protected compare(a: Told, b: Told): number {
    return a.paidAt.getTime() - b.paidAt.getTime() || (a.id < b.id ? -1 : 1);
  }

  /** Hands cut time; within a cut without one the first sign-up or sale by a click binds. */
  periods({ payments, signUps, hands: all }: Party): Period[] {
    const hands = all.toSorted((a, b) => a.at.getTime() - b.at.getTime());
    const found = payments.flatMap(({ clicked, paidAt }) =>
      clicked ? [{ partner: clicked, at: paidAt.getTime() }] : [],
    );
    for (const { at } of signUps) found.push({ partner: 'partner', at: at.getTime() });
    found.sort((a, b) => a.at - b.at);
    const cuts: (Hand | null)[] = [null, ...hands];
    return cuts.flatMap((cut, index) => {
      const since = cut?.at.getTime() ?? ever;
      const until = hands[index]?.at.getTime() ?? never;
      if (cut?.partner) {
        const isFirst = index === 1 && !found.some(({ at }) => at < since);
        const from = this.handSpeaksFrom(isFirst, since);
        return [{ partner: cut.partner, from, until }];
      }
      const first = found.find(({ at }) => at >= since && at < until);
      return first ? [{ partner: first.partner, from: first.at, until }] : [];
    });
  }

  protected handSpeaksFrom(isFirst: boolean, at: number): number {
    return isFirst ? ever : at;
  }

  /** The partner whose customer the shop's customer is now. */
  partner(): Partner | null {
    const last = this.periods(this.shops()).at(-1);
    return last?.until === never ? last.partner : null;
  }

  firstPaidAt(): Date | null {
    return this.salesOf(this.shops())[0]?.paidAt ?? null;
  }

  /** Ids of the shop's customer; none while nothing names them. */
  names(): string[] {
    if (this.isNamedTogether()) return ['user', 'cus'];
    const isKnown = this.signUps.length > 0 || this.hands.length > 0;
    return isKnown || this.has('click', 'report', 'guest') ? ['user'] : [];
  }

  /** All payments, a charge that no checkout was told of included. */
  sales(): (ExpectedSale & { id: string })[] {
    const charges = [...this.payments.values()].filter(({ kind }) => kind === 'charge');
    const alone = { payments: charges, signUps: [], hands: [] };
    return [...this.parties(), alone].flatMap((party) => this.salesOf(party));
  }

  private salesOf(party: Party): (ExpectedSale & { id: string })[] {
    const sales: (ExpectedSale & { id: string })[] = [];
    const invoices: Invoices = { subscribed: null, began: null };
    let first: Told | null = null;
    for (const payment of party.payments) {
      const { id, kind, paidAt, clicked, currency = 'usd' } = payment;
      if (kind === 'invoice') invoices.began ??= paidAt;
      const isInvoice = kind === 'invoice';
      const credit = isInvoice
        ? this.ofInvoice(party, payment, invoices)
        : this.ofSale(party, payment);
      if (credit === null) continue;
      const earns = clicked !== undefined || first === null || this.isWithinMonths(first, payment);
      sales.push({ id, paidAt, ...credit, currency, due: earns ? this.due(payment) : 0 });
      first ??= payment;
      if (isInvoice) invoices.subscribed ??= credit.partner;
    }
    return sales;
  }

  protected ofSale(party: Party, { clicked, by = 'click', paidAt }: Told): CreditedSale | null {
    if (clicked) return { partner: clicked, matchedBy: by };
    const at = paidAt.getTime();
    const bound = this.periods(party).find(({ from, until }) => from <= at && at < until);
    return bound ? { partner: bound.partner, matchedBy: 'customer' } : null;
  }

  /** Goes on with its subscription, but for what a member has said. */
  protected ofInvoice(party: Party, payment: Told, invoices: Invoices): CreditedSale | null {
    const { subscribed, began } = invoices;
    const hand = party.hands
      .filter(({ at }) => at <= payment.paidAt)
      .sort((a, b) => a.at.getTime() - b.at.getTime())
      .at(-1);
    if (hand?.partner) return this.ofSale(party, payment);
    if (hand && began && began < hand.at) return this.ofUnbound(invoices, party, payment);
    return subscribed ? { partner: subscribed, matchedBy: null } : this.ofSale(party, payment);
  }

  /** A payment of a subscription that began before a member took the customer away. */
  protected ofUnbound(_invoices: Invoices, _party: Party, _payment: Told): CreditedSale | null {
    return null;
  }

  /** A fifth, or three tenths of 70.00 and more in the programme's currency; then what is left of it. */
  protected due({ id, cents, currency = 'usd' }: Payment): number {
    const rate = currency === 'usd' && cents >= 7_000 ? 30 : 20;
    const earned = Math.floor((cents * rate + 50) / 100);
    const returned = this.returned.get(id);
    if (!returned) return earned;
    const { cents: back, of } = this.shareOf(returned);
    return Math.floor((2 * earned * (of - back) + of) / (2 * of));
  }

  protected shareOf({ cents, of }: Returned): { cents: number; of: number } {
    return { cents, of };
  }

  /** Whether a payment is within the months of the first, counted from period to period. */
  private isWithinMonths(first: Payment, payment: Payment): boolean {
    const { recurring, recurringMonths } = this.terms;
    if (!recurring || recurringMonths === null) return recurring;
    const end = new Date(this.countedFrom(first));
    end.setUTCMonth(end.getUTCMonth() + recurringMonths);
    return this.countedFrom(payment) < end;
  }

  protected countedFrom({ periodAt, paidAt }: Payment): Date {
    return periodAt ?? paidAt;
  }
}
