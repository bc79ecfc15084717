import { foldAnalytics } from '../../activities/analytics/fold';
import { findDrift } from '../../activities/analytics/reconcile';
import { sumBuckets } from '../../api/analytics/figures.queries';
import { bucketsOf } from '../../entities/rules/analytics/period';
import { partitionRules } from '../../entities/rules/retention/retention';
import { query, queryOne } from '../../entities/database/sql';
import { seedHistory } from '../../stack/demo/history/seed';
import { buildParticipant, buildProgram } from '../support/build/programs';
import { buildSales } from '../support/build/figures';
import { useDatabase } from '../support/data-source';

const database = useDatabase();

it('the history of the demo is a year of figures that add up, and is told to no one', async () => {
  const db = database.source.manager;
  const program = await buildProgram(db, { mode: 'test' });
  const ava = await buildParticipant(db, { program, referralCode: 'ava' });
  await buildSales(db, [{ participant: ava, at: new Date(), amountCents: 100 }]);
  const end = new Date(Date.now() - 600_000);
  const options = { programId: program.id, end, days: 365, clicks: 4_000, conversions: 400 };

  // The sums are folded meanwhile, as in a running worker.
  let isSeeded = false;
  const seeding = seedHistory(db, options).finally(() => (isSeeded = true));
  while (!isSeeded) await foldAnalytics(db);
  expect(await seeding).toBe(true);
  expect(await seedHistory(db, options)).toBe(false);

  const wrong = await query(
    db,
    `SELECT c.id FROM commissions AS c
       LEFT JOIN (SELECT commission_id, sum(amount_cents) AS cents FROM ledger_entries GROUP BY 1)
         AS l ON l.commission_id = c.id
      WHERE l.cents IS DISTINCT FROM c.owed_cents
         OR (c.status IN ('pending', 'approved') AND c.owed_cents <> c.amount_cents)`,
  );
  expect(wrong).toEqual([]);
  // A hold may end in the minutes since then.
  const due = await query(db, 'SELECT topic FROM outbox WHERE available_at < $1', [end]);
  expect(due).toEqual([]);
  const lost = await query(
    db,
    `SELECT id FROM commissions AS c WHERE status = 'pending' AND NOT EXISTS
       (SELECT 1 FROM outbox WHERE topic = 'commission' AND ref = c.id)`,
  );
  expect(lost).toEqual([]);
  // Rows there are an alarm, for as long as the table lives.
  for (const { table } of partitionRules) {
    const [stray] = await query(db, `SELECT * FROM ${table}_default LIMIT 1`);
    expect([table, stray]).toEqual([table, undefined]);
  }

  const statuses = await query<{ status: string }>(db, 'SELECT DISTINCT status FROM commissions');
  expect(statuses.map(({ status }) => status).sort()).toEqual([
    'approved',
    'pending',
    'refunded',
    'rejected',
  ]);
  const counted = await queryOne<Record<string, number>>(
    db,
    `SELECT count(DISTINCT currency) AS currencies, count(*) FILTER (WHERE attributed) AS sold,
            (SELECT count(DISTINCT rule) FROM fraud_flags) AS rules,
            (SELECT count(*) FROM clicks) AS clicks FROM conversions`,
  );
  expect(counted?.['currencies']).toBe(3);
  expect(counted?.['rules']).toBeGreaterThan(0);
  expect(counted?.['clicks']).toBeGreaterThan(3_900);

  const hers = await queryOne<{ months: number }>(
    db,
    `SELECT count(DISTINCT date_trunc('month', created_at)) AS months FROM commissions
      WHERE participant_id = $1`,
    [ava.id],
  );
  expect(hers?.months).toBeGreaterThan(6);

  const iso = (days: number): string =>
    new Date(end.getTime() + days * 86_400_000).toISOString().slice(0, 10);
  const { spans } = bucketsOf({ from: iso(-365), to: iso(1), tz: 'UTC' }, 'day');
  const scope = { workspaceId: program.workspaceId, mode: program.mode };
  const selection = { scope, programIds: [program.id], linkId: null, promoCode: null };
  const sums = await sumBuckets(db, selection, { buckets: spans, measures: ['conversions'] });
  expect(sums.reduce((sum, { value }) => sum + value, 0)).toBe(counted?.['sold']);
  expect(sums.length).toBeGreaterThan(150);
  const hour = new Date(Math.floor(end.getTime() / 3_600_000 - 24) * 3_600_000);
  expect(await findDrift(db, hour)).toEqual([]);
});
