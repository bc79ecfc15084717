/**
 * Columns that can hold a text and hold nothing personal of a partner: codes, words of the service or of
 * the merchant, ids of other services, hashes. A new column belongs here or into `copies`.
 */
export const notOfPartners: Readonly<Record<string, readonly string[]>> = {
  analytics_facts: ['measure', 'mode', 'promo_code'],
  analytics_rollups: ['measure', 'mode', 'promo_code'],
  analytics_totals: ['measure', 'mode'],
  api_keys: ['key_hash', 'kind', 'last4', 'mode', 'name', 'prefix', 'public_key', 'role'],
  // Ids, codes and numbers.
  attribution_decisions: ['facts', 'mode', 'trace'],
  // Ids and codes; the request id is whatever name the caller gave a request, the operator is one of
  // the service's own people.
  audit_log: [
    'action',
    'actor_type',
    // Ids and words of ours: from whom to whom, which limits.
    'details',
    'operator',
    'reason_code',
    'request_id',
    'target_id',
    'target_type',
  ],
  // Pages of the merchant, as `scheme://host`.
  click_origins: ['mode', 'origin'],
  clicks: ['mode'],
  closed_ledger_sums: ['currency', 'mode', 'type'],
  commission_count_deltas: ['currency', 'mode', 'status'],
  commission_day_counts: ['currency', 'mode', 'status'],
  commission_history: ['actor_type', 'from_status', 'mode', 'to_status', 'trigger'],
  commissions: [
    'adjustment_kind',
    'commission_type',
    'currency',
    'decided_by_type',
    'external_transaction_id',
    'mode',
    'review_reasons',
    'status',
    'status_before_refund',
    'terms',
  ],
  conversion_aliases: ['alias', 'mode'],
  // What the merchant wrote of a refund to a buyer.
  conversion_refunds: ['external_refund_id', 'mode', 'reason'],
  conversion_settlements: ['mode'],
  // The merchant's books: promo codes stay in them as they were reported.
  conversions: [
    'click_id',
    'credited_as',
    'currency',
    'customer_id',
    'event_type',
    'explanation',
    'external_transaction_id',
    'items',
    'matched_by',
    'metadata',
    'mode',
    'promo_code',
    'prospect_hash',
    'reason',
    'source',
  ],
  // The merchant's words for their buyers; what erases a buyer takes them.
  customer_aliases: ['alias', 'mode'],
  customer_bindings: ['mode', 'source', 'reason', 'attribution'],
  customers: ['attribution', 'customer_id', 'first_payments', 'mode', 'reason', 'source'],
  email_provider_events: ['message_id', 'type'],
  // Encrypted, and gone when the erasure is completed.
  erasure_identities: ['sealed'],
  erasure_receipts: ['changes', 'kind', 'mode', 'open_balances'],
  erased_records: ['kind'],
  erasures: ['kind', 'requested_by_type', 'status'],
  // A request id is whatever name the caller gave a request.
  events: ['cause', 'mode', 'request_id', 'type'],
  // Names of gauges and their labels.
  figures: ['reader', 'samples'],
  // What a programme offered once, in the merchant's own words.
  former_terms: ['mode', 'terms'],
  former_statuses: ['mode', 'status'],
  fraud_flags: ['action', 'mode', 'rule', 'state', 'value'],
  group_memberships: ['actor_type', 'mode', 'source'],
  ledger_entries: ['currency', 'mode', 'type'],
  // Keyed hashes, kept for a day.
  mail_counts: ['counter'],
  mail_digests: ['type'],
  mails: ['mode', 'side', 'status', 'type'],
  // Persons of the other side.
  member_invites: ['email', 'role'],
  // Persons of the other side.
  merchant_accounts: ['email', 'name', 'password_hash', 'role'],
  notification_read_marks: ['category', 'mode'],
  notification_totals: ['category', 'mode'],
  notification_unread: ['category', 'mode'],
  // Ids only.
  notifications: ['audience', 'category', 'data', 'mode', 'side', 'type'],
  outbox: ['error_code', 'payload', 'request_id', 'topic'],
  outbox_dead: ['error_code', 'payload', 'request_id', 'topic'],
  // A keyed hash, which is of this programme only.
  participants: ['earlier', 'erased_address_hash', 'mode', 'status'],
  partner_invites: ['mode', 'status'],
  // Hashes stand for addresses. A request is encrypted, and gone once the provider has it or the batch has
  // ended; until then the payout holds an erasure up.
  payout_batch_items: ['outcome', 'transaction_id', 'word'],
  payout_batches: [
    ...['attention_reason', 'candidate_id', 'client_id', 'currency', 'last_answer', 'mode'],
    ...['provider', 'provider_batch_id', 'provider_status', 'request', 'sender_batch_id', 'status'],
  ],
  payout_connections: ['client_id', 'client_secret', 'last_error', 'mode', 'provider'],
  // Transactions of banks and processors among them.
  payout_items: [
    'attention_reason',
    'checked',
    'currency',
    'fee_currency',
    'method_type',
    'mode',
    'provider',
    'provider_status',
    'reference',
    'reports',
    'status',
    'transaction_id',
  ],
  payouts: ['mode', 'reference', 'status'],
  program_fraud_rules: ['mode', 'rules'],
  // The merchant's own words.
  program_bonuses: ['bonuses', 'mode'],
  program_tiers: ['metric', 'mode', 'steps'],
  program_groups: ['approval_mode', 'commission', 'description', 'mode', 'name', 'name_key'],
  // The merchant's own words.
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
  // A code stays taken, and conversions name it.
  promo_codes: ['code', 'discount', 'mode'],
  biller_codes: ['biller', 'code', 'discount', 'external_id', 'message', 'mode', 'status'],
  reached_steps: ['mode'],
  earned_bonuses: ['metric', 'mode'],
  referral_tokens: ['kind', 'mode'],
  // Hashes of random tokens.
  refresh_tokens: ['token_hash'],
  // Encrypted, and gone when the confirmation is finished.
  sealed_recipients: ['sealed'],
  scheduled_work: ['schedule'],
  shipments: ['name'],
  sessions: ['side'],
  stream_tickets: ['mode', 'side', 'ticket_hash'],
  // Codes as their partners have them, by the biller's ids.
  biller_discounts: ['code', 'discount_id', 'texts'],
  stripe_connections: [
    'biller',
    // The id of an event of Stripe's.
    'catch_up_after',
    'invoice_payments',
    'key_fingerprint',
    'last_error',
    'mode',
    'registered_endpoint_id',
    'restricted_key',
    'webhook_secret',
  ],
  stripe_events: [
    'api_version',
    'biller',
    'error',
    'mode',
    'object_id',
    'status',
    'stripe_event_id',
    'type',
  ],
  // Ids and amounts; codes as the conversions have them.
  stripe_objects: ['fact', 'mode', 'object_id'],
  stripe_payments: ['biller', 'customer_id', 'mode', 'sale', 'subscription_id', 'verdict'],
  // A keyed hash, so that an address that bounced is not written to again.
  suppressed_addresses: ['email_hash', 'reason'],
  test_data_reset_targets: ['kind'],
  test_data_resets: ['deleted', 'scope', 'status'],
  tracking_links: ['mode'],
  // A ref that is nobody's: one that an erased partner had is not noted.
  tracking_states: ['mode', 'unknown_ref'],
  // Sign-ups were given to others for another purpose, and are kept for a year only.
  waitlist_signups: ['email'],
  webhook_attempts: ['error_message'],
  // Our own words for what went wrong.
  webhook_deliveries: ['error_message', 'event_type', 'mode', 'status'],
  // The merchant's own words and addresses.
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
  // Rows of uploaded files are cleaned by eraseFromFiles, which knows the keyed hashes beside them.
  import_chunks: ['address_hashes', 'sealed'],
  import_files: ['header', 'kind', 'mode'],
  import_sales: ['mode', 'sale_id'],
  // Ids that are addresses are kept as a keyed hash.
  imported_records: ['kind', 'mode', 'name', 'source', 'their_key', 'told'],
  imports: [
    ...[
      'announced',
      'credentials_encrypted',
      'currency',
      'error',
      'group_by',
      'mapping',
      'message',
    ],
    ...[
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
  ],
};
