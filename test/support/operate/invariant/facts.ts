import { query, type Db } from '../../../../entities/database/sql';

/** What a name counts, and how often. */
export type Facts = Record<string, Record<string, number>>;

/** What the service has brought about, by counts: ids, times and the number of attempts differ. */
const counted = {
  commissions: `status || ', owed ' || owed_cents FROM commissions`,
  ledger: `type || ' ' || amount_cents FROM ledger_entries`,
  events: 'type FROM events',
  deliveries: `event_type || ' ' || status FROM webhook_deliveries`,
  notifications: 'type FROM notifications',
  mails: `type || ' ' || status FROM mails`,
  stripeEvents: `type || ' ' || status FROM stripe_events`,
  conversions: `source || ' ' || reason FROM conversions`,
  erasures: `status FROM erasures`,
  receipts: `(completed_at IS NOT NULL)::text FROM erasure_receipts`,
  erasedAccounts: `(erased_at IS NOT NULL)::text FROM partner_accounts`,
  resets: `scope || ' ' || status FROM test_data_resets`,
  testPrograms: `mode FROM programs`,
  signups: `'all' FROM waitlist_signups`,
  wrongLedgers: `'all' FROM ledger_mismatches`,
  audit: `action FROM audit_log`,
} as const;

export async function factsOf(db: Db): Promise<Facts> {
  const facts: Facts = {};
  for (const [name, of] of Object.entries(counted)) facts[name] = await countsOf(db, of);
  return facts;
}

const waiting = {
  outbox: `topic FROM outbox WHERE attempts < 20`,
  mails: `type FROM mails WHERE status = 'queued'`,
  deliveries: `status FROM webhook_deliveries WHERE status IN ('pending', 'retrying')`,
  stripeEvents: `status FROM stripe_events WHERE status IN ('received', 'retrying')`,
  erasures: `status FROM erasures WHERE status IN ('locked', 'anonymised')`,
  addresses: `'sealed' FROM sealed_recipients`,
  replays: `'range' FROM webhook_requeues`,
  resets: `status FROM test_data_resets WHERE status IN ('queued', 'running')`,
  holds: `'overdue' FROM commissions WHERE status = 'pending' AND NOT hold_elapsed AND hold_until < now()`,
} as const;

/** What has not come to its end though it could. */
export async function waitingIn(db: Db): Promise<Facts> {
  const facts: Facts = {};
  for (const [name, of] of Object.entries(waiting)) {
    const counts = await countsOf(db, of);
    if (Object.keys(counts).length > 0) facts[name] = counts;
  }
  return facts;
}

async function countsOf(db: Db, of: string): Promise<Record<string, number>> {
  const [, shown = '', from = ''] = /^(.*) (FROM .*)$/s.exec(of) ?? [];
  const rows = await query<{ name: string; count: number }>(
    db,
    `SELECT ${shown} AS name, count(*)::int AS count ${from} GROUP BY 1 ORDER BY 1`,
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}
