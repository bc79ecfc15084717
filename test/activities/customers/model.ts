/**
 * What is expected of one customer: `user` to the shop, `cus` to Stripe, brought by a partner or a
 * rival. Written from docs/reference/customers.md and payments.md, without the service's rules.
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
  earns: boolean;
}

interface StripePayment {
  id: string;
  kind: 'checkout' | 'invoice';
  paidAt: Date;
}

interface Binding {
  partner: Partner;
  boundAt: Date;
  byHand: boolean;
}

export class CustomerModel {
  isKnown = false;
  isKnownToStripe = false;
  binding: Binding | null = null;
  /** When a member took the binding away. */
  unboundAt: Date | null = null;
  firstPaidAt: Date | null = null;
  readonly sales = new Map<string, ExpectedSale>();
  /** Told by Stripe, of nobody so far, in the order in which they came. */
  private readonly open = new Map<string, StripePayment>();
  private readonly told = new Map<string, StripePayment>();

  constructor(private readonly terms: Terms) {}

  signUp({ at, isStripeNamed }: { at: Date; isStripeNamed: boolean }): void {
    const isNews = !this.binding || (isStripeNamed && !this.isKnownToStripe);
    this.isKnown = true;
    if (isStripeNamed) this.isKnownToStripe = true;
    this.binding ??= { partner: 'partner', boundAt: at, byHand: false };
    if (isNews && this.isKnownToStripe) this.lookAtAllSince();
  }

  bind({ partner, at }: { partner: Partner; at: Date }): void {
    this.isKnown = true;
    this.binding = { partner, boundAt: at, byHand: true };
  }

  unbind(at: Date): void {
    if (!this.binding) return;
    this.binding = null;
    this.unboundAt = at;
  }

  saleByClick(id: string, { partner, paidAt }: { partner: Partner; paidAt: Date }): void {
    if (this.sales.has(id)) return;
    this.keep(id, { partner, paidAt, matchedBy: 'click', earns: true });
  }

  saleByCustomer(id: string, paidAt: Date): void {
    if (!this.sales.has(id)) this.creditByCustomer(id, paidAt);
  }

  stripe(payment: StripePayment): void {
    const { id, kind } = payment;
    if (this.sales.has(id)) return;
    const isNews = kind === 'checkout' && this.isKnown && !this.isKnownToStripe;
    this.isKnownToStripe ||= isNews;
    this.told.set(id, payment);
    this.open.set(id, this.open.get(id) ?? payment);
    this.credit(payment);
    if (isNews) this.lookAtAllSince();
  }

  private credit(payment: StripePayment): void {
    const { id } = payment;
    if (!this.isRenewal(payment) && !this.isKnownToStripe) return;
    if (!this.creditRenewal(payment) && !this.creditByCustomer(id, payment.paidAt)) return;
    this.open.delete(id);
    this.lookAgain([...this.open.values()].filter(({ paidAt }) => paidAt >= payment.paidAt));
  }

  /** Under an id that is theirs from now on. */
  private lookAtAllSince(): void {
    const { boundAt } = this.binding ?? {};
    if (!boundAt) return;
    const since = [...this.open.values()].filter(({ paidAt }) => paidAt >= boundAt);
    this.lookAgain(since.sort((a, b) => a.paidAt.getTime() - b.paidAt.getTime()));
  }

  private lookAgain(payments: StripePayment[]): void {
    for (const payment of payments) if (this.open.has(payment.id)) this.stripe(payment);
  }

  private isRenewal({ kind, paidAt }: StripePayment): boolean {
    return kind === 'invoice' && this.stripeSalesUntil(paidAt).length > 0;
  }

  /** An invoice goes on with what the subscription, else the customer, bought first at Stripe. */
  private creditRenewal(payment: StripePayment): boolean {
    const { id, paidAt } = payment;
    const saidAt = this.binding?.byHand ? this.binding.boundAt : !this.binding && this.unboundAt;
    if (!this.isRenewal(payment) || (saidAt && saidAt <= paidAt)) return false;
    const earlier = this.stripeSalesUntil(paidAt);
    const ofSubscription = earlier.filter(({ kind }) => kind === 'invoice');
    const [first] = [...ofSubscription, ...earlier];
    if (!first) return false;
    const earns = this.isWithinMonths(paidAt);
    this.keep(id, { partner: first.partner, paidAt, matchedBy: null, earns });
    return true;
  }

  private stripeSalesUntil(at: Date) {
    return [...this.sales]
      .flatMap(([id, sale]) => {
        const payment = this.told.get(id);
        return payment && sale.paidAt <= at ? [{ ...payment, ...sale }] : [];
      })
      .sort((a, b) => a.paidAt.getTime() - b.paidAt.getTime());
  }

  private creditByCustomer(id: string, paidAt: Date): boolean {
    if (!this.binding) return false;
    const { partner, boundAt, byHand } = this.binding;
    if (!byHand && paidAt < boundAt) return false;
    const earns = this.firstPaidAt === null || this.isWithinMonths(paidAt);
    this.keep(id, { partner, paidAt, matchedBy: 'customer', earns });
    return true;
  }

  private isWithinMonths(paidAt: Date): boolean {
    const { recurring, recurringMonths } = this.terms;
    if (!recurring || recurringMonths === null) return recurring;
    const end = new Date(this.firstPaidAt && this.firstPaidAt < paidAt ? this.firstPaidAt : paidAt);
    end.setUTCMonth(end.getUTCMonth() + recurringMonths);
    return paidAt < end;
  }

  private keep(id: string, sale: ExpectedSale): void {
    const { partner, paidAt } = sale;
    this.sales.set(id, sale);
    this.isKnown = true;
    if (!this.firstPaidAt || paidAt < this.firstPaidAt) this.firstPaidAt = paidAt;
    // What was paid before a member unbound the customer binds nobody any more.
    if (this.binding || (this.unboundAt && paidAt < this.unboundAt)) return;
    this.binding = { partner, boundAt: paidAt, byHand: false };
  }
}
