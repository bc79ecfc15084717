import { guessing } from '../accounts/accounts';
import { erasedEmail } from '../erasure/erasure';
import { dayMs } from '../values/duration';
import { monthsLater } from '../values/instant';

/** A table that is kept in parts by time; a part is dropped when its last row is past its time. */
export interface PartitionRule {
  table: string;
  /** The column by which the parts are cut: a time, or a UUID v7, whose first bits are one. */
  key: string;
  step: 'day' | 'month';
  /** Parts that are there before they are needed, that of now included. */
  ahead: number;
  /** `setting`: CLICK_RETENTION_MONTHS. */
  keptDays: number | 'for ever' | 'setting';
}

/** Milliseconds, or calendar months. */
type Span = number | { months: number };

/** Deleted in batches once a time in the row is long enough ago. */
export interface DeleteRule {
  table: string;
  /** The time; of a column `id` the time inside a UUID v7. */
  since: string;
  kept: Span;
  /** Leads with `since`. */
  index: string;
  /** Rows that stay however old they are do not fulfil this. */
  also?: string;
}

const partition = (
  table: string,
  key: string,
  rest: Pick<PartitionRule, 'step' | 'ahead' | 'keptDays'>,
): PartitionRule => ({ table, key, ...rest });

const deleted = (
  table: string,
  rest: Pick<DeleteRule, 'since' | 'kept' | 'index' | 'also'>,
): DeleteRule => ({ table, ...rest });

export const partitionRules: readonly PartitionRule[] = [
  partition('clicks', 'created_at', { step: 'month', ahead: 4, keptDays: 'setting' }),
  partition('events', 'id', { step: 'day', ahead: 8, keptDays: 31 }),
  partition('webhook_attempts', 'delivery_id', { step: 'day', ahead: 8, keptDays: 31 }),
  partition('audit_log', 'id', { step: 'month', ahead: 4, keptDays: 'for ever' }),
  partition('attribution_decisions', 'conversion_id', {
    step: 'month',
    ahead: 4,
    keptDays: 'for ever',
  }),
];

/** One after the other, in this order. A table is named once for each time that it goes by. */
export const deleteRules: readonly DeleteRule[] = [
  deleted('idempotency_keys', {
    since: 'created_at',
    kept: dayMs,
    index: 'ix_idempotency_created',
  }),
  // Raw events of the processor hold buyers' addresses.
  deleted('stripe_events', {
    since: 'received_at',
    kept: 90 * dayMs,
    index: 'ix_stripe_events_received',
  }),
  // A buyer whom nobody brought and who paid nothing that is known: the ids of a sign-up that did not hold.
  deleted('customers', {
    since: 'created_at',
    kept: 30 * dayMs,
    index: 'ix_customers_nobodys',
    also: `source IS NULL AND last_paid_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM customer_bindings b WHERE b.customer = customers.id)
      AND NOT EXISTS (SELECT 1 FROM customer_aliases a WHERE a.customer = customers.id AND a.by_biller)
      AND NOT EXISTS (SELECT 1 FROM stripe_payments p WHERE p.customer = customers.id)`,
  }),
  deleted('webhook_deliveries', {
    since: 'id',
    kept: 30 * dayMs,
    index: 'webhook_deliveries_pkey',
    also: `status IN ('succeeded', 'dead_letter', 'cancelled')`,
  }),
  deleted('webhook_endpoints', {
    since: 'deleted_at',
    kept: 30 * dayMs,
    index: 'ix_webhook_endpoints_deleted',
    also: `NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.endpoint_id = webhook_endpoints.id)`,
  }),
  deleted('notifications', { since: 'id', kept: 90 * dayMs, index: 'notifications_pkey' }),
  deleted('stream_tickets', { since: 'expires_at', kept: 0, index: 'ix_stream_tickets_expires' }),
  deleted('login_failures', {
    since: 'failed_at',
    kept: guessing.window,
    index: 'ix_login_failures_failed',
  }),
  deleted('account_addresses', {
    since: 'last_seen_at',
    kept: guessing.knownAddress,
    index: 'ix_account_addresses_seen',
  }),
  deleted('email_tokens', { since: 'expires_at', kept: dayMs, index: 'ix_email_tokens_expires' }),
  // An ended session refuses its tokens all the same; ended ones are kept a day for whoever looks.
  deleted('sessions', { since: 'expires_at', kept: dayMs, index: 'ix_sessions_expires' }),
  deleted('sessions', { since: 'revoked_at', kept: dayMs, index: 'ix_sessions_revoked' }),
  // Spent ones go with the next use of their family.
  deleted('refresh_tokens', { since: 'expires_at', kept: 0, index: 'ix_refresh_tokens_expires' }),
  deleted('mails', {
    since: 'created_at',
    kept: 90 * dayMs,
    index: 'ix_mails_created',
    also: `status <> 'queued'`,
  }),
  deleted('mail_digests', {
    since: 'closed_at',
    kept: 90 * dayMs,
    index: 'ix_mail_digests_closed',
  }),
  // The longest window that mails are counted in is a day.
  deleted('mail_counts', { since: 'counted_at', kept: dayMs, index: 'ix_mail_counts_counted' }),
  deleted('email_provider_events', {
    since: 'received_at',
    kept: 90 * dayMs,
    index: 'ix_email_provider_events_received',
  }),
  // Origins of clicks are shown for seven days.
  deleted('click_origins', { since: 'day', kept: 8 * dayMs, index: 'ix_click_origins_day' }),
  deleted('member_invites', {
    since: 'expires_at',
    kept: 90 * dayMs,
    index: 'ix_member_invites_expires',
  }),
  // The row of who left, and of an invite that nobody took up, stays without the person.
  deleted('merchant_accounts', {
    since: 'removed_at',
    kept: 90 * dayMs,
    index: 'ix_merchant_accounts_removed',
    also: `email <> '${erasedEmail}'`,
  }),
  deleted('partner_invites', {
    since: 'expires_at',
    kept: 90 * dayMs,
    index: 'ix_partner_invites_expires',
    also: `status IN ('pending', 'deleted')`,
  }),
  deleted('waitlist_signups', {
    since: 'created_at',
    kept: { months: 12 },
    index: 'ix_waitlist_signups_created',
  }),
];

/** Rows of this rule from before that time are past theirs. */
export function keptSince({ kept }: Pick<DeleteRule, 'kept'>, now: Date): Date {
  return typeof kept === 'number' ? new Date(now.getTime() - kept) : monthsLater(now, -kept.months);
}
