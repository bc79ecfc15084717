import type { EntitySchema, MixedList } from 'typeorm';
import { AttributionDecision } from '../tables/conversions/attribution-decision.entity';
import { Click } from '../tables/clicks/click.entity';
import { CommissionHistory } from '../tables/commissions/commission-history.entity';
import { Commission } from '../tables/commissions/commission.entity';
import { LedgerEntry } from '../tables/commissions/ledger-entry.entity';
import { PayoutItem } from '../tables/payouts/payout-item.entity';
import { Payout } from '../tables/payouts/payout.entity';
import { ConversionAlias } from '../tables/conversions/conversion-alias.entity';
import { ConversionRefund } from '../tables/conversions/conversion-refund.entity';
import { Conversion } from '../tables/conversions/conversion.entity';
import { FraudFlag } from '../tables/conversions/fraud-flag.entity';
import { Participant } from '../tables/partners/participant.entity';
import { PartnerInvite } from '../tables/partners/partner-invite.entity';
import { ProgramFraudRules } from '../tables/programs/program-fraud-rules.entity';
import { Program } from '../tables/programs/program.entity';
import { PromoCode } from '../tables/partners/promo-code.entity';
import { ReferralToken } from '../tables/partners/referral-token.entity';
import { StripeConnection } from '../tables/stripe/stripe-connection.entity';
import { StripeEvent } from '../tables/stripe/stripe-event.entity';
import { StripeObject } from '../tables/stripe/stripe-object.entity';
import { StripePayment } from '../tables/stripe/stripe-payment.entity';
import { TrackingLink } from '../tables/partners/tracking-link.entity';
import { WebhookAttempt } from '../tables/webhooks/webhook-attempt.entity';
import { WebhookDelivery } from '../tables/webhooks/webhook-delivery.entity';
import { WebhookEndpoint } from '../tables/webhooks/webhook-endpoint.entity';

type EntityClass = MixedList<string | EntitySchema | (new () => object)>;

/** Every entity class, one line each. */
export const entities = [
  Program,
  Click,
  Participant,
  TrackingLink,
  ReferralToken,
  PromoCode,
  PartnerInvite,
  Conversion,
  ConversionAlias,
  AttributionDecision,
  ConversionRefund,
  FraudFlag,
  ProgramFraudRules,
  Commission,
  CommissionHistory,
  LedgerEntry,
  Payout,
  PayoutItem,
  WebhookEndpoint,
  WebhookDelivery,
  WebhookAttempt,
  StripeConnection,
  StripeEvent,
  StripePayment,
  StripeObject,
] satisfies EntityClass;
