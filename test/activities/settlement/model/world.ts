import type { StripeTestEvent } from '../../../support/stripe/fixtures';
import type { Entry, Partner } from './entries';
import { Payment, sales, type Fact } from './payments';
import type { Payout } from './payouts';

/** What Stripe has yet to tell, or tells at once. */
export interface Telling {
  payment: Payment;
  fact: Fact;
  event: StripeTestEvent;
}

/** What Stripe itself knows of a payment. */
export class StripeSide {
  readonly refunds: { id: string; cents: number; hasFailed: boolean }[] = [];
  dispute: { id: string; cents: number } | null = null;
  disputes = 0;

  get standingCents(): number {
    return this.refunds.reduce((all, { cents, hasFailed }) => all + (hasFailed ? 0 : cents), 0);
  }
}

/** All that the model knows; steps change it. */
export interface World {
  partners: readonly Partner[];
  payments: readonly Payment[];
  /** By slot, what is a conversion already. */
  reported: Map<number, { conversionId: string }>;
  stripe: readonly StripeSide[];
  late: Telling[];
  entries: Entry[];
  payouts: Payout[];
  adjustments: number;
}

export const worldOf = (partners: readonly Partner[]): World => ({
  partners,
  payments: sales.map((sale) => new Payment(sale)),
  reported: new Map(),
  stripe: sales.map(() => new StripeSide()),
  late: [],
  entries: [],
  payouts: [],
  adjustments: 0,
});
