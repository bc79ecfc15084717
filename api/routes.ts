import { analyticsRoutes } from './analytics/analytics.routes';
import { partnerAnalyticsRoutes } from './analytics/partner-analytics.routes';
import { accountRoutes } from './auth/account.routes';
import { jwksRoutes } from './auth/jwks.routes';
import { recoveryRoutes } from './auth/recovery.routes';
import { registrationRoutes } from './auth/registration.routes';
import { signInRoutes } from './auth/sign-in.routes';
import { twoFactorRoutes } from './auth/two-factor.routes';
import { attributionRoutes } from './attribution/attribution.routes';
import { adjustmentRoutes } from './commissions/adjustments.routes';
import { commissionRoutes } from './commissions/commissions.routes';
import { partnerCommissionRoutes } from './commissions/partner-commissions.routes';
import { conversionRoutes } from './conversions/conversions.routes';
import { customerRoutes } from './customers/customers.routes';
import { programCustomerRoutes } from './customers/program-customers.routes';
import { erasureRoutes } from './erasure/erasure.routes';
import { exportRoutes } from './exports/export.routes';
import { fraudRoutes } from './fraud/fraud.routes';
import { docsRoutes } from './docs/docs.routes';
import type { Route } from './http/contract/route';
import { healthRoutes } from './health/health.routes';
import { groupRoutes } from './groups/groups.routes';
import { bonusRoutes } from './groups/bonuses.routes';
import { tierRoutes } from './groups/tiers.routes';
import { importBookingRoutes } from './imports/import-bookings.routes';
import { importFileRoutes } from './imports/import-files.routes';
import { importRoutes } from './imports/imports.routes';
import { programExportRoutes } from './leaving/program-export.routes';
import { participantNameRoutes } from './participants/participant-names.routes';
import { participantRoutes } from './participants/participants.routes';
import { partnerInviteRoutes } from './partner-invites/partner-invites.routes';
import { partnerLinkRoutes } from './partner-portal/partner-links.routes';
import { partnerProgramRoutes } from './partner-portal/partner-programs.routes';
import { payoutFileRoutes } from './payouts/payout-files.routes';
import { payoutItemRoutes } from './payouts/payout-items.routes';
import { payoutResultRoutes } from './payouts/payout-results.routes';
import { payoutRoutes } from './payouts/payouts.routes';
import { ledgerRoutes } from './payouts/ledger.routes';
import { statementRoutes } from './payouts/statement.routes';
import { batchRoutes } from './sending/batches.routes';
import { providerRoutes } from './sending/providers.routes';
import { sendRoutes } from './sending/send.routes';
import { programRoutes } from './programs/programs.routes';
import { clickRoutes } from './tracking/clicks.routes';
import { snippetRoutes } from './tracking/snippet.routes';
import { trackingRoutes } from './tracking/tracking.routes';
import { eventRoutes } from './webhooks/events.routes';
import { webhookDeliveryRoutes } from './webhooks/webhook-deliveries.routes';
import { webhookRoutes } from './webhooks/webhooks.routes';
import { emailProviderRoutes } from './inbound/email-provider.routes';
import { billerEventRoutes } from './inbound/biller-events.routes';
import { stripeEventRoutes } from './inbound/stripe-events.routes';
import { pageRoutes } from './pages/pages.routes';
import { partnerAccountRoutes } from './partner-portal/partner-account.routes';
import { payoutMethodRoutes } from './partner-portal/payout-method.routes';
import { billerRoutes } from './billers/billers.routes';
import { stripeRoutes } from './stripe/stripe.routes';
import { notificationRoutes } from './notifications/notifications.routes';
import { notificationLogRoutes } from './test-mode/notification-log.routes';
import { resetRoutes } from './test-mode/reset.routes';
import { apiKeyRoutes } from './workspace/api-keys.routes';
import { auditLogRoutes } from './workspace/audit-log.routes';
import { memberRoutes } from './workspace/members.routes';
import { inboxRoutes } from './workspace/inbox.routes';
import { suppressedAddressRoutes } from './workspace/suppressed-addresses.routes';
import { waitlistRoutes } from './waitlist/waitlist.routes';
import { workspaceRoutes } from './workspace/workspace.routes';

/** The one list of routes, a list a domain: the app mounts it, the documents are written from it. */
export const routes: readonly Route[] = [
  clickRoutes,
  conversionRoutes,
  customerRoutes,
  programCustomerRoutes,
  attributionRoutes,
  fraudRoutes,
  analyticsRoutes,
  snippetRoutes,
  healthRoutes,
  registrationRoutes,
  signInRoutes,
  recoveryRoutes,
  accountRoutes,
  twoFactorRoutes,
  jwksRoutes,
  workspaceRoutes,
  trackingRoutes,
  apiKeyRoutes,
  memberRoutes,
  auditLogRoutes,
  suppressedAddressRoutes,
  inboxRoutes,
  notificationLogRoutes,
  resetRoutes,
  partnerAccountRoutes,
  payoutMethodRoutes,
  emailProviderRoutes,
  stripeEventRoutes,
  billerEventRoutes,
  stripeRoutes,
  billerRoutes,
  pageRoutes,
  programRoutes,
  groupRoutes,
  tierRoutes,
  bonusRoutes,
  importRoutes,
  importFileRoutes,
  importBookingRoutes,
  programExportRoutes,
  participantRoutes,
  participantNameRoutes,
  partnerInviteRoutes,
  partnerProgramRoutes,
  partnerLinkRoutes,
  commissionRoutes,
  adjustmentRoutes,
  partnerCommissionRoutes,
  partnerAnalyticsRoutes,
  // Its path would be taken for a payout's.
  statementRoutes,
  ledgerRoutes,
  payoutRoutes,
  providerRoutes,
  sendRoutes,
  batchRoutes,
  payoutItemRoutes,
  payoutFileRoutes,
  payoutResultRoutes,
  erasureRoutes,
  exportRoutes,
  webhookRoutes,
  webhookDeliveryRoutes,
  eventRoutes,
  notificationRoutes,
  waitlistRoutes,
  docsRoutes,
].flat();
