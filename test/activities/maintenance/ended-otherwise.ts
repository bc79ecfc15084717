/** Tables that neither a partition nor a purge empties, by what ends their rows. */
const until = (what: string, ...tables: string[]): [string, string][] =>
  tables.map((table) => [table, what]);
/** It grows with the business, not with time, or is its memory. */
const forEver = (...tables: string[]): [string, string][] => until('for ever', ...tables);

export const endedOtherwise: ReadonlyMap<string, string> = new Map([
  ...until('relay has done its work', 'outbox'),
  // An operator does it with `aps outbox`.
  ...until('operator has done its work', 'outbox_dead'),
  // A row for each reader, schedule and kind.
  ...forEver('figures', 'scheduled_work', 'ledger_checks', 'shipments'),
  // A row for each restore of the database.
  ...forEver('restores'),
  ...until('the check of ledgers has done its work', 'ledger_mismatches'),
  ...until('folds has done its work', 'commission_count_deltas', 'analytics_facts'),
  ...until(
    'workflow has done its work',
    'webhook_requeues',
    'test_data_reset_targets',
    'erasure_identities',
  ),
  ...until('the row of mails goes', 'sealed_recipients'),
  ...until('the row of notifications goes', 'notification_reads'),
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
  ...until(
    'the row of imports goes',
    'import_files',
    'import_chunks',
    'import_rows',
    'import_sales',
  ),
  ...forEver('imports', 'imported_records'),
  ...until('the row of customers goes', 'customer_aliases', 'customer_bindings'),
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
]);
