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
  matchedBy: 'click' | 'customer' | null;
  /** Cents due of it; null for a sale that earns nothing. */
  due: number | null;
}

interface Payment {
  id: string;
  kind: 'click' | 'report' | 'checkout' | 'invoice';
  paidAt: Date;
  cents: number;
  /** Whose click it came by. */
  clicked?: Partner;
}

interface Hand {
  at: Date;
  /** Null where a member took the customer away. */
  partner: Partner | null;
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

const ever = Number.NEGATIVE_INFINITY;
const never = Number.POSITIVE_INFINITY;

export class CustomerModel {
  private readonly signUps: Date[] = [];
  private isNamedBySignUp = false;
  private readonly hands: Hand[] = [];
  private readonly payments = new Map<string, Payment>();
  private readonly refused: Payment[] = [];

  /** `rate` in per cent of a sale. */
  constructor(
    private readonly terms: Terms,
    private readonly rate: number,
  ) {}

  /** One that is told again after a member took the customer away binds from then on. */
  signUp({ at, now, isStripeNamed }: { at: Date; now: Date; isStripeNamed: boolean }): void {
    const isTakenAway = this.hands.length > 0 && this.partner() === null;
    if (isTakenAway) this.signUps.push(now);
    else if (this.signUps.length === 0) this.signUps.push(at);
    this.isNamedBySignUp ||= isStripeNamed;
  }

  bind({ partner, at }: { partner: Partner; at: Date }): void {
    this.hands.push({ partner, at });
  }

  /** Of one who is nobody's there is nothing to take away. */
  unbind(at: Date): void {
    if (this.partner() !== null) this.hands.push({ partner: null, at });
  }

  pay(payment: Payment): void {
    if (!this.payments.has(payment.id)) this.payments.set(payment.id, payment);
  }

  /** Whether a member can act at that time: they act now, after all that was told. */
  isNow(at: Date): boolean {
    const told = [...this.payments.values(), ...this.refused].map(({ paidAt }) => paidAt);
    const all = [...told, ...this.signUps, ...this.hands.map((hand) => hand.at)];
    return all.every((one) => one <= at);
  }

  /** A report that nothing credits is refused, and no fact. */
  refuse(id: string): void {
    const refused = this.payments.get(id);
    if (refused) this.refused.push(refused);
    this.payments.delete(id);
  }

  /** Whether anything names the shop's customer and Stripe's together. */
  private isNamedTogether(): boolean {
    return this.isNamedBySignUp || this.has('checkout');
  }

  private has(...kinds: Payment['kind'][]): boolean {
    return [...this.payments.values()].some(({ kind }) => kinds.includes(kind));
  }

  private inOrder(): Payment[] {
    return [...this.payments.values()]
      .filter(({ kind }) => kind !== 'invoice' || this.isNamedTogether())
      .sort((a, b) => a.paidAt.getTime() - b.paidAt.getTime() || (a.id < b.id ? -1 : 1));
  }

  /** Hands cut time; within a cut without one the first sign-up or sale by a click binds. */
  periods(): Period[] {
    const hands = this.hands.toSorted((a, b) => a.at.getTime() - b.at.getTime());
    const found = this.inOrder().flatMap(({ clicked, paidAt }) =>
      clicked ? [{ partner: clicked, at: paidAt.getTime() }] : [],
    );
    for (const at of this.signUps) found.push({ partner: 'partner', at: at.getTime() });
    found.sort((a, b) => a.at - b.at);
    const cuts: (Hand | null)[] = [null, ...hands];
    return cuts.flatMap((cut, index) => {
      const since = cut?.at.getTime() ?? ever;
      const until = hands[index]?.at.getTime() ?? never;
      if (cut?.partner) {
        const isFirst = index === 1 && !found.some(({ at }) => at < since);
        return [{ partner: cut.partner, from: isFirst ? ever : since, until }];
      }
      const first = found.find(({ at }) => at >= since && at < until);
      return first ? [{ partner: first.partner, from: first.at, until }] : [];
    });
  }

  /** Whose the customer is now. */
  partner(): Partner | null {
    const last = this.periods().at(-1);
    return last?.until === never ? last.partner : null;
  }

  firstPaidAt(): Date | null {
    return this.sales()[0]?.paidAt ?? null;
  }

  /** Ids of the shop's customer; none while nothing names them. */
  names(): string[] {
    if (this.isNamedTogether()) return ['user', 'cus'];
    const isKnown = this.signUps.length > 0 || this.hands.length > 0 || this.has('click', 'report');
    return isKnown ? ['user'] : [];
  }

  sales(): (ExpectedSale & { id: string })[] {
    const sales: (ExpectedSale & { id: string })[] = [];
    const invoices: Invoices = { subscribed: null, began: null };
    let first: Date | null = null;
    for (const payment of this.inOrder()) {
      const { id, kind, paidAt, cents, clicked } = payment;
      if (kind === 'invoice') invoices.began ??= paidAt;
      const credit = kind === 'invoice' ? this.ofInvoice(payment, invoices) : this.ofSale(payment);
      if (credit === null) continue;
      const earns = clicked !== undefined || first === null || this.isWithinMonths(first, paidAt);
      sales.push({ id, paidAt, ...credit, due: earns ? this.due(cents) : null });
      first ??= paidAt;
      if (kind === 'invoice') invoices.subscribed ??= credit.partner;
    }
    return sales;
  }

  private ofSale({ clicked, paidAt }: Payment): CreditedSale | null {
    if (clicked) return { partner: clicked, matchedBy: 'click' };
    const at = paidAt.getTime();
    const bound = this.periods().find(({ from, until }) => from <= at && at < until);
    return bound ? { partner: bound.partner, matchedBy: 'customer' } : null;
  }

  /** Goes on with its subscription, but for what a member has said. */
  private ofInvoice(payment: Payment, { subscribed, began }: Invoices): CreditedSale | null {
    const hand = this.hands
      .filter(({ at }) => at <= payment.paidAt)
      .sort((a, b) => a.at.getTime() - b.at.getTime())
      .at(-1);
    if (hand?.partner) return this.ofSale(payment);
    if (hand && began && began < hand.at) return null;
    return subscribed ? { partner: subscribed, matchedBy: null } : this.ofSale(payment);
  }

  private due(cents: number): number {
    return Math.floor((cents * this.rate + 50) / 100);
  }

  private isWithinMonths(first: Date, paidAt: Date): boolean {
    const { recurring, recurringMonths } = this.terms;
    if (!recurring || recurringMonths === null) return recurring;
    const end = new Date(first);
    end.setUTCMonth(end.getUTCMonth() + recurringMonths);
    return paidAt < end;
  }
}
