import { isCurrency } from '../../entities/rules/values/currency';
import {
  commissionBases,
  commissionTypes,
  maxAmountCents,
  maxCommissionRules,
  maxHoldDays,
  maxRateBps,
  type CommissionBasis,
  type CommissionRule,
  type CommissionType,
} from '../../entities/rules/programs/terms';
import { present } from '../http/contract/present';
import {
  absent,
  Flag,
  Int,
  ListOf,
  Name,
  Nested,
  OneOf,
  Texts,
  Uuids,
  Values,
} from '../http/contract/validators';

const conditions = { ...absent, min: 1, max: 100, distinct: true } as const;

/** Conditions of a rule: all that are given must hold; `{}` matches every sale. */
export class RuleMatchDto {
  @Texts({ ...conditions, length: 100, example: ['purchase'] })
  eventTypes?: string[] | null;

  @Uuids(conditions)
  participantIds?: string[] | null;

  @Values({
    ...conditions,
    item: { type: 'string', pattern: '^[A-Za-z]{3}$' },
    valid: isCurrency,
    message: 'each item must be an ISO 4217 currency code',
    normaliseItem: (item) => (typeof item === 'string' ? item.toLowerCase() : item),
    example: ['usd'],
  })
  currencies?: string[] | null;

  @Int({
    min: 0,
    max: maxAmountCents,
    ...absent,
    description:
      "Inclusive, in the programme's currency, or in the one of currencies when that names just one. A sale in another currency does not match.",
  })
  minAmountCents?: number | null;
}

/** One rule, the same in requests and answers, so that a GET can be put back. */
export class CommissionRuleDto {
  @Name({
    example: 'Big orders',
    description: 'Pinned on commissions for ever, no erasure looks into it: no names of persons.',
  })
  name!: string;

  @Nested(() => RuleMatchDto)
  match!: RuleMatchDto;

  @OneOf(commissionTypes)
  type!: CommissionType;

  @Int({
    min: 1,
    max: maxRateBps,
    ...absent,
    description: 'Percentage only; basis points.',
    example: 2500,
  })
  rateBps?: number | null;

  @Int({ min: 1, max: maxAmountCents, ...absent, description: 'Flat only; minor units.' })
  amountCents?: number | null;

  @OneOf(commissionBases, { ...absent, description: 'Percentage only. Default gross.' })
  basis?: CommissionBasis | null;

  @Int({ min: 0, max: maxHoldDays, ...absent, description: "Null: the programme's." })
  holdDays?: number | null;

  @Flag({ ...absent, description: "Null: the programme's." })
  autoApprove?: boolean | null;
}

export class CommissionRulesDto {
  @ListOf(() => CommissionRuleDto, {
    max: maxCommissionRules,
    description: "In order: the first match wins, else the programme's own terms.",
  })
  rules!: CommissionRuleDto[];
}

export function presentCommissionRules(rules: CommissionRule[]): CommissionRulesDto {
  return { rules: rules.map((rule) => present(CommissionRuleDto, rule)) };
}

export const commissionRulesExample: CommissionRulesDto = {
  rules: [
    {
      name: 'Big orders',
      match: { eventTypes: ['purchase'], minAmountCents: 100_000 },
      type: 'percentage',
      rateBps: 2500,
      amountCents: null,
      basis: 'gross',
      holdDays: 45,
      autoApprove: null,
    },
  ],
};
