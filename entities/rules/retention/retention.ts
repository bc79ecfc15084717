import { guessing } from '../accounts/accounts';
import { erasedEmail } from '../erasure/erasure';
import { dayMs } from '../values/duration';
import { monthsLater } from '../values/instant';

/** Kept in parts by time; a part is dropped when its last row is past its time. */
export interface PartitionRule {
  table: string;
  mechanism: 'partition';
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
  mechanism: 'delete';
  /** The time; of a column `id` the time inside a UUID v7. */
  since: string;
  kept: Span;
  /** Leads with `since`. */
  index: string;
  /** Rows that stay however old they are do not fulfil this. */
  also?: string;
}

/** Rows that go with those of another table, by a foreign key or by the code that deletes them. */
interface WithRule {
  table: string;
  mechanism: 'with';
  of: string;
}

/** Rows leave as soon as their work is done. */
interface QueueRule {
  table: string;
  mechanism: 'queue';
  doneBy: string;
}

/** Grows with the business, not with time, or is its memory. */
interface ForEverRule {
  table: string;
  mechanism: 'for ever';
}

export type RetentionRule = PartitionRule | DeleteRule | WithRule | QueueRule | ForEverRule;

const partition = (
  table: string,
  key: string,
  rest: Pick<PartitionRule, 'step' | 'ahead' | 'keptDays'>,
): PartitionRule => ({ table, mechanism: 'partition', key, ...rest });

const deleted = (
  table: string,
  rest: Pick<DeleteRule, 'since' | 'kept' | 'index' | 'also'>,
): DeleteRule => ({ table, mechanism: 'delete', ...rest });

const withTable = (of: string, ...tables: string[]): WithRule[] =>
  tables.map((table) => ({ table, mechanism: 'with', of }));

const queue = (doneBy: string, ...tables: string[]): QueueRule[] =>
  tables.map((table) => ({ table, mechanism: 'queue', doneBy }));

const forEver = (...tables: string[]): ForEverRule[] =>
  tables.map((table) => ({ table, mechanism: 'for ever' }));

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
  // Shown for seven days.
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

/** How long the rows of each table are kept, and what ends them. */
export const retentionRules: readonly RetentionRule[] = [
  ...partitionRules,
  ...deleteRules,
  ...queue('relay', 'outbox'),
  // For an operator: aps outbox.
  ...queue('operator', 'outbox_dead'),
  // A row for each reader, schedule and kind.
  ...forEver('figures', 'scheduled_work', 'ledger_checks', 'shipments'),
  // A row for each restore of the database.
  ...forEver('restores'),
  ...queue('the check of ledgers', 'ledger_mismatches'),
  ...queue('folds', 'commission_count_deltas', 'analytics_facts'),
  ...queue('workflow', 'webhook_requeues', 'test_data_reset_targets', 'erasure_identities'),
  ...withTable('mails', 'sealed_recipients'),
  ...withTable('notifications', 'notification_reads'),
  ...forEver('workspaces', 'partner_accounts', 'api_keys'),
  // It goes when it is switched off, and with the account of a member or a partner.
  ...forEver('two_factors'),
  ...forEver('programs', 'former_terms', 'former_statuses'),
  ...forEver('program_fraud_rules', 'program_groups'),
  ...forEver('participants', 'group_memberships', 'program_tiers', 'reached_steps'),
  ...forEver('program_bonuses', 'earned_bonuses'),
  ...forEver('tracking_links', 'referral_tokens', 'promo_codes', 'tracking_states'),
  // What was switched off at a biller is the proof that it was.
  ...forEver('biller_codes'),
  // What is read for an import goes when that ends, after 30 days at the latest.
  ...withTable('imports', 'import_files', 'import_chunks', 'import_rows', 'import_sales'),
  ...forEver('imports', 'imported_records'),
  ...withTable('customers', 'customer_aliases', 'customer_bindings'),
  // Money and what it came from: external transaction ids are unique for ever.
  ...forEver('conversions', 'conversion_aliases', 'conversion_refunds', 'conversion_settlements'),
  ...forEver('commissions', 'commission_history', 'ledger_entries', 'fraud_flags'),
  ...forEver('payouts', 'payout_items', 'payout_lines', 'payout_batches', 'payout_batch_items'),
  // It goes when the workspace disconnects.
  ...forEver('payout_connections'),
  ...forEver('stripe_connections', 'stripe_payments', 'stripe_objects', 'biller_discounts'),
  ...forEver('commission_day_counts', 'analytics_rollups', 'analytics_totals', 'analytics_state'),
  ...forEver('notification_feeds', 'notification_totals', 'notification_unread'),
  ...forEver('notification_read_marks', 'notification_preferences', 'suppressed_addresses'),
  // What stays of a workspace that was closed.
  ...forEver('closed_ledger_sums'),
  // Receipts outlive what they speak of.
  ...forEver('erasures', 'erased_records', 'erasure_receipts', 'test_data_resets'),
  ...forEver('schema_versions', 'migrations'),
];

/** Rows of this rule from before that time are past theirs. */
export function keptSince({ kept }: Pick<DeleteRule, 'kept'>, now: Date): Date {
  return typeof kept === 'number' ? new Date(now.getTime() - kept) : monthsLater(now, -kept.months);
}
