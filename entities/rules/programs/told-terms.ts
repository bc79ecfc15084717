import { holdWords, ruleWords, rulesFor, termsWords } from './words';
import type { GroupTerms } from './groups';
import type { CommissionRule, ProgramTerms } from './terms';

/** What a programme offers, as far as partners are told of it. */
export interface ToldOffer {
  currency: string;
  terms: ProgramTerms;
  rules: readonly CommissionRule[];
  holdDays: number;
  groups?: readonly GroupTerms[] | undefined;
}

/** What holds for a partner, a line each: the rules first, then what holds where none does. */
export function toldTerms(
  { currency, terms, rules, holdDays, groups = [] }: ToldOffer,
  who: { participantId: string; groupId: string },
): string[] {
  const group = groups.find(({ id }) => id === who.groupId);
  return [
    ...rulesFor(rules, who).map((rule) => `${rule.name}: ${ruleWords(rule, currency)}`),
    termsWords(group?.commission ?? terms, currency),
    holdWords(group?.holdDays ?? holdDays),
  ];
}
