import {
  attributionReasons,
  conversionSources,
  matchKinds,
  type AttributionReason,
  type ConversionSource,
  type MatchKind,
} from '../../entities/rules/attribution/attribute';
import type { ConversionMetadata } from '../../entities/rules/attribution/conversion';
import { commissionStatuses, type CommissionStatus } from '../../entities/rules/commissions/status';
import { modes, type Mode } from '../../entities/rules/values/mode';
import {
  AnyText,
  Flag,
  Instant,
  Int,
  Json,
  ListOf,
  Nested,
  OneOf,
  Uuid,
  nullable,
} from '../http/contract/validators';

/** Which partner was credited, and why: the same in answers, decisions and events. */
export class AttributionOutcomeDto {
  @OneOf(attributionReasons)
  reason!: AttributionReason;

  @AnyText()
  explanation!: string;

  @OneOf(matchKinds, nullable)
  matched_by!: MatchKind | null;

  @AnyText({ ...nullable, example: '01890a5d-9f00-7c3e-8a2b-1f2e3d4c5b6a' })
  click_id!: string | null;

  @AnyText(nullable)
  promo_code!: string | null;

  @Uuid({ ...nullable })
  program_id!: string | null;

  @Uuid({ ...nullable })
  participant_id!: string | null;
}

export class EventAttributionDto extends AttributionOutcomeDto {
  @Instant(nullable)
  window_ends_at!: string | null;
}

export class EventCommissionSummaryDto {
  @Uuid()
  id!: string;

  @OneOf(commissionStatuses)
  status!: CommissionStatus;

  @Int()
  amount_cents!: number;

  @AnyText()
  currency!: string;

  @Instant(nullable)
  hold_until!: string | null;

  @Flag()
  needs_review!: boolean;
}

/** `data.object` of conversion.*: no buyer's or partner's e-mail address. Answers add remarks to it. */
export class ConversionItemDto {
  @AnyText({ example: 'prod_tea' })
  product_id!: string;

  @AnyText(nullable)
  price_id!: string | null;

  @Int({ min: 0, ...nullable, example: 4900 })
  amount_cents!: number | null;

  @Int({ min: 0, ...nullable, example: 1 })
  quantity!: number | null;
}

export class EventConversionDto {
  @Uuid()
  id!: string;

  @AnyText({ example: 'order_1001' })
  external_transaction_id!: string;

  @Flag()
  attributed!: boolean;

  @Nested(() => EventAttributionDto)
  attribution!: EventAttributionDto;

  @Nested(() => EventCommissionSummaryDto, nullable)
  commission!: EventCommissionSummaryDto | null;

  @AnyText({ example: 'purchase' })
  event_type!: string;

  @Int({ min: 0, example: 4900 })
  amount_cents!: number;

  @AnyText(nullable)
  currency!: string | null;

  @Instant()
  occurred_at!: string;

  @AnyText({ ...nullable, example: 'cus_42' })
  customer_id!: string | null;

  @Json({ nullable: true, description: 'As it was reported.' })
  metadata!: ConversionMetadata | null;

  @ListOf(() => ConversionItemDto, {
    optional: true,
    ...nullable,
    description: 'What was sold, as it was reported; null where nothing was told.',
  })
  items?: ConversionItemDto[] | null;

  @OneOf(conversionSources)
  source!: ConversionSource;

  @Int({ min: 0 })
  refunded_amount_cents!: number;

  @OneOf(modes, { example: 'test' })
  mode!: Mode;

  @Instant()
  created_at!: string;
}
