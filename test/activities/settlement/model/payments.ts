import type { TermsKind } from './entries';

/** What was sold, and as which payment of Stripe's; amounts in minor units. */
export interface Sale {
  slot: number;
  /** The sum without tax, as it was reported, or as its checkout says. */
  amountCents: number;
  currency: string;
  /** The sums that its charges took, with tax; none of a sale that Stripe knows nothing of. */
  charges: readonly number[];
  /** The sum with tax of a sale that Stripe's checkout tells, and no report. */
  checkoutCents?: number;
  /** What its invoice says was paid with tax, and of how much; the rest of that was credit. */
  invoice?: { paidCents: number; totalCents: number };
}

export const sales: readonly Sale[] = [
  { slot: 0, amountCents: 10_000, charges: [11_900], currency: 'usd' },
  { slot: 1, amountCents: 5_000, charges: [5_000], currency: 'usd' },
  { slot: 2, amountCents: 10_001, charges: [12_101], currency: 'eur' },
  { slot: 3, amountCents: 3_333, charges: [], currency: 'usd' },
  // Two cards, and the rest outside of Stripe.
  {
    slot: 4,
    amountCents: 9_000,
    charges: [4_840, 3_630],
    currency: 'usd',
    invoice: { paidCents: 10_890, totalCents: 10_890 },
  },
  // A checkout of which credit paid two fifths.
  {
    slot: 5,
    amountCents: 7_777,
    charges: [5_600],
    currency: 'usd',
    checkoutCents: 9_333,
    invoice: { paidCents: 5_600, totalCents: 9_333 },
  },
];

/** What a programme offers. */
export interface Offer {
  kind: TermsKind;
  autoApprove: boolean;
  holdDays: number;
}

/** A charge of one of these, by its place among those of its sale. */
export interface Charge {
  slot: number;
  part: number;
  cents: number;
}

export const charges: readonly Charge[] = sales.flatMap(({ slot, charges: all }) =>
  all.map((cents, part) => ({ slot, part, cents })),
);

/** One thing that Stripe tells of a charge, at a second of its own. */
export type Fact = { at: number; part: number } & (
  | { kind: 'charge'; refundedCents: number; feeCents: number | null }
  | { kind: 'failure'; cents: number }
  | { kind: 'opened'; dispute: string; cents: number }
  | { kind: 'closed'; dispute: string; cents: number; isLost: boolean }
);

type FactOf<Kind> = Extract<Fact, { kind: Kind }>;

/** A part of something: 0 to 1. The amounts here are so small that products are exact. */
export interface Part {
  of: number;
  parts: number;
}

export const halfUp = (cents: number, { of, parts }: Part): number =>
  Math.floor((2 * cents * parts + of) / (2 * of));

/** What is known of a payment: a set of facts, in which the order of their arrival leaves no trace. */
export class Payment {
  readonly told = new Set<Fact>();
  isInvoiceTold = false;
  /** What the programme offered when anything first told of it: its terms, whoever told. */
  offered: Offer | null = null;
  /** The merchant's own reports, by their ids. */
  readonly apiRefunds = new Map<string, number>();

  constructor(readonly sale: Sale) {}

  get apiRefundedCents(): number {
    return sum([...this.apiRefunds.values()]);
  }

  /** What it counts as: of a checkout what its invoice says money came in for, of a report its sum. */
  get baseCents(): number {
    const { amountCents, checkoutCents, invoice } = this.sale;
    if (checkoutCents === undefined || !invoice || !this.isInvoiceTold) return amountCents;
    return halfUp(amountCents, { of: invoice.totalCents, parts: invoice.paidCents });
  }

  /** What Stripe has given back and not failed to, as far as it was told. */
  get refundedCents(): number {
    return sum(this.sale.charges.map((_, part) => this.refundedOf(part)));
  }

  private refundedOf(part: number): number {
    const failures = this.of('failure', part);
    const failed = (before: number) =>
      sum(failures.flatMap(({ at, cents }) => (at < before ? [cents] : [])));
    const shown = this.of('charge', part);
    const issued = shown.map(({ at, refundedCents }) => refundedCents + failed(at));
    return Math.max(0, ...issued.map((cents) => cents - failed(Infinity)));
  }

  get feeCents(): number | null {
    return this.of('charge').find(({ feeCents }) => feeCents !== null)?.feeCents ?? null;
  }

  get openDisputes(): number {
    const closed = new Set(this.of('closed').map(({ dispute }) => dispute));
    return this.of('opened').filter(({ dispute }) => !closed.has(dispute)).length;
  }

  get lostCents(): number {
    return sum(this.of('closed').flatMap(({ isLost, cents }) => (isLost ? [cents] : [])));
  }

  /** How much of the payment came back: the greater of both ways of refunds, and what was lost. */
  get returned(): Part {
    const base = this.baseCents;
    const whole = this.wholeCents;
    const byApi = Math.min(base, this.apiRefundedCents) * whole;
    const byStripe = Math.min(whole, this.refundedCents) * base;
    const lost = Math.min(whole, this.lostCents) * base;
    const of = base * whole;
    return { of, parts: Math.min(of, Math.max(byApi, byStripe) + lost) };
  }

  /** The whole sum with tax: the greatest of what its charges sum to and what invoice, else checkout, say. */
  private get wholeCents(): number {
    const { charges: all, invoice, checkoutCents, amountCents } = this.sale;
    const known = new Set(this.of('charge').map(({ part }) => part));
    const charged = sum(all.filter((_, part) => known.has(part)));
    const told = this.isInvoiceTold ? invoice?.paidCents : checkoutCents;
    return Math.max(charged, told ?? 0) || amountCents;
  }

  get isWhollyReturned(): boolean {
    return this.returned.parts === this.returned.of;
  }

  private of<Kind extends Fact['kind']>(kind: Kind, part?: number): FactOf<Kind>[] {
    return [...this.told].filter(
      (fact): fact is FactOf<Kind> =>
        fact.kind === kind && this.isJoined(fact) && (part === undefined || fact.part === part),
    );
  }

  /** Which invoice a charge in part pays only its own event says, not a refund or dispute of it. */
  private isJoined({ part }: Fact): boolean {
    const inParts = this.sale.charges.length > 1;
    return !inParts || [...this.told].some((one) => one.kind === 'charge' && one.part === part);
  }
}

export function sum(all: readonly number[]): number {
  return all.reduce((total, one) => total + one, 0);
}
