import type { ReviewReason } from '../../entities/rules/commissions/review-reasons';
import { commissionStatuses, type CommissionStatus } from '../../entities/rules/commissions/status';
import type { FraudAction, FraudRule, FraudValue } from '../../entities/rules/fraud/fraud';
import type { ParticipantStatus } from '../../entities/rules/partners/participant-status';
import {
  payoutItemStatuses,
  payoutStatuses,
  type PayoutItemStatus,
  type PayoutStatus,
} from '../../entities/rules/payouts/status';
import { payoutProviders, type PayoutProviderName } from '../../entities/rules/payouts/providers';
import { commissionKinds, type CommissionKind } from '../../entities/rules/programs/terms';
import { modes, type Mode } from '../../entities/rules/values/mode';
import type { Subscription } from '../../entities/rules/webhooks/events';
import { EventConversionDto } from '../conversions/event-conversion.dto';
import {
  AnyText,
  Flag,
  Instant,
  Int,
  Json,
  ListOf,
  OneOf,
  Texts,
  Uuid,
} from '../http/contract/validators';

/** `data.object` of each kind of event: snake_case, no buyer's or partner's e-mail address. */

const nullable = { nullable: true } as const;

export class EventFraudFlagDto {
  @AnyText({ description: 'The rule that hit.' })
  rule!: FraudRule;

  @OneOf(['flag', 'hold', 'reject'])
  action!: FraudAction;

  @Json({
    nullable: true,
    schema: { oneOf: [{ type: 'number' }, { type: 'string' }, { type: 'boolean' }] },
    description: 'What was seen.',
  })
  value!: FraudValue;

  @Int(nullable)
  threshold!: number | null;
}

/** conversion.fraud_detected */
export class EventFraudConversionDto extends EventConversionDto {
  @ListOf(() => EventFraudFlagDto, { min: 1 })
  fraud_flags!: EventFraudFlagDto[];
}

/** commission.* */
export class EventCommissionDto {
  @Uuid()
  id!: string;

  @Uuid()
  program_id!: string;

  @Uuid()
  participant_id!: string;

  @Uuid({ ...nullable, description: 'Null for an adjustment.' })
  conversion_id!: string | null;

  @AnyText(nullable)
  external_transaction_id!: string | null;

  @OneOf(commissionStatuses)
  status!: CommissionStatus;

  @OneOf(commissionKinds)
  commission_type!: CommissionKind;

  @Int({ description: 'What is due now.' })
  amount_cents!: number;

  @Int()
  original_amount_cents!: number;

  @Int()
  refunded_amount_cents!: number;

  @AnyText()
  currency!: string;

  @Int()
  conversion_amount_cents!: number;

  @Flag()
  needs_review!: boolean;

  @Texts()
  review_reasons!: ReviewReason[];

  @Instant(nullable)
  hold_until!: string | null;

  @Instant(nullable)
  approved_at!: string | null;

  @Instant(nullable)
  rejected_at!: string | null;

  @Instant(nullable)
  paid_at!: string | null;

  @Instant(nullable)
  refunded_at!: string | null;

  @Uuid(nullable)
  payout_id!: string | null;

  @Instant()
  created_at!: string;

  @Instant()
  updated_at!: string;
}

/** participant.* */
export class EventOpenBalanceDto {
  @AnyText()
  currency!: string;

  @Int({ description: 'Of commissions that are not decided yet.' })
  pending_cents!: number;

  @Int({ description: 'Approved and not paid; negative when too much was paid.' })
  approved_cents!: number;
}

export class EventParticipantDto {
  @Uuid()
  id!: string;

  @Uuid()
  program_id!: string;

  @Uuid({ description: "The partner's global account." })
  partner_gpa_id!: string;

  @AnyText()
  partner_name!: string;

  @AnyText()
  status!: ParticipantStatus;

  @AnyText(nullable)
  status_reason!: string | null;

  @AnyText(nullable)
  message!: string | null;

  @AnyText()
  referral_code!: string;

  @Texts()
  promo_codes!: string[];

  @Uuid({ optional: true, description: 'The default group has the id of the programme.' })
  group_id?: string;

  @AnyText({ optional: true })
  group_name?: string;

  @Uuid({ optional: true, description: 'Of participant.moved: where the partner was.' })
  from_group_id?: string;

  @Instant()
  created_at!: string;

  @Instant(nullable)
  approved_at!: string | null;

  @ListOf(() => EventOpenBalanceDto, {
    optional: true,
    description: 'Of participant.erased: what was not paid yet.',
  })
  open_balances?: EventOpenBalanceDto[];
}

export class EventPayoutItemDto {
  @Uuid()
  id!: string;

  @OneOf(payoutItemStatuses)
  status!: PayoutItemStatus;

  @Uuid()
  participant_id!: string;

  @AnyText()
  currency!: string;

  @Int()
  amount_cents!: number;

  @Int({ min: 1 })
  commission_count!: number;

  @OneOf(payoutProviders, {
    ...nullable,
    description: 'Who was told to pay it; null: nobody, or not any more.',
  })
  provider!: PayoutProviderName | null;
}

/** payout.* */
export class EventPayoutDto {
  @Uuid()
  id!: string;

  @Uuid()
  program_id!: string;

  @OneOf(payoutStatuses)
  status!: PayoutStatus;

  @AnyText(nullable)
  reference!: string | null;

  @ListOf(() => EventPayoutItemDto)
  items!: EventPayoutItemDto[];

  @Instant()
  created_at!: string;

  @Instant(nullable)
  completed_at!: string | null;

  @Instant(nullable)
  cancelled_at!: string | null;
}

/** webhook.test */
export class EventWebhookDto {
  @Uuid()
  id!: string;

  @AnyText()
  url!: string;

  @Texts()
  events!: Subscription[];

  @Flag()
  active!: boolean;

  @OneOf(modes)
  mode!: Mode;
}
