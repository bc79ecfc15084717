import type { Item, Payout } from './payouts';
import { halfUp, sum, type Payment } from './payments';

/** What a sale earns here; `net` is a percentage after the fee. */
export const termsOf = {
  percentage: { commissionType: 'percentage', rateBps: 2_000, amountCents: null, basis: 'gross' },
  net: { commissionType: 'percentage', rateBps: 1_999, amountCents: null, basis: 'net' },
  flat: { commissionType: 'flat', rateBps: null, amountCents: 700, basis: null },
} as const;
export type TermsKind = keyof typeof termsOf;

export interface Partner {
  index: number;
  id: string;
  /** An erased participation stays payable while its account lives. */
  hasAccount: boolean;
  isSuspended: boolean;
  isErased: boolean;
}

interface NewEntry {
  partner: Partner;
  /** Null for an adjustment. */
  payment: Payment | null;
  kind: TermsKind | 'adjustment';
  currency: string;
  /** The adjustment's amount. */
  cents?: number;
  feeCents?: number | null;
  isAutomatic?: boolean;
  holds?: boolean;
}

/** A commission, by the rules of docs/reference; nothing of it is read from the database. */
export class Entry {
  id = '';
  base: 'pending' | 'approved' | 'paid' = 'pending';
  isRefunded = false;
  /** What it was worth when it was rejected. */
  rejectedAtCents: number | null = null;
  holds: boolean;
  wasHoldSeen: boolean;
  readonly flags = new Set<string>();
  payout: Payout | null = null;
  /** Every item that ever took something of it. */
  readonly items: Item[] = [];

  constructor(readonly of: NewEntry) {
    this.holds = of.holds ?? false;
    this.wasHoldSeen = !this.holds;
    if (of.kind === 'net' && of.feeCents === null) this.flags.add('FEE_UNKNOWN');
  }

  get status(): string {
    if (this.rejectedAtCents !== null) return 'rejected';
    return this.isRefunded ? 'refunded' : this.base;
  }

  /** What it is worth after all that came back. */
  get amountCents(): number {
    const { payment } = this.of;
    if (this.rejectedAtCents !== null) return this.rejectedAtCents;
    if (!payment) return this.originalCents;
    if (this.of.kind === 'flat') return payment.isWhollyReturned ? 0 : this.originalCents;
    const { of, parts } = payment.returned;
    return halfUp(this.originalCents, { of, parts: of - parts });
  }

  private get originalCents(): number {
    const { kind, cents = 0, payment, feeCents = null } = this.of;
    if (!payment || kind === 'adjustment') return cents;
    const { rateBps, amountCents } = termsOf[kind];
    if (rateBps === null) return amountCents;
    const fee = kind === 'net' ? (payment.feeCents ?? feeCents ?? 0) : 0;
    return halfUp(payment.baseCents - fee, { of: 10_000, parts: rateBps });
  }

  /** An open dispute keeps all of it back, unless a payout has it. */
  get heldCents(): number {
    const isOpen = this.status === 'pending' || this.status === 'approved';
    const isHeld = isOpen && this.payout === null && (this.of.payment?.openDisputes ?? 0) > 0;
    return isHeld ? this.amountCents : 0;
  }

  get owedCents(): number {
    const worth = this.rejectedAtCents === null ? this.amountCents - this.heldCents : 0;
    return worth - this.takenBy('paid');
  }

  get reservedCents(): number {
    return this.takenBy('ready');
  }

  get freeCents(): number {
    return this.owedCents - this.reservedCents;
  }

  get isPayable(): boolean {
    const isFree = this.status === 'approved' && this.payout === null && !this.isDebit;
    return isFree && !this.flags.has('DISPUTED') && this.hasPayee;
  }

  /** Whether it was paid too much or too little: that is netted from the partner's next payout. */
  get isCarried(): boolean {
    const isOver = ['paid', 'refunded', 'rejected'].includes(this.status);
    return this.freeCents !== 0 && (isOver || this.payout !== null || this.isDebit);
  }

  get isDebit(): boolean {
    return this.amountCents < 0;
  }

  get hasPayee(): boolean {
    const { isErased, hasAccount } = this.of.partner;
    return !isErased || hasAccount;
  }

  /** Settles the entry, after news of its payment, or when a payout let go of it. */
  settle(): void {
    const { payment } = this.of;
    if (!payment || this.rejectedAtCents !== null) return;
    if (!payment.isWhollyReturned) this.isRefunded = false;
    else if (this.base !== 'paid' && this.payout === null) this.isRefunded = true;
    if (payment.feeCents !== null) this.flags.delete('FEE_UNKNOWN');
    if (payment.openDisputes === 0) this.flags.delete('DISPUTED');
    else if (this.status !== 'paid') this.flags.add('DISPUTED');
    this.advance();
  }

  /** What time alone brings about. */
  advance(): void {
    if (this.status !== 'pending' || this.holds) return;
    const { isSuspended, isErased } = this.of.partner;
    if (!isSuspended) this.flags.delete('PARTNER_SUSPENDED');
    const isApprovable = this.of.isAutomatic === true && this.flags.size === 0 && !isErased;
    if (isSuspended && (isApprovable || !this.wasHoldSeen)) this.flags.add('PARTNER_SUSPENDED');
    else if (isApprovable) this.base = 'approved';
    this.wasHoldSeen = true;
  }

  private takenBy(status: Item['status']): number {
    const items = this.items.filter((item) => item.status === status);
    return sum(items.map((item) => item.lines.get(this) ?? 0));
  }
}
