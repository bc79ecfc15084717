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

  @AnyText(nullable)
  click_id!: string | null;

  @AnyText(nullable)
  promo_code!: string | null;

  @Uuid(nullable)
  program_id!: string | null;

  @Uuid(nullable)
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
  @AnyText()
  product_id!: string;

  @AnyText(nullable)
  price_id!: string | null;

  @Int({ min: 0, ...nullable })
  amount_cents!: number | null;

  @Int({ min: 0, ...nullable })
  quantity!: number | null;
}

export class EventConversionDto {
  @Uuid()
  id!: string;

  @AnyText()
  external_transaction_id!: string;

  @Flag()
  attributed!: boolean;

  @Nested(() => EventAttributionDto)
  attribution!: EventAttributionDto;

  @Nested(() => EventCommissionSummaryDto, nullable)
  commission!: EventCommissionSummaryDto | null;

  @AnyText()
  event_type!: string;

  @Int({ min: 0 })
  amount_cents!: number;

  @AnyText(nullable)
  currency!: string | null;

  @Instant()
  occurred_at!: string;

  @AnyText(nullable)
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

  @OneOf(modes)
  mode!: Mode;

  @Instant()
  created_at!: string;
}
