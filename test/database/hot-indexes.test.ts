import { useDatabase } from '../support/data-source';

const id = `'0199f5a0-0000-7000-8000-000000000001'`;
const own = `workspace_id = ${id} AND mode = 'live'`;
const since = `timestamptz '2026-03-01'`;

/**
 * Each index of the tables that clicks, conversions and decisions write, with a query that needs
 * it, cut down to what the index is for. An index costs every write: one without a query goes.
 */
const reasons: Record<string, string> = {
  // The facts of a conversion count clicks from its address.
  ix_clicks_participant: `SELECT ip_hash FROM clicks WHERE participant_id = ${id} AND created_at > ${since}`,
  // The fold of analytics takes the transactions since its last turn.
  ix_clicks_recorded_in: `SELECT * FROM clicks WHERE recorded_in >= 5 AND recorded_in < 9`,

  ix_conversions_scope: `SELECT * FROM conversions WHERE ${own} ORDER BY created_at DESC, id DESC LIMIT 20`,
  // The facts of a conversion: the partner's rate of refunds.
  ix_conversions_participant: `SELECT * FROM conversions WHERE participant_id = ${id} AND attributed
    ORDER BY occurred_at DESC LIMIT 100`,
  ix_conversions_refunded: `SELECT 1 FROM conversions WHERE participant_id = ${id} AND attributed
    AND refunded_amount_cents > 0 AND occurred_at > ${since}`,
  // The same: the customer, and the address, of another partner's conversion.
  ix_conversions_customer: `SELECT 1 FROM conversions WHERE program_id = ${id} AND attributed
    AND customer_id <> '' AND customer_id = 'cus_1'`,
  ix_conversions_prospect: `SELECT 1 FROM conversions WHERE program_id = ${id} AND attributed
    AND prospect_hash = 'hash'`,
  // An erasure of a buyer, with the two before it.
  ix_conversions_buyer: `SELECT id FROM conversions WHERE workspace_id = ${id} AND NOT attributed
    AND customer_id <> '' AND customer_id = 'cus_1'`,
  ix_conversions_buyer_address: `SELECT id FROM conversions WHERE workspace_id = ${id} AND NOT attributed
    AND prospect_hash = 'hash'`,
  // Filters of the list of conversions.
  ix_conversions_click: `SELECT * FROM conversions WHERE ${own}
    AND lower(left(click_id, 64)) = lower(left('click', 64)) AND click_id IS NOT NULL`,
  ix_conversions_promo_code: `SELECT * FROM conversions WHERE ${own}
    AND left(upper(promo_code), 64) = left(upper('code'), 64) AND promo_code IS NOT NULL`,
  // The search of commissions.
  ix_conversions_transaction: `SELECT id FROM conversions WHERE external_transaction_id ILIKE '%order-17%'`,
  // Analytics look for conversions of a back-dated day.
  ix_conversions_occurred: `SELECT * FROM conversions WHERE occurred_at >= ${since} AND occurred_at < ${since} + interval '1 day'`,

  // The list of commissions, in its orders and filters.
  ix_commissions_program: `SELECT * FROM commissions WHERE program_id = ${id} ORDER BY id DESC LIMIT 20`,
  ix_commissions_status: `SELECT * FROM commissions WHERE program_id = ${id} AND status = 'paid' ORDER BY id DESC LIMIT 20`,
  ix_commissions_review: `SELECT * FROM commissions WHERE program_id = ${id} ORDER BY needs_review, id LIMIT 20`,
  // The sweep finds flags that outlived their suspension.
  ix_commissions_suspended: `SELECT * FROM commissions WHERE participant_id = ${id} AND status = 'pending'
    AND 'PARTNER_SUSPENDED' = ANY (review_reasons)`,
  ix_commissions_type: `SELECT * FROM commissions WHERE program_id = ${id} ORDER BY commission_type, id LIMIT 20`,
  ix_commissions_amount: `SELECT * FROM commissions WHERE program_id = ${id} ORDER BY amount_cents, id LIMIT 20`,
  ix_commissions_participant: `SELECT * FROM commissions WHERE participant_id = ${id} ORDER BY id DESC LIMIT 20`,
  // Repairs go through all that is pending, and look for holds that have ended.
  ix_commissions_pending: `SELECT id FROM commissions WHERE status = 'pending' AND id > ${id} ORDER BY id LIMIT 500`,
  ix_commissions_due: `SELECT id FROM commissions WHERE status = 'pending' AND NOT hold_elapsed AND hold_until < ${since}
    ORDER BY hold_until LIMIT 500`,
  // A payout that is undone, and what the next one nets.
  ix_commissions_payout: `SELECT id FROM commissions WHERE payout_id = ${id}`,
  ix_commissions_netted: `SELECT id FROM commissions WHERE program_id = ${id} AND participant_id = ${id}
    AND owed_cents <> reserved_cents AND (status IN ('paid', 'refunded', 'rejected') OR payout_id IS NOT NULL
      OR amount_cents < 0 OR adjustment_kind = 'write_off')`,

  // The ledger as a list, and a partner's part of a statement.
  ix_ledger_scope: `SELECT * FROM ledger_entries WHERE ${own} ORDER BY created_at DESC, id DESC LIMIT 20`,
  ix_ledger_participant: `SELECT * FROM ledger_entries WHERE participant_id = ${id} AND created_at < ${since}`,

  // The nightly check of what was booked since the last one.
  ix_ledger_created: `SELECT * FROM ledger_entries WHERE (created_at, id) > (${since}, ${id})
    ORDER BY created_at, id LIMIT 20`,

  // An erasure finds what events say of a participant.
  ix_events_participant: `SELECT id FROM events WHERE object_id = ${id} AND type LIKE 'participant.%'`,
  ix_events_scope: `SELECT * FROM events WHERE ${own} ORDER BY occurred_at DESC, id DESC LIMIT 20`,

  // The relay takes what is due, and a fair share of each workspace's work.
  ix_outbox_due: `SELECT * FROM outbox WHERE topic = 'mail' AND available_at BETWEEN ${since} AND now()
    ORDER BY available_at, id LIMIT 20`,
  ix_outbox_workspace_due: `SELECT * FROM outbox WHERE topic = 'mail' AND workspace_id = ${id}
    AND available_at BETWEEN ${since} AND now() ORDER BY available_at, id LIMIT 20`,

  ix_webhook_endpoints_scope: `SELECT * FROM webhook_endpoints WHERE ${own} AND deleted_at IS NULL
    ORDER BY created_at DESC, id DESC LIMIT 20`,
  ix_webhook_endpoints_failing: `SELECT id FROM webhook_endpoints WHERE failures_in_row > 0 ORDER BY id`,
  // Endpoints whose retries rest have no clock that works either.
  ix_webhook_endpoints_paused: `SELECT id FROM webhook_endpoints WHERE retries_paused_at IS NOT NULL`,
  ix_webhook_endpoints_retries: `SELECT id FROM webhook_endpoints WHERE retries_wake_at < ${since}`,
  ix_webhook_endpoints_deleted: `SELECT id FROM webhook_endpoints WHERE deleted_at < ${since}`,
  ix_webhook_deliveries_replays: `SELECT 1 FROM webhook_deliveries WHERE event_id = ${id} AND replay_of IS NOT NULL`,
  ix_webhook_endpoints_probes: `SELECT id FROM webhook_endpoints WHERE probe_id IS NOT NULL`,
  ix_webhook_deliveries_due: `SELECT * FROM webhook_deliveries WHERE status IN ('pending', 'retrying')
    AND endpoint_id = ${id} AND next_attempt_at <= ${since} ORDER BY next_attempt_at, id LIMIT 20`,
  ix_webhook_deliveries_dead: `SELECT id FROM webhook_deliveries WHERE endpoint_id = ${id} AND status = 'dead_letter'
    ORDER BY created_at LIMIT 20`,
  ix_webhook_deliveries_list: `SELECT * FROM webhook_deliveries WHERE endpoint_id = ${id}
    ORDER BY created_at DESC, id DESC LIMIT 20`,
};

