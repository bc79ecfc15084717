import { billers, type Biller } from './billing/biller';
import type { BillerRules } from './billing/rules';
import type { StoredSale } from './payments/sale';
import { paddleRules } from './paddle/rules';
import { polarRules } from './polar/rules';
import { stripeRules } from './stripe/rules';

const rules: Readonly<Record<Biller, BillerRules>> = {
  stripe: stripeRules,
  paddle: paddleRules,
  polar: polarRules,
};

/** How a biller's events are read. */
export function rulesOf(biller: Biller): BillerRules {
  return rules[biller];
}

/** The billers of which an id may be that of a payment. */
export function billersNaming(id: string): Biller[] {
  return billers.filter((biller) => rules[biller].isPaymentId(id));
}

/** The time at which a biller first told of a payment; null while it has only noted it. */
export function toldAtOf({
  biller,
  sale,
  createdAt,
}: {
  biller: Biller;
  sale: StoredSale | null;
  createdAt: Date;
}): Date | null {
  return rulesOf(biller).isTold(sale) ? createdAt : null;
}

/** A type as operators see it: an event may carry any text as its type. */
export function shownEventType(biller: Biller, type: string): string {
  return rulesOf(biller).isRead(type) ? type : 'other';
}
