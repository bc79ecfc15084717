import type { FraudRuleChange } from '../../activities/programs/fraud-settings';
import { attributionReasons } from '../../entities/rules/attribution/attribute';
import { commissionStatuses } from '../../entities/rules/commissions/status';
import {
  fraudActions,
  fraudFlagStates,
  fraudRules,
  fraudVerdicts,
  settingsInOrder,
  type FraudAction,
  type FraudRule,
  type FraudVerdict,
  type FraudSettings,
  type FraudValue,
} from '../../entities/rules/fraud/fraud';
import { PageQuery } from '../http/contract/pagination';
import {
  absent,
  AnyText,
  DateOrInstant,
  Flag,
  Instant,
  Int,
  Json,
  ListOf,
  Nested,
  OneOf,
  Text,
  Uuid,
} from '../http/contract/validators';

export class FraudRuleBody implements FraudRuleChange {
  @OneOf(fraudRules)
  rule!: FraudRule;

  @OneOf(fraudActions)
  action!: FraudAction;

  @Int({
    min: 0,
    max: 1_000_000_000,
    ...absent,
    description: 'Clicks, seconds or per cent; left out it stays. Null for a rule without one.',
  })
  threshold?: number | null;
}

export class FraudRulesBody {
  @ListOf(() => FraudRuleBody, { max: 100, description: 'The rules to set; the others stay.' })
  rules!: FraudRuleBody[];
}

export class FraudRuleDto {
  @OneOf(fraudRules)
  rule!: string;

  @OneOf(fraudActions, { example: 'flag' })
  action!: string;

  @Int({ nullable: true })
  threshold!: number | null;
}

export class FraudRulesDto {
  @ListOf(() => FraudRuleDto, {
    description:
      'Always the eight standard rules; paid_traffic and banned_source once they were set.',
  })
  rules!: FraudRuleDto[];
}

export function presentFraudRules(settings: FraudSettings): FraudRulesDto {
  return { rules: settingsInOrder(settings) };
}

export class FraudFlagFilter extends PageQuery {
  @OneOf(fraudRules, { optional: true })
  rule?: string;

  @OneOf(fraudFlagStates, { optional: true })
  state?: string;

  @Uuid({ optional: true })
  participantId?: string;

  @DateOrInstant({ optional: true })
  dateFrom?: string;

  @DateOrInstant({ optional: true })
  dateTo?: string;
}

export class FlaggedConversionDto {
  @Uuid()
  id!: string;

  @AnyText({ example: 'order_1001' })
  externalTransactionId!: string;

  @AnyText({ example: 'purchase' })
  eventType!: string;

  @Int({ min: 0, example: 4900 })
  amountCents!: number;

  @AnyText({ nullable: true })
  currency!: string | null;

  @Flag()
  attributed!: boolean;

  @OneOf(attributionReasons)
  reason!: string;

  @Instant()
  occurredAt!: string;

  @Instant()
  createdAt!: string;
}

export class FlaggedCommissionDto {
  @Uuid()
  id!: string;

  @OneOf(commissionStatuses)
  status!: string;

  @Int({ min: 0 })
  amountCents!: number;

  @AnyText()
  currency!: string;

  @Flag()
  needsReview!: boolean;
}

export class FraudFlagDto {
  @Uuid()
  id!: string;

  @OneOf(fraudRules, { example: 'click_velocity' })
  rule!: string;

  @OneOf(fraudActions, { description: 'What the rule did at that time.', example: 'flag' })
  action!: string;

  @Json({
    schema: { oneOf: [{ type: 'number' }, { type: 'boolean' }] },
    description: 'What was found: a number, or true.',
    example: 42,
  })
  value!: FraudValue;

  @Int({ nullable: true, example: 30 })
  threshold!: number | null;

  @OneOf(fraudFlagStates, { description: 'open until a member has resolved it.' })
  state!: string;

  @AnyText({ nullable: true, description: 'Of whoever resolved it.' })
  note!: string | null;

  @Instant({ nullable: true })
  resolvedAt!: string | null;

  @Uuid()
  participantId!: string;

  @AnyText()
  partnerName!: string;

  @Nested(() => FlaggedConversionDto)
  conversion!: FlaggedConversionDto;

  @Nested(() => FlaggedCommissionDto, { nullable: true })
  commission!: FlaggedCommissionDto | null;

  @Instant()
  createdAt!: string;
}

export class ResolveFlagBody {
  @OneOf(fraudVerdicts, { example: 'dismissed' })
  state!: FraudVerdict;

  @Text({
    max: 500,
    ...absent,
    description: 'For the other members; a partner reads it in an export of their own data.',
    example: 'A colleague of the partner, agreed by phone.',
  })
  note?: string | null;
}

export class BackTestBody {
  @ListOf(() => FraudRuleBody, { max: 100, description: 'Tried on top of the present rules.' })
  rules!: FraudRuleBody[];

  @DateOrInstant()
  from!: string;

  @DateOrInstant({ description: 'At most 30 days after from.' })
  to!: string;
}

export class RuleHitsDto {
  @OneOf(fraudRules)
  rule!: string;

  @Int({ nullable: true, description: 'Null for a rule that needs the plain address.', example: 2 })
  hits!: number | null;
}

export class ActionCountDto {
  @OneOf(fraudActions, { example: 'flag' })
  action!: string;

  @Int({
    description:
      'Conversions for which this was the strictest action, rules that need the plain address included.',
    example: 6,
  })
  count!: number;
}

export class BackTestDto {
  @Int({ description: 'Conversions that were judged in the period.', example: 120 })
  conversions!: number;

  @ListOf(() => RuleHitsDto)
  byRule!: RuleHitsDto[];

  @ListOf(() => ActionCountDto)
  byAction!: ActionCountDto[];
}
