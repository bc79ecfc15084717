import { Commission } from '../tables/commissions/commission.entity';
import { ConversionSettlement } from '../tables/conversions/conversion-settlement.entity';
import { Payout } from '../tables/payouts/payout.entity';
import { PayoutItem } from '../tables/payouts/payout-item.entity';
import { WebhookDelivery } from '../tables/webhooks/webhook-delivery.entity';
import { mutableColumnsOf, type EntityClass } from './columns';

/** What the role that serves requests may do to rows of a table, beside reading them. */
export type Access =
  | { kind: 'mutable' }
  /** Added, and changed in these columns only: never whose row it is. Functions of the owner delete. */
  | { kind: 'owned'; columns: readonly string[] }
  /** Added and changed, never deleted. */
  | { kind: 'kept' }
  /** Added, and never changed but in these columns. */
  | { kind: 'append-only'; columns: readonly string[] }
  | { kind: 'read-only' };

const mutable: Access = { kind: 'mutable' };
const kept: Access = { kind: 'kept' };
const readOnly: Access = { kind: 'read-only' };
const appendOnly = (...columns: string[]): Access => ({ kind: 'append-only', columns });

const owned = (entity: EntityClass): Access => ({
  kind: 'owned',
  columns: mutableColumnsOf(entity),
});

const each = (access: Access, ...tables: string[]): Record<string, Access> =>
  Object.fromEntries(tables.map((table) => [table, access]));

/** What may be done to each table of the schema. */
export const tableAccess: Readonly<Record<string, Access>> = {
  ...each(appendOnly(), 'audit_log', 'ledger_entries', 'webhook_attempts'),
  // A fact that comes later changes who is credited.
  attribution_decisions: appendOnly('trace'),
  conversion_refunds: appendOnly(),
  fraud_flags: appendOnly('state', 'note', 'resolved_at'),
  // The ids of a report that was refused lead to the sale that Stripe tells later.
  conversion_aliases: appendOnly('conversion_id'),
  ...each(appendOnly(), 'payout_lines', 'erased_records'),
  closed_ledger_sums: appendOnly('entries', 'amount_cents'),
  // An erasure overwrites what is personal; a test may end a click's window; a restored server counts
  // its transactions from the start.
  conversions: appendOnly(
    'refunded_amount_cents',
    'amount_cents',
    'customer_id',
    'metadata',
    'items',
    'prospect_hash',
    ...['event_type', 'attributed', 'new_customer', 'reason', 'explanation', 'matched_by'],
    ...['program_id', 'participant_id', 'link_id', 'window_ends_at', 'click_id', 'promo_code'],
    'credited_as',
  ),
  commission_history: appendOnly('reason'),
  events: appendOnly('object'),
  clicks: appendOnly('url', 'referrer', 'user_agent', 'ip_hash', 'expires_at', 'recorded_in'),

  // What deletes a closed workspace goes by when that was asked, which only a trigger writes.
  workspaces: appendOnly(
    'name',
    'test_email_redirect',
    'require_two_factor',
    ...['payout_daily_limits', 'payout_approval'],
    'updated_at',
    'closes_at',
    'closed_at',
  ),
  ...each(kept, 'merchant_accounts', 'partner_accounts', 'api_keys'),
  ...each(kept, 'erasures', 'erasure_receipts'),

  ...each(mutable, 'account_addresses', 'email_tokens', 'login_failures', 'member_invites'),
  ...each(mutable, 'two_factors'),
  ...each(mutable, 'refresh_tokens', 'sessions', 'stream_tickets', 'idempotency_keys'),
  ...each(mutable, 'programs', 'former_terms', 'former_statuses'),
  ...each(mutable, 'program_fraud_rules', 'program_groups'),
  ...each(mutable, 'program_tiers', 'reached_steps', 'program_bonuses', 'earned_bonuses'),
  ...each(mutable, 'participants', 'partner_invites', 'group_memberships'),
  ...each(mutable, 'tracking_links', 'referral_tokens', 'promo_codes', 'biller_codes'),
  ...each(mutable, 'customers', 'customer_aliases', 'customer_bindings'),
  ...each(mutable, 'imports', 'import_files', 'import_chunks', 'import_rows', 'import_sales'),
  ...each(mutable, 'imported_records'),
  // `delete_reset_rows` goes by their workspace and mode.
  commissions: owned(Commission),
  conversion_settlements: owned(ConversionSettlement),
  payouts: owned(Payout),
  payout_items: owned(PayoutItem),
  webhook_deliveries: owned(WebhookDelivery),
  ...each(mutable, 'payout_connections', 'payout_batches', 'payout_batch_items'),
  ...each(mutable, 'commission_count_deltas', 'commission_day_counts'),
  ...each(mutable, 'analytics_facts', 'analytics_rollups', 'analytics_totals', 'analytics_state'),
  ...each(mutable, 'tracking_states', 'click_origins'),
  ...each(mutable, 'outbox', 'outbox_dead', 'webhook_requeues'),
  ...each(mutable, 'webhook_endpoints'),
  ...each(
    mutable,
    'biller_discounts',
    'stripe_connections',
    'stripe_events',
    'stripe_objects',
    'stripe_payments',
  ),
  ...each(mutable, 'mails', 'mail_counts', 'mail_digests', 'email_provider_events'),
  ...each(mutable, 'sealed_recipients', 'suppressed_addresses', 'waitlist_signups'),
  ...each(mutable, 'notifications', 'notification_feeds', 'notification_preferences'),
  ...each(mutable, 'notification_read_marks', 'notification_reads', 'notification_totals'),
  ...each(mutable, 'notification_unread', 'erasure_identities'),
  ...each(mutable, 'test_data_resets', 'test_data_reset_targets'),

  ...each(mutable, 'figures', 'scheduled_work', 'ledger_checks', 'ledger_mismatches'),
  ...each(kept, 'restores', 'shipments'),

  ...each(readOnly, 'migrations', 'schema_versions'),
};

/** Functions of the schema's owner that the serving role may call. */
export const ownerFunctions: readonly string[] = [
  'ensure_click_partitions(timestamptz, int)',
  'ensure_partitions(text, text, text, timestamptz, int)',
  'drop_partitions(text, timestamptz)',
  'delete_strays(text, timestamptz, int)',
  'delete_reset_rows(uuid, text, text, text[])',
  'delete_old_deliveries(timestamptz, int)',
  'delete_imported_commissions(uuid, uuid[])',
];

export function isAppendOnly(table: string): boolean {
  return tableAccess[table]?.kind === 'append-only';
}

/** Whether the role that serves requests may delete rows of it without a function of the owner. */
export function isDeletable(table: string): boolean {
  return privilegesOn(table).includes('DELETE');
}

const privilegesOf: Readonly<Record<Access['kind'], readonly string[]>> = {
  mutable: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  owned: ['SELECT', 'INSERT'],
  kept: ['SELECT', 'INSERT', 'UPDATE'],
  'append-only': ['SELECT', 'INSERT'],
  'read-only': ['SELECT'],
};

/** The privileges on a table as GRANT takes them: `INSERT`, `UPDATE (reason)`. */
export function privilegesOn(table: string): string[] {
  // What catches rows without a partition is watched; the rest is reached through its table.
  if (table.endsWith('_default')) return ['SELECT'];
  const access = tableAccess[table] ?? mutable;
  const columns = 'columns' in access ? access.columns : [];
  return [...privilegesOf[access.kind], ...columns.map((column) => `UPDATE (${column})`)];
}
