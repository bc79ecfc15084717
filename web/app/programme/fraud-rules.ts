import type { FraudRuleBody, FraudRuleDto } from '../../session/records';

type Name = FraudRuleDto['rule'];

/** Rules that are there only once they are set: off until then. */
const furtherRules = ['paid_traffic', 'banned_source'] as const;

/** What a programme that the dashboard creates begins with: stricter than the API's defaults (docs/why/sales.md). */
export const recommendedRules: FraudRuleBody[] = [
  { rule: 'same_ip_as_partner', action: 'hold' },
  { rule: 'duplicate_customer', action: 'hold' },
  { rule: 'paid_traffic', action: 'flag' },
  { rule: 'banned_source', action: 'flag' },
];

/** The rules of a programme, and the further ones that could be set. */
export function withFurther(rules: readonly FraudRuleDto[]): FraudRuleDto[] {
  const missing = furtherRules.filter((name) => !rules.some(({ rule }) => rule === name));
  return [...rules, ...missing.map((rule) => ({ rule, action: 'off' as const, threshold: null }))];
}

export function withRecommended(rules: readonly FraudRuleDto[]): FraudRuleDto[] {
  const actionOf = (name: Name) => recommendedRules.find(({ rule }) => rule === name)?.action;
  return rules.map((one) => ({ ...one, action: actionOf(one.rule) ?? one.action }));
}

/** The body that sets these, without those that are as they were. */
export function changedRules(edited: readonly FraudRuleDto[], from: readonly FraudRuleDto[]) {
  const changed = edited.filter((one) => {
    const before = from.find(({ rule }) => rule === one.rule);
    return one.action !== before?.action || one.threshold !== before.threshold;
  });
  return {
    rules: changed.map(({ threshold, ...rest }) => ({
      ...rest,
      ...(threshold !== null && { threshold }),
    })),
  };
}
