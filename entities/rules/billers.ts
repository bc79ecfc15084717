import { billers, type Biller } from './billing/biller';
import type { BillerRules } from './billing/rules';
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

/** A type as operators see it: an event may carry any text as its type. */
export function shownEventType(biller: Biller, type: string): string {
  return rulesOf(biller).isRead(type) ? type : 'other';
}
