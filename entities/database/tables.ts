import type { EntitySchema, MixedList } from 'typeorm';
import { AnalyticsFact } from '../tables/analytics/analytics-fact.entity';
import { AnalyticsRollup } from '../tables/analytics/analytics-rollup.entity';
import { AnalyticsState } from '../tables/analytics/analytics-state.entity';
import { AnalyticsTotal } from '../tables/analytics/analytics-total.entity';
import { AttributionDecision } from '../tables/conversions/attribution-decision.entity';
import { Click } from '../tables/clicks/click.entity';
import { ClickOrigin } from '../tables/clicks/click-origin.entity';
import { TrackingState } from '../tables/clicks/tracking-state.entity';
import { CommissionHistory } from '../tables/commissions/commission-history.entity';
import { Commission } from '../tables/commissions/commission.entity';
import { LedgerEntry } from '../tables/commissions/ledger-entry.entity';
import { PayoutItem } from '../tables/payouts/payout-item.entity';
import { Payout } from '../tables/payouts/payout.entity';
import { CustomerAlias } from '../tables/customers/customer-alias.entity';
import { Customer } from '../tables/customers/customer.entity';
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
import { TestDataResetTarget } from '../tables/test-data/test-data-reset-target.entity';
import { TestDataReset } from '../tables/test-data/test-data-reset.entity';
import { FiguresRow } from '../tables/upkeep/figures-row.entity';
import { LedgerCheck } from '../tables/upkeep/ledger-check.entity';
import { LedgerMismatch } from '../tables/upkeep/ledger-mismatch.entity';
import { Restore } from '../tables/upkeep/restore.entity';
import { ScheduledWork } from '../tables/upkeep/scheduled-work.entity';
import { WaitlistSignup } from '../tables/waitlist/waitlist-signup.entity';
import { WebhookAttempt } from '../tables/webhooks/webhook-attempt.entity';
import { WebhookDelivery } from '../tables/webhooks/webhook-delivery.entity';
import { WebhookEndpoint } from '../tables/webhooks/webhook-endpoint.entity';
import { WebhookRequeue } from '../tables/webhooks/webhook-requeue.entity';
import { AccountAddress } from '../tables/accounts/account-address.entity';
import { EmailToken } from '../tables/accounts/email-token.entity';
import { TwoFactor } from '../tables/accounts/two-factor.entity';
import { LoginFailure } from '../tables/accounts/login-failure.entity';
import { MerchantAccount } from '../tables/accounts/merchant-account.entity';
import { PartnerAccount } from '../tables/accounts/partner-account.entity';
import { RefreshToken } from '../tables/accounts/refresh-token.entity';
import { Session } from '../tables/accounts/session.entity';
import { CommissionCountDelta } from '../tables/commissions/commission-count-delta.entity';
import { CommissionDayCount } from '../tables/commissions/commission-day-count.entity';
import { ConversionSettlement } from '../tables/conversions/conversion-settlement.entity';
import { AuditLogEntry } from '../tables/journal/audit-log-entry.entity';
import { Event } from '../tables/journal/event.entity';
import { IdempotencyKey } from '../tables/journal/idempotency-key.entity';
import { OutboxDeadRow } from '../tables/journal/outbox-dead-row.entity';
import { OutboxRow } from '../tables/journal/outbox-row.entity';
import { EmailProviderEvent } from '../tables/mail/email-provider-event.entity';
import { Mail } from '../tables/mail/mail.entity';
import { MailCount } from '../tables/mail/mail-count.entity';
import { MailDigest } from '../tables/mail/mail-digest.entity';
import { NotificationPreference } from '../tables/mail/notification-preference.entity';
import { SuppressedAddress } from '../tables/mail/suppressed-address.entity';
import { ClosedLedgerSum } from '../tables/workspace/closed-ledger-sum.entity';
import { ErasedRecord } from '../tables/erasure/erased-record.entity';
import { ErasureIdentity } from '../tables/erasure/erasure-identity.entity';
import { ErasureReceipt } from '../tables/erasure/erasure-receipt.entity';
import { Erasure } from '../tables/erasure/erasure.entity';
import { SealedRecipient } from '../tables/erasure/sealed-recipient.entity';
import { PayoutLine } from '../tables/payouts/payout-line.entity';
import { ApiKey } from '../tables/workspace/api-key.entity';
import { MemberInvite } from '../tables/workspace/member-invite.entity';
import { Workspace } from '../tables/workspace/workspace.entity';
import { NotificationFeed } from '../tables/notifications/notification-feed.entity';
import { Notification } from '../tables/notifications/notification.entity';
import { NotificationTotal } from '../tables/notifications/notification-total.entity';
import { NotificationUnread } from '../tables/notifications/notification-unread.entity';
import { NotificationRead } from '../tables/notifications/notification-read.entity';
import { NotificationReadMark } from '../tables/notifications/notification-read-mark.entity';
import { SchemaVersion } from '../tables/journal/schema-version.entity';
import { StreamTicket } from '../tables/notifications/stream-ticket.entity';

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
  Customer,
  CustomerAlias,
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
  WebhookRequeue,
  WebhookDelivery,
  WebhookAttempt,
  StripeConnection,
  StripeEvent,
  StripePayment,
  StripeObject,
  AccountAddress,
  EmailToken,
  TwoFactor,
  LoginFailure,
  MerchantAccount,
  PartnerAccount,
  RefreshToken,
  Session,
  CommissionCountDelta,
  CommissionDayCount,
  ConversionSettlement,
  AuditLogEntry,
  Event,
  IdempotencyKey,
  OutboxDeadRow,
  OutboxRow,
  SchemaVersion,
  EmailProviderEvent,
  Mail,
  MailCount,
  MailDigest,
  NotificationPreference,
  SuppressedAddress,
  Erasure,
  ClosedLedgerSum,
  ErasedRecord,
  ErasureIdentity,
  ErasureReceipt,
  SealedRecipient,
  PayoutLine,
  ApiKey,
  MemberInvite,
  Workspace,
  WaitlistSignup,
  TestDataReset,
  TestDataResetTarget,
  FiguresRow,
  LedgerCheck,
  LedgerMismatch,
  Restore,
  ScheduledWork,
  NotificationFeed,
  Notification,
  NotificationTotal,
  NotificationUnread,
  NotificationRead,
  NotificationReadMark,
  StreamTicket,
  AnalyticsFact,
  AnalyticsRollup,
  AnalyticsState,
  AnalyticsTotal,
  ClickOrigin,
  TrackingState,
] satisfies EntityClass;
