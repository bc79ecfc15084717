import { fraudRules } from '../../entities/rules/fraud/fraud';
import { NextCursor } from '../http/contract/pagination';
import { AnyText, Decimal, Int, ListOf, Nested, OneOf, Uuid } from '../http/contract/validators';

export class RevenueDto {
  @AnyText({ example: 'usd' })
  currency!: string;

  @Int({ description: 'Net of refunds and lost disputes.', example: 303_800 })
  amountCents!: number;
}

export class PeriodFiguresDto {
  @ListOf(() => RevenueDto, { description: 'One entry for each currency that has revenue.' })
  revenue!: RevenueDto[];

  @Int({ min: 0, example: 1240 })
  clicks!: number;

  @Int({ min: 0, description: 'Attributed ones; a refund leaves them counted.', example: 62 })
  conversions!: number;

  @Int({
    min: 0,
    description: 'First payments of customers, and sales without a customer.',
    example: 49,
  })
  newCustomers!: number;

  @Int({ min: 0, description: 'Conversions that are renewals.', example: 12 })
  renewals!: number;

  @Int({ min: 0, description: 'Conversions of amount 0.', example: 1 })
  leads!: number;

  @Decimal({ description: '(conversions - renewals) / clicks, 4 decimals; 0 without clicks.' })
  conversionRate!: number;
}

export class ChangeDto {
  @Decimal({ nullable: true, description: 'Of the revenue in `currency`.', example: 0.24 })
  revenue!: number | null;

  @Decimal({ nullable: true, example: 0.24 })
  clicks!: number | null;

  @Decimal({ nullable: true, example: 0.24 })
  conversions!: number | null;

  @Decimal({ nullable: true, example: 0 })
  conversionRate!: number | null;
}

export class MetricsDto {
  @AnyText({ description: 'The currency of change.revenue.' })
  currency!: string;

  @Nested(() => PeriodFiguresDto)
  current!: PeriodFiguresDto;

  @Nested(() => PeriodFiguresDto, { description: 'The same number of local days just before.' })
  previous!: PeriodFiguresDto;

  @Nested(() => ChangeDto, {
    description: '(current - previous) / previous, 4 decimals; null when previous is 0.',
  })
  change!: ChangeDto;
}

export class TrendBucketDto {
  @AnyText({ description: 'Local date; of a week its Monday.', example: '2026-01-05' })
  start!: string;

  @Int({ description: 'A count, or minor units of `currency`.', example: 42 })
  value!: number;
}

export class TrendDto {
  @AnyText({ example: 'usd' })
  currency!: string;

  @ListOf(() => TrendBucketDto)
  buckets!: TrendBucketDto[];
}

export class PartnerFiguresDto {
  @Uuid()
  participantId!: string;

  @AnyText({ example: 'Ava Reed' })
  partnerName!: string;

  @Int({ description: 'In `currency`, net of refunds and lost disputes.', example: 303_800 })
  attributedRevenueCents!: number;

  @Int({ min: 0, description: 'In every currency.', example: 62 })
  conversions!: number;

  @Int({ min: 0, example: 1240 })
  clicks!: number;

  @Decimal({
    description: 'Conversions without renewals / clicks, 4 decimals; 0 without clicks.',
  })
  conversionRate!: number;

  @Int({
    min: 0,
    description: 'One for each conversion and rule, rejected conversions too.',
    example: 2,
  })
  fraudFlagCount!: number;
}

export class PartnerPageDto {
  @AnyText({ description: 'The currency of attributedRevenueCents.', example: 'usd' })
  currency!: string;

  @ListOf(() => PartnerFiguresDto)
  data!: PartnerFiguresDto[];

  @Int({ min: 0, description: 'Rows that match, over all pages.' })
  total!: number;

  @Int({ min: 1 })
  page!: number;

  @Int({ min: 1, example: 10 })
  limit!: number;

  @NextCursor()
  nextCursor!: string | null;
}

export class FraudRuleCountDto {
  @OneOf(fraudRules)
  rule!: string;

  @Int({ min: 0 })
  count!: number;
}

export class FraudSummaryDto {
  @Int({
    min: 0,
    description: 'One for each conversion and rule, rejected conversions too.',
    example: 4,
  })
  total!: number;

  @ListOf(() => FraudRuleCountDto, {
    description: 'Always the eight standard rules; further ones where they hit.',
  })
  byRule!: FraudRuleCountDto[];
}
