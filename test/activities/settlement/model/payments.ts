/** What was sold, and as which payment of Stripe's; amounts in minor units. */
export interface Sale {
  slot: number;
  amountCents: number;
  /** With tax; null for a sale that Stripe knows nothing of. */
  chargedCents: number | null;
  currency: string;
}

export const sales: readonly Sale[] = [
  { slot: 0, amountCents: 10_000, chargedCents: 11_900, currency: 'usd' },
  { slot: 1, amountCents: 5_000, chargedCents: 5_000, currency: 'usd' },
  { slot: 2, amountCents: 10_001, chargedCents: 12_101, currency: 'eur' },
  { slot: 3, amountCents: 3_333, chargedCents: null, currency: 'usd' },
];

/** One thing that Stripe tells, at a second of its own. */
export type Fact = { at: number } & (
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
  /** Of the merchant's own reports, by their ids. */
  readonly apiRefunds = new Map<string, number>();

  constructor(readonly sale: Sale) {}

  get apiRefundedCents(): number {
    return sum([...this.apiRefunds.values()]);
  }

  /** What Stripe has given back and not failed to, as far as it was told. */
  get refundedCents(): number {
    const failures = this.of('failure');
    const failed = (before: number) =>
      sum(failures.flatMap(({ at, cents }) => (at < before ? [cents] : [])));
    const issued = this.of('charge').map(({ at, refundedCents }) => refundedCents + failed(at));
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

  /** How much of the payment came back: the greater of both roads of refunds, and what was lost. */
  get returned(): Part {
    const { amountCents, chargedCents } = this.sale;
    const charged = this.of('charge').length > 0 ? (chargedCents ?? amountCents) : amountCents;
    const byApi = Math.min(amountCents, this.apiRefundedCents) * charged;
    const byStripe = Math.min(charged, this.refundedCents) * amountCents;
    const lost = Math.min(charged, this.lostCents) * amountCents;
    const of = amountCents * charged;
    return { of, parts: Math.min(of, Math.max(byApi, byStripe) + lost) };
  }

  get isWhollyReturned(): boolean {
    return this.returned.parts === this.returned.of;
  }

  private of<Kind extends Fact['kind']>(kind: Kind): FactOf<Kind>[] {
    return [...this.told].filter((fact): fact is FactOf<Kind> => fact.kind === kind);
  }
}

export function sum(all: readonly number[]): number {
  return all.reduce((total, one) => total + one, 0);
}
