import type { ReviewReason } from '../commissions/review-reasons';
import type { FraudRule } from '../fraud/fraud';

/** Why a commission waits for a person, as a sentence. */
export const reviewWords: Readonly<Record<ReviewReason, string>> = {
  FEE_UNKNOWN: 'The fee of the payment is not known yet.',
  FRAUD_SUSPECTED: 'A fraud rule holds it.',
  DISPUTED: 'The buyer disputes the payment.',
  CURRENCY_MISMATCH: 'The sale is in a currency that the programme does not take.',
  AMOUNT_OVER_LIMIT: 'It is above the amount from which you review.',
  ITEMS_UNKNOWN: 'A rule asks what was sold and nobody has told it yet.',
  PARTNER_SUSPENDED: 'The partner is suspended.',
  POSSIBLE_DUPLICATE: 'A sale like this one was reported twice.',
};

/** What each rule of fraud has seen. */
export const fraudRuleWords: Readonly<Record<FraudRule, string>> = {
  self_referral_email: "the buyer has the partner's address",
  same_ip_as_partner: "the click came from the partner's network",
  disposable_email: 'the buyer has a throw-away address',
  click_velocity: 'many clicks came from one address',
  too_fast_conversion: 'the sale came at once after the click',
  duplicate_customer: 'the buyer is a customer of another partner',
  bot_click: 'a program made the click',
  refund_rate: 'many sales of the partner are refunded',
  paid_traffic: 'the click came from an advertisement',
  banned_source: 'the click came from a host that you banned',
};

/** What rules of fraud have seen, in words. */
export function seenBy(rules: readonly FraudRule[]): string {
  return rules.map((rule) => fraudRuleWords[rule]).join('; ');
}
