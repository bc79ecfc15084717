import type { EntitySchema, MixedList } from 'typeorm';
import { AttributionDecision } from './attribution-decision.entity';
import { Click } from './click.entity';
import { CommissionHistory } from './commission-history.entity';
import { Commission } from './commission.entity';
import { LedgerEntry } from './ledger-entry.entity';
import { PayoutItem } from './payout-item.entity';
import { Payout } from './payout.entity';
import { ConversionAlias } from './conversion-alias.entity';
import { ConversionRefund } from './conversion-refund.entity';
import { Conversion } from './conversion.entity';
import { FraudFlag } from './fraud-flag.entity';
import { Participant } from './participant.entity';
import { PartnerInvite } from './partner-invite.entity';
import { ProgramFraudRules } from './program-fraud-rules.entity';
import { Program } from './program.entity';
import { PromoCode } from './promo-code.entity';
import { ReferralToken } from './referral-token.entity';
import { StripeConnection } from './stripe-connection.entity';
import { StripeEvent } from './stripe-event.entity';
import { StripeObject } from './stripe-object.entity';
import { StripePayment } from './stripe-payment.entity';
import { TrackingLink } from './tracking-link.entity';
import { WebhookAttempt } from './webhook-attempt.entity';
import { WebhookDelivery } from './webhook-delivery.entity';
import { WebhookEndpoint } from './webhook-endpoint.entity';

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
