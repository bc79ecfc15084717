/**
 * Categories that a person may switch, per side; `security` is protected
 * (docs/reference/notifications.md, Preferences).
 */
export const notificationCategories = {
  merchant: ['conversions', 'commissions', 'partners', 'fraud', 'webhooks', 'payouts', 'security'],
  partner: ['programs', 'commissions', 'payouts', 'security'],
} as const;
export type NotificationCategory =
  | (typeof notificationCategories.merchant)[number]
  | (typeof notificationCategories.partner)[number];

interface MailSpec {
  /** The preference that governs it; null: none does, it is always sent. */
  category: NotificationCategory | null;
  /** True for a mail that goes to a suppressed address too: the only way back into an account. */
  ignoresSuppression?: true;
  /** A stranger can cause it for any address, so each address takes a bounded number. */
  open?: true;
}

/** Every type of mail, as the notification log names it. */
export const mailTypes = {
  'account.verify_email': { category: null, ignoresSuppression: true, open: true },
  'account.reset_password': { category: null, ignoresSuppression: true, open: true },
  'account.erased': { category: null },
  'participant.erased': { category: null },
  'member.invited': { category: null, open: true },
  'partner.invited': { category: null, open: true },
  'partner.added': { category: null, open: true },
  /** Takes the place of mails of one type that came too quickly; governed by that type. */
  digest: { category: null },
  'conversion.created': { category: 'conversions' },
  'conversion.fraud_detected': { category: 'fraud' },
  'commission.needs_review': { category: 'commissions' },
  'commission.created': { category: 'commissions' },
  'commission.approved': { category: 'commissions' },
  'commission.rejected': { category: 'commissions' },
  'commission.refunded': { category: 'commissions' },
  'participant.applied': { category: 'partners' },
  'participant.joined': { category: 'partners' },
  'participant.approved': { category: 'programs' },
  'participant.rejected': { category: 'programs' },
  'participant.suspended': { category: 'programs' },
  'participant.reinstated': { category: 'programs' },
  'participant.moved': { category: 'programs' },
  'program.terms_changed': { category: 'programs' },
  'program.closing': { category: 'programs' },
  'customer.lost': { category: 'programs' },
  'payout.created': { category: 'payouts' },
  'payout.completed': { category: 'payouts' },
  'payout.cancelled': { category: 'payouts' },
  'payout.not_received': { category: 'payouts' },
  'payout.attention': { category: 'payouts' },
  'payout.unclaimed': { category: 'payouts' },
  'webhook.dead_letter': { category: 'webhooks' },
  'webhook.disabled': { category: 'webhooks' },
  'stripe.events_failing': { category: 'webhooks' },
  'biller.events_failing': { category: 'webhooks' },
  'security.password_changed': { category: 'security' },
  'security.email_changed': { category: 'security' },
  'security.two_factor_enabled': { category: 'security' },
  'security.two_factor_disabled': { category: 'security' },
  'security.two_factor_reset': { category: 'security' },
  'security.recovery_codes_renewed': { category: 'security' },
  'security.recovery_code_used': { category: 'security' },
  'security.payout_method_changed': { category: 'security' },
  'security.api_key_created': { category: 'security' },
  'security.api_key_revoked': { category: 'security' },
  'security.payout_provider_connected': { category: 'security' },
  'security.payout_provider_disconnected': { category: 'security' },
  'security.payout_limits_changed': { category: 'security' },
  'security.member_invited': { category: 'security' },
  'security.member_joined': { category: 'security' },
  'security.member_role_changed': { category: 'security' },
  'security.member_removed': { category: 'security' },
  'security.workspace_closing': { category: 'security' },
  'security.workspace_reopened': { category: 'security' },
} as const satisfies Record<string, MailSpec>;
export type MailType = keyof typeof mailTypes;

/** Whether a notification is a mail as well; a paid commission is none, since its payout tells it. */
export function isMailType(type: string): type is MailType {
  return Object.hasOwn(mailTypes, type);
}

export function mailSpec(type: MailType): MailSpec {
  return mailTypes[type];
}

/** Whether mails of a type carry an unsubscribe link: those that a preference can switch off. */
export function unsubscribeCategory(type: MailType): NotificationCategory | undefined {
  const { category } = mailSpec(type);
  return category === null || category === 'security' ? undefined : category;
}

/** Mails of which there may be one a sale; of all others there are few. */
export const noticeMailTypes = (Object.keys(mailTypes) as MailType[]).filter((type) =>
  /^(conversion|commission)\./.test(type),
);

const notices: ReadonlySet<MailType> = new Set(noticeMailTypes);

/** The topics of mails in the outbox: those that somebody waits for, and notices of what happened. */
export type MailTopic = 'mail' | 'notice_mail';

export function mailTopic(type: MailType): MailTopic {
  return notices.has(type) ? 'notice_mail' : 'mail';
}

export type MailStatus =
  | 'queued'
  | 'sent'
  | 'suppressed'
  | 'redirected'
  /** More than one address takes. */
  | 'throttled'
  /** Part of a digest, which is a mail of its own. */
  | 'digested'
  | 'dropped'
  | 'failed';

export interface MailFacts {
  type: MailType;
  /** Null: an account mail, which belongs to no mode. */
  mode: 'test' | 'live' | null;
  emailPreference: boolean;
  addressSuppressed: boolean;
  /** Where the workspace wants test mails; null: nowhere. */
  testRedirect: string | null;
  testRedirectSuppressed: boolean;
}

/**
 * What becomes of a mail. `suppressed` in test mode is what the notification log shows; in live
 * mode it is an address that bounced or complained. `dropped`: the person switched it off.
 */
export function mailDecision(facts: MailFacts): 'send' | 'redirect' | 'suppress' | 'drop' {
  const spec = mailSpec(facts.type);
  if (spec.category !== null && spec.category !== 'security' && !facts.emailPreference)
    return 'drop';
  if (facts.mode === 'test') {
    return facts.testRedirect !== null && !facts.testRedirectSuppressed ? 'redirect' : 'suppress';
  }
  return facts.addressSuppressed && !spec.ignoresSuppression ? 'suppress' : 'send';
}

/** E-mail is on unless switched off, save for what would be a mail per sale. */
export function emailDefault(
  side: 'merchant' | 'partner',
  category: NotificationCategory,
): boolean {
  return side === 'partner' || (category !== 'conversions' && category !== 'commissions');
}
