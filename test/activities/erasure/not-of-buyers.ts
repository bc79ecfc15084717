/**
 * What the erasure of a buyer takes or overwrites: columns that can hold a text, each in one of the files of
 * activities/erasure/customers.
 */
export const ofBuyers: Readonly<Record<string, readonly string[]>> = {
  conversions: ['customer_id', 'metadata', 'prospect_hash'],
  customer_aliases: ['alias'],
  customer_bindings: ['attribution', 'reason'],
  customers: ['customer_id', 'reason'],
  events: ['object'],
  idempotency_keys: ['answer'],
  import_chunks: ['address_hashes', 'sealed'],
  import_rows: ['customer_key', 'fields', 'their_key'],
  stripe_events: ['body', 'object_id'],
  stripe_objects: ['fact'],
  stripe_payments: ['customer_id', 'sale', 'verdict'],
  webhook_deliveries: ['response_body'],
};

/**
 * Columns that can hold a text and hold nothing personal of a buyer: codes, words of the service or of the merchant, ids
 * of other services, hashes, and what is of members and partners. A new column belongs here or into `ofBuyers`.
 */
export const notOfBuyers: Readonly<Record<string, readonly string[]>> = {
  // Names members and partners.
  account_addresses: ['ip_hash', 'side'],
  analytics_facts: ['measure', 'mode', 'promo_code'],
  analytics_rollups: ['measure', 'mode', 'promo_code'],
  analytics_totals: ['measure', 'mode'],
  api_keys: ['key_hash', 'kind', 'last4', 'mode', 'name', 'prefix', 'public_key', 'role'],
  // Ids, codes and numbers.
  attribution_decisions: ['facts', 'mode', 'trace'],
  // Ids and codes; the request id is whatever name the caller gave a request.
  audit_log: [
    'action',
    'actor_type',
    'details',
    'operator',
    'reason_code',
    'request_id',
    'target_id',
    'target_type',
  ],
  biller_codes: ['biller', 'code', 'discount', 'external_id', 'message', 'mode', 'status'],
  biller_discounts: ['code', 'discount_id', 'texts'],
  click_origins: ['mode', 'origin'],
  // Hashes and an agent of a visitor, whoever they are: kept for CLICK_RETENTION_MONTHS, and no id of a buyer leads there but the click of a sale.
  clicks: ['ip_hash', 'mode', 'referrer', 'url', 'user_agent'],
  closed_ledger_sums: ['currency', 'mode', 'type'],
  commission_count_deltas: ['currency', 'mode', 'status'],
  commission_day_counts: ['currency', 'mode', 'status'],
  // What a member wrote of a partner.
  commission_history: ['actor_type', 'from_status', 'mode', 'reason', 'to_status', 'trigger'],
  commissions: [
    'adjustment_kind',
    'adjustment_reason',
    'commission_type',
    'currency',
    'decided_by_type',
    'external_transaction_id',
    'mode',
    'override_reason',
    'rejection_reason',
    'review_reasons',
    'status',
    'status_before_refund',
    'terms',
  ],
  // Ids of payments, which stay: the books' own.
  conversion_aliases: ['alias', 'mode'],
  // The merchant's own words: docs/erasure.md tells not to name persons there.
  conversion_refunds: ['external_refund_id', 'mode', 'reason'],
  conversion_settlements: ['mode'],
  conversions: [
    'click_id',
    'credited_as',
    'currency',
    'event_type',
    'explanation',
    'external_transaction_id',
    'items',
    'matched_by',
    'mode',
    'promo_code',
    'reason',
    'source',
  ],
  customer_aliases: ['mode'],
  customer_bindings: ['mode', 'source'],
  // How a sign-up was credited: ids and codes of partners. Amounts of first payments.
  customers: ['attribution', 'first_payments', 'mode', 'source'],
  earned_bonuses: ['metric', 'mode'],
  email_provider_events: ['message_id', 'type'],
  // Names members and partners.
  email_tokens: ['email', 'purpose', 'side'],
  erased_records: ['kind'],
  // Names members and partners.
  erasure_identities: ['sealed'],
  erasure_receipts: ['changes', 'kind', 'mode', 'open_balances'],
  erasures: ['kind', 'requested_by_type', 'status'],
  events: ['cause', 'mode', 'request_id', 'type'],
  figures: ['reader', 'samples'],
  former_terms: ['mode', 'terms'],
  former_statuses: ['mode', 'status'],
  // What a member wrote of a partner.
  fraud_flags: ['action', 'mode', 'note', 'rule', 'state', 'value'],
  group_memberships: ['actor_type', 'mode', 'reason', 'source'],
  // A path may name an id of a customer, for a day.
  idempotency_keys: ['body_hash', 'key', 'mode', 'path'],
  import_files: ['header', 'kind', 'mode'],
  // Rows of partners beside those of buyers, which go with the import.
  import_rows: [
    'address_hash',
    'currency',
    'file',
    'group_name',
    'kind',
    'message',
    'mode',
    'outcome',
    'partner_key',
    'problem',
    'sealed',
    'shown_id',
    'side_message',
    'side_problem',
    'told',
    'warnings',
  ],
  import_sales: ['mode', 'sale_id'],
  // Ids that are addresses are kept as a keyed hash.
  imported_records: ['kind', 'mode', 'name', 'source', 'their_key', 'told'],
  imports: [
    'announced',
    'credentials_encrypted',
    'currency',
    'error',
    'group_by',
    'mapping',
    'message',
    'mode',
    'name',
    'only_campaigns',
    'place',
    'progress',
    'report',
    'source',
    'status',
    'statuses',
  ],
  ledger_entries: ['currency', 'mode', 'type'],
  // Names members and partners.
  login_failures: ['email_key', 'ip_hash'],
  // Names members and partners.
  mail_counts: ['counter'],
  // Names members and partners.
  mail_digests: ['type'],
  // Names members and partners.
  mails: ['mode', 'params', 'recipient', 'side', 'status', 'subject', 'type'],
  // Names members and partners.
  member_invites: ['email', 'role'],
  // Names members and partners.
  merchant_accounts: ['email', 'name', 'password_hash', 'role'],
  // Names members and partners.
  notification_preferences: ['category', 'side'],
  notification_read_marks: ['category', 'mode'],
  notification_totals: ['category', 'mode'],
  notification_unread: ['category', 'mode'],
  // Names members and partners.
  notifications: ['audience', 'body', 'category', 'data', 'mode', 'side', 'title', 'type'],
  outbox: ['error_code', 'payload', 'request_id', 'topic'],
  outbox_dead: ['error_code', 'payload', 'request_id', 'topic'],
  // Names members and partners.
  participants: [
    'bound_email',
    'earlier',
    'erased_address_hash',
    'message',
    'mode',
    'partner_email',
    'partner_name',
    'payout_method_encrypted',
    'payout_method_label',
    'payout_method_type',
    'referral_code',
    'status',
    'status_reason',
  ],
  // Names members and partners.
  partner_accounts: [
    'email',
    'held_email',
    'name',
    'password_hash',
    'payout_method_encrypted',
    'payout_method_label',
    'payout_method_type',
    'vat_id_encrypted',
  ],
  // Names members and partners.
  partner_invites: ['email', 'mode', 'name', 'status'],
  // Names members and partners.
  payout_batch_items: ['address_hash', 'outcome', 'transaction_id', 'word'],
  // Names members and partners.
  payout_batches: [
    'attention_reason',
    'candidate_id',
    'client_id',
    'currency',
    'last_answer',
    'mode',
    'provider',
    'provider_batch_id',
    'provider_status',
    'request',
    'sender_batch_id',
    'status',
  ],
  // Names members and partners.
  payout_connections: ['client_id', 'client_secret', 'last_error', 'mode', 'provider'],
  // Names members and partners.
  payout_items: [
    'attention_reason',
    'checked',
    'currency',
    'fee_currency',
    'method_encrypted',
    'method_label',
    'method_type',
    'mode',
    'provider',
    'provider_item_id',
    'provider_status',
    'reason',
    'reference',
    'reports',
    'status',
    'transaction_id',
  ],
  payouts: ['mode', 'reference', 'status'],
  program_bonuses: ['bonuses', 'mode'],
  program_fraud_rules: ['mode', 'rules'],
  program_groups: ['approval_mode', 'commission', 'description', 'mode', 'name', 'name_key'],
  program_tiers: ['metric', 'mode', 'steps'],
  programs: [
    'accepted_currencies',
    'approval_mode',
    'banned_sources',
    'basis',
    'commission_type',
    'currency',
    'description',
    'mode',
    'name',
    'rules',
    'sales_from',
    'status',
    'website_url',
  ],
  // Names members and partners.
  promo_codes: ['code', 'discount', 'mode'],
  reached_steps: ['mode'],
  // Names members and partners.
  referral_tokens: ['imported_key', 'kind', 'mode', 'token', 'token_key'],
  // Names members and partners.
  refresh_tokens: ['token_hash'],
  scheduled_work: ['schedule'],
  shipments: ['name'],
  // Names members and partners.
  sealed_recipients: ['sealed'],
  // Names members and partners.
  sessions: ['side', 'user_agent'],
  stream_tickets: ['mode', 'side', 'ticket_hash'],
  stripe_connections: [
    'biller',
    'catch_up_after',
    'invoice_payments',
    'key_fingerprint',
    'last_error',
    'mode',
    'registered_endpoint_id',
    'restricted_key',
    'webhook_secret',
  ],
  stripe_events: ['api_version', 'biller', 'error', 'mode', 'status', 'stripe_event_id', 'type'],
  stripe_objects: ['mode', 'object_id'],
  stripe_payments: ['biller', 'mode', 'subscription_id'],
  // A keyed hash, so that an address that bounced is not written to again.
  suppressed_addresses: ['email_hash', 'reason'],
  test_data_reset_targets: ['kind'],
  test_data_resets: ['deleted', 'scope', 'status'],
  // Names members and partners.
  tracking_links: ['mode', 'name', 'target_url', 'token'],
  // A ref of a link, which is a partner's.
  tracking_states: ['mode', 'unknown_ref'],
  // Names members and partners.
  two_factors: ['recovery_hashes', 'secret_encrypted', 'side'],
  // Another purpose, for a year only.
  waitlist_signups: ['email'],
  // Our own words for what went wrong.
  webhook_attempts: ['error_message'],
  webhook_deliveries: ['error_message', 'event_type', 'mode', 'status'],
  webhook_endpoints: [
    'description',
    'disabled_reason',
    'events',
    'last_error',
    'mode',
    'previous_secret_encrypted',
    'secret_encrypted',
    'subscribed_since',
    'url',
  ],
  webhook_requeues: ['mode'],
  workspaces: ['name', 'payout_approval', 'payout_daily_limits', 'test_email_redirect'],
};
