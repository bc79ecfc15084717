/** A rule as the API gives and takes it. */
export interface FraudRule {
  rule: string;
  action: string;
  threshold: number | null;
}

/** Rules that are there only once they are set: off until then. */
const furtherRules = ['paid_traffic', 'banned_source'];

/** Stricter than the API's defaults (docs/why/sales.md). */
const recommended: Readonly<Record<string, string>> = {
  same_ip_as_partner: 'hold',
  duplicate_customer: 'hold',
  paid_traffic: 'flag',
  banned_source: 'flag',
};

/** The rules of a programme, and the further ones that could be set. */
export function withFurther(rules: readonly FraudRule[]): FraudRule[] {
  const missing = furtherRules.filter((name) => !rules.some(({ rule }) => rule === name));
  return [...rules, ...missing.map((rule) => ({ rule, action: 'off', threshold: null }))];
}

export function withRecommended(rules: readonly FraudRule[]): FraudRule[] {
  return rules.map((one) => ({ ...one, action: recommended[one.rule] ?? one.action }));
}

/** What a programme that the dashboard creates begins with. */
export const recommendedRules: readonly Omit<FraudRule, 'threshold'>[] = Object.entries(
  recommended,
).map(([rule, action]) => ({ rule, action }));

/** The body that sets these, without those that are as they were. */
export function changedRules(edited: readonly FraudRule[], from: readonly FraudRule[]) {
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
