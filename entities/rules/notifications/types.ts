import type { Side } from '../accounts/accounts';
import type { NotificationCategory } from '../mail/mail';
import type { WebhookEventKind } from '../webhooks/events';

/**
 * Which members of a workspace see a notification: every one, the admins and owners, or only the
 * member whom it concerns. A partner's feed has one reader, so there it is always `everyone`.
 */
export type Audience = 'everyone' | 'admins' | 'member';

interface NotificationSpec {
  category: NotificationCategory;
  /** The kind of event that leads to it; null: written in the transaction of the change itself. */
  event: WebhookEventKind | null;
  audience: Audience;
}

/** What merchants are notified of. A commission is due for review from its creation or later. */
export const merchantNotifications = {
  'conversion.created': of('conversions', 'conversion.created'),
  'commission.needs_review': of('commissions', 'commission.updated'),
  'commission.refunded': of('commissions', 'commission.refunded'),
  'participant.applied': of('partners', 'participant.applied'),
  'participant.joined': of('partners', 'participant.approved'),
  'conversion.fraud_detected': of('fraud', 'conversion.fraud_detected'),
  'webhook.dead_letter': of('webhooks', null),
  'webhook.disabled': of('webhooks', null),
  'stripe.events_failing': of('webhooks', null),
  'biller.events_failing': of('webhooks', null),
  'payout.completed': of('payouts', 'payout.completed'),
  'payout.attention': of('payouts', null, 'admins'),
  'payout.not_received': of('payouts', null, 'admins'),
  'security.password_changed': of('security', null, 'member'),
  'security.email_changed': of('security', null, 'member'),
  'security.two_factor_enabled': of('security', null, 'member'),
  'security.two_factor_disabled': of('security', null, 'member'),
  'security.two_factor_reset': of('security', null, 'member'),
  'security.recovery_codes_renewed': of('security', null, 'member'),
  'security.recovery_code_used': of('security', null, 'member'),
  'security.api_key_created': of('security', null, 'admins'),
  'security.api_key_revoked': of('security', null, 'admins'),
  'security.payout_provider_connected': of('security', null, 'admins'),
  'security.payout_provider_disconnected': of('security', null, 'admins'),
  'security.payout_limits_changed': of('security', null, 'admins'),
  'security.member_invited': of('security', null, 'admins'),
  'security.member_joined': of('security', null, 'admins'),
  'security.member_role_changed': of('security', null, 'admins'),
  'security.member_removed': of('security', null, 'admins'),
  'security.workspace_closing': of('security', null, 'admins'),
  'security.workspace_reopened': of('security', null, 'admins'),
} as const satisfies Record<string, NotificationSpec>;

/** What partners are notified of. */
export const partnerNotifications = {
  'participant.approved': of('programs', 'participant.approved'),
  'participant.rejected': of('programs', 'participant.rejected'),
  'participant.suspended': of('programs', 'participant.suspended'),
  'participant.reinstated': of('programs', 'participant.approved'),
  'participant.moved': of('programs', null),
  'program.terms_changed': of('programs', null),
  'program.closing': of('programs', null),
  'customer.lost': of('programs', null),
  'commission.created': of('commissions', 'commission.created'),
  'commission.approved': of('commissions', 'commission.approved'),
  'commission.rejected': of('commissions', 'commission.rejected'),
  'commission.refunded': of('commissions', 'commission.refunded'),
  'commission.paid': of('commissions', 'commission.paid'),
  'payout.created': of('payouts', 'payout.created'),
  'payout.completed': of('payouts', 'payout.completed'),
  'payout.cancelled': of('payouts', 'payout.cancelled'),
  'payout.unclaimed': of('payouts', null),
  'security.password_changed': of('security', null),
  'security.email_changed': of('security', null),
  'security.two_factor_enabled': of('security', null),
  'security.two_factor_disabled': of('security', null),
  'security.two_factor_reset': of('security', null),
  'security.recovery_codes_renewed': of('security', null),
  'security.recovery_code_used': of('security', null),
  'security.payout_method_changed': of('security', null),
} as const satisfies Record<string, NotificationSpec>;

export type MerchantNotificationType = keyof typeof merchantNotifications;
export type PartnerNotificationType = keyof typeof partnerNotifications;
export type NotificationType = MerchantNotificationType | PartnerNotificationType;

function of<C extends NotificationCategory>(
  category: C,
  event: WebhookEventKind | null,
  audience: Audience = 'everyone',
): { category: C; event: WebhookEventKind | null; audience: Audience } {
  return { category, event, audience };
}

const specs: Record<Side, Partial<Record<NotificationType, NotificationSpec>>> = {
  merchant: merchantNotifications,
  partner: partnerNotifications,
};

/** Throws for a type that this side does not have: types come from the code, never from outside. */
export function notificationSpec(side: Side, type: NotificationType): NotificationSpec {
  const spec = specs[side][type];
  if (!spec) throw new Error(`${type} is no notification for a ${side}`);
  return spec;
}

/** Every type once, those of both sides included. */
export const notificationTypes = [
  ...new Set([...Object.keys(merchantNotifications), ...Object.keys(partnerNotifications)]),
] as NotificationType[];