const hotTables = [
  'clicks',
  'conversions',
  'commissions',
  'events',
  'outbox',
  'ledger_entries',
  'commission_history',
  'attribution_decisions',
  'conversion_aliases',
  'webhook_endpoints',
  'webhook_deliveries',
  'webhook_attempts',
];

const database = useDatabase(1);
let present: string[];
/** Index of a partition -> that of its table. */
let parents: Map<string, string>;

beforeAll(async () => {
  const { source } = database;
  const indexes: { name: string }[] = await source.query(
    `SELECT i.relname AS name FROM pg_index x
       JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
      WHERE t.relnamespace = 'public'::regnamespace AND t.relname = ANY($1) AND NOT x.indisunique`,
    [hotTables],
  );
  present = indexes.map(({ name }) => name);
  const partitions: { child: string; parent: string }[] = await source.query(
    `SELECT child.relname AS child, parent.relname AS parent FROM pg_inherits h
       JOIN pg_class child ON child.oid = h.inhrelid JOIN pg_class parent ON parent.oid = h.inhparent
      WHERE parent.relkind = 'I'`,
  );
  parents = new Map(partitions.map(({ child, parent }) => [child, parent]));
  // The planner would read tables without rows whole.
  await source.query('SET enable_seqscan = off; SET enable_sort = off');
});

test('every index of a hot table has a reason, and every reason an index', () => {
  expect([...present].sort()).toEqual(Object.keys(reasons).sort());
});

test.each(Object.entries(reasons))('%s is what its query uses', async (index, sql) => {
  const plan: { 'QUERY PLAN': string }[] = await database.source.query(`EXPLAIN ${sql}`);
  const used = plan.flatMap(
    (line) => /(?:using|Scan on) (\w+)/.exec(line['QUERY PLAN'])?.[1] ?? [],
  );
  expect(used.map((name) => parents.get(name) ?? name)).toContain(index);
});
