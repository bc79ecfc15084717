import type {
  AttributionObject,
  ConversionItem,
  ConversionMetadata,
} from '../attribution/conversion';
import type { ConversionSource } from '../attribution/attribute';
import type { ReviewReason } from '../commissions/review-reasons';
import type { CommissionStatus } from '../commissions/status';
import type { FraudAction, FraudRule, FraudValue } from '../fraud/fraud';
import type { ParticipantStatus } from '../partners/participant-status';
import type { PayoutProviderName } from '../payouts/providers';
import type { PayoutItemStatus, PayoutStatus } from '../payouts/status';
import type { CommissionKind } from '../programs/terms';
import type { Mode } from '../values/mode';
import type { Subscription, WebhookEventKind } from './events';

/**
 * `data.object` of each kind of event: snake_case, times as ISO instants, amounts in minor units, no
 * e-mail address. Whoever makes an event and what the OpenAPI document publishes are both held to
 * these declarations by the compiler.
 */

export type ConversionObject = {
  id: string;
  external_transaction_id: string;
  attributed: boolean;
  attribution: AttributionObject;
  commission: CommissionSummaryObject | null;
  event_type: string;
  amount_cents: number;
  currency: string | null;
  occurred_at: string;
  customer_id: string | null;
  /** The metadata as it was reported. */
  metadata: ConversionMetadata | null;
  /** Absent in what happened before sales had them. */
  items?: ConversionItem[] | null;
  source: ConversionSource;
  refunded_amount_cents: number;
  mode: Mode;
  created_at: string;
};

export type CommissionSummaryObject = {
  id: string;
  status: CommissionStatus;
  amount_cents: number;
  currency: string;
  hold_until: string | null;
  needs_review: boolean;
};

export type FraudConversionObject = ConversionObject & { fraud_flags: FraudFlagObject[] };

export type FraudFlagObject = {
  rule: FraudRule;
  action: FraudAction;
  /** What was seen. */
  value: FraudValue;
  threshold: number | null;
};

export type CommissionObject = {
  id: string;
  program_id: string;
  participant_id: string;
  /** Null for an adjustment. */
  conversion_id: string | null;
  external_transaction_id: string | null;
  status: CommissionStatus;
  commission_type: CommissionKind;
  /** What is due now. */
  amount_cents: number;
  original_amount_cents: number;
  refunded_amount_cents: number;
  currency: string;
  conversion_amount_cents: number;
  needs_review: boolean;
  review_reasons: ReviewReason[];
  hold_until: string | null;
  approved_at: string | null;
  rejected_at: string | null;
  paid_at: string | null;
  refunded_at: string | null;
  payout_id: string | null;
  created_at: string;
  updated_at: string;
};

export type ParticipantObject = {
  id: string;
  program_id: string;
  /** The partner's global account. */
  partner_gpa_id: string;
  partner_name: string;
  status: ParticipantStatus;
  status_reason: string | null;
  message: string | null;
  referral_code: string;
  promo_codes: string[];
  /** The group that the partner is in. Absent in what happened before there were groups. */
  group_id?: string;
  group_name?: string;
  /** Where the partner was, in participant.moved. */
  from_group_id?: string;
  created_at: string;
  approved_at: string | null;
  /** What was not paid yet, in participant.erased. */
  open_balances?: OpenBalanceObject[];
};

export type OpenBalanceObject = { currency: string; pending_cents: number; approved_cents: number };

export type PayoutObject = {
  id: string;
  program_id: string;
  status: PayoutStatus;
  reference: string | null;
  items: PayoutItemObject[];
  created_at: string;
  completed_at: string | null;
  cancelled_at: string | null;
};

export type PayoutItemObject = {
  id: string;
  status: PayoutItemStatus;
  participant_id: string;
  currency: string;
  amount_cents: number;
  commission_count: number;
  /** Who was told to pay it; null: nobody, or not any more. */
  provider: PayoutProviderName | null;
};

export type WebhookObject = {
  id: string;
  url: string;
  events: Subscription[];
  active: boolean;
  mode: Mode;
};

/** Objects by the first word of a kind. */
export interface EventRecords {
  conversion: ConversionObject;
  commission: CommissionObject;
  participant: ParticipantObject;
  payout: PayoutObject;
  webhook: WebhookObject;
}

/** What an event of this kind carries. */
export type EventObject<K extends WebhookEventKind> = K extends 'conversion.fraud_detected'
  ? FraudConversionObject
  : K extends `${infer Word extends keyof EventRecords}.${string}`
    ? EventRecords[Word]
    : never;

/** A kind with its object: the union over all kinds. */
export type EventContent = {
  [K in WebhookEventKind]: { type: K; object: EventObject<K> };
}[WebhookEventKind];
