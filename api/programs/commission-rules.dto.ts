import { isCurrency } from '../../entities/rules/values/currency';
import {
  commissionBases,
  maxAmountCents,
  maxCommissionRules,
  maxCustomerMonths,
  maxHoldDays,
  maxMatchedKeys,
  maxMatchedValues,
  maxPaymentNumber,
  maxRateBps,
  productMatches,
  ruleTypes,
  type CommissionBasis,
  type CommissionRule,
  type ProductMatch,
  type RuleType,
} from '../../entities/rules/programs/terms';
import { notifyWords } from './program-bodies.dto';
import { present } from '../http/contract/present';
import {
  absent,
  Flag,
  Instant,
  Int,
  Json,
  ListOf,
  Name,
  Nested,
  OneOf,
  Texts,
  Uuids,
  Values,
} from '../http/contract/validators';

const conditions = { ...absent, min: 1, max: 100, distinct: true } as const;

const ends = { ...absent, description: 'Inclusive; at least one of the two.' };

export class CustomerMonthsDto {
  @Int({ min: 0, max: maxCustomerMonths, ...ends })
  from?: number | null;

  @Int({ min: 0, max: maxCustomerMonths, ...ends })
  to?: number | null;
}

export class PaymentNumbersDto {
  @Int({ min: 1, max: maxPaymentNumber, ...ends })
  from?: number | null;

  @Int({ min: 1, max: maxPaymentNumber, ...ends })
  to?: number | null;
}

export class CustomerSinceDto {
  @Instant({ ...absent, description: 'Inclusive.' })
  from?: string | null;

  @Instant({ ...absent, description: 'Exclusive.' })
  to?: string | null;
}

const matchedValue = {
  oneOf: [{ type: 'string', maxLength: 500 }, { type: 'number' }, { type: 'boolean' }],
};

/** Keys with the values of which a sale must have one. */
function isMatchedMetadata(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const pairs = Object.entries(value);
  if (pairs.length === 0 || pairs.length > maxMatchedKeys) return false;
  return pairs.every(([key, values]) => isKey(key) && isListOfValues(values));
}

const isKey = (key: string): boolean => key.length >= 1 && key.length <= 40;

function isListOfValues(values: unknown): boolean {
  if (!Array.isArray(values)) return false;
  const isFew = values.length >= 1 && values.length <= maxMatchedValues;
  return isFew && values.every(isValue) && new Set(values.map(String)).size === values.length;
}

function isValue(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= 500;
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
}

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
    example: 100_000,
  })
  minAmountCents?: number | null;

  @Int({ min: 0, max: maxAmountCents, ...absent, description: 'Inclusive, in the same currency.' })
  maxAmountCents?: number | null;

  @Uuids({ ...conditions, description: 'Groups of the programme: which the partner is in.' })
  groupIds?: string[] | null;

  @Texts({
    ...conditions,
    length: 255,
    description: 'Ids of products or of their prices.',
    example: ['prod_pro'],
  })
  productIds?: string[] | null;

  @OneOf(productMatches, {
    ...absent,
    description: 'Whether every item must be one of productIds, or any. Default every.',
  })
  productMatch?: ProductMatch | null;

  @Json({
    ...absent,
    schema: {
      type: 'object',
      minProperties: 1,
      maxProperties: maxMatchedKeys,
      additionalProperties: {
        type: 'array',
        minItems: 1,
        maxItems: maxMatchedValues,
        items: matchedValue,
      },
    },
    valid: isMatchedMetadata,
    message: `must be an object of 1 to ${maxMatchedKeys} keys, each with 1 to ${maxMatchedValues} values, each once`,
    description: 'Each key must have one of its values, compared exactly as JSON writes them.',
    example: { plan: ['pro'] },
  })
  metadata?: Record<string, (string | number | boolean)[]> | null;

  @Nested(() => CustomerMonthsDto, {
    ...absent,
    description: "Whole months since the customer's first payment; to 11 is the first year.",
  })
  customerMonths?: CustomerMonthsDto | null;

  @Nested(() => PaymentNumbersDto, { ...absent, description: '1 is the first payment.' })
  paymentNumbers?: PaymentNumbersDto | null;

  @Nested(() => CustomerSinceDto, { ...absent, description: 'When the customer first paid.' })
  customerSince?: CustomerSinceDto | null;
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

  @OneOf(ruleTypes, {
    description: 'none: the sale earns nothing, and no later rule is asked.',
  })
  type!: RuleType;

  @Int({
    min: 1,
    max: maxRateBps,
    ...absent,
    description: 'Percentage only; basis points.',
    example: 2500,
  })
  rateBps?: number | null;

  @Int({
    min: 1,
    max: maxAmountCents,
    ...absent,
    description: 'Flat only; minor units.',
  })
  amountCents?: number | null;

  @OneOf(commissionBases, {
    ...absent,
    description: 'Percentage only. Default gross.',
    example: 'gross',
  })
  basis?: CommissionBasis | null;

  @Int({
    min: 0,
    max: maxHoldDays,
    ...absent,
    description: "Null: the group's, else the programme's.",
    example: 45,
  })
  holdDays?: number | null;

  @Flag({ ...absent, description: "Null: the group's, else the programme's." })
  autoApprove?: boolean | null;
}

export class CommissionRulesDto {
  @ListOf(() => CommissionRuleDto, {
    max: maxCommissionRules,
    description:
      "In order: the first match wins, else the terms of the partner's group, else the programme's.",
  })
  rules!: CommissionRuleDto[];
}

export class PutCommissionRulesBody extends CommissionRulesDto {
  @Flag({ optional: true, description: notifyWords })
  notify?: boolean;
}

export function presentCommissionRules(rules: CommissionRule[]): CommissionRulesDto {
  return { rules: rules.map((rule) => present(CommissionRuleDto, rule)) };
}
