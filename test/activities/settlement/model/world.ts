import type { StripeTestEvent } from '../../../support/stripe/fixtures';
import type { Entry, Partner } from './entries';
import { charges, Payment, sales, type Offer } from './payments';
import type { Payout } from './payouts';

/** What Stripe has yet to tell, or tells at once. */
export interface Telling {
  payment: Payment;
  event: StripeTestEvent;
  /** Whether it can be told which sale it is of: else which terms hold for that would be seen later. */
  isKnownOf: (world: World) => boolean;
  /** What is known of the payment then. */
  add: () => void;
}

/** What Stripe itself knows of a charge. */
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
  /** The payments that are a conversion already, by slot. */
  reported: Map<number, { conversionId: string }>;
  /** What Stripe holds of each charge, in the order of `charges`. */
  stripe: readonly StripeSide[];
  /** The slots whose invoice Stripe has made. */
  invoiced: Set<number>;
  late: Telling[];
  entries: Entry[];
  payouts: Payout[];
  adjustments: number;
  /** The programme's terms now. */
  offer: Offer;
}

export const worldOf = (partners: readonly Partner[]): World => ({
  partners,
  payments: sales.map((sale) => new Payment(sale)),
  reported: new Map(),
  stripe: charges.map(() => new StripeSide()),
  invoiced: new Set(),
  late: [],
  entries: [],
  payouts: [],
  adjustments: 0,
  offer: { kind: 'percentage', autoApprove: true, holdDays: 30 },
});
