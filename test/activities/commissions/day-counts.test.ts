import { readFileSync } from 'node:fs';
import { foldCommissionCounts } from '../../../activities/commissions/day-counts';
import { decideCommission } from '../../../activities/commissions/decide';
import { createDatabase } from '../../../entities/database/database';
import { systemActor } from '../../../entities/rules/values/actor';
import type { Db } from '../../../entities/database/sql';
import { countFrom, execute, query } from '../../../entities/database/sql';
import { buildCommission } from '../../support/build/commissions';
import { buildProgram } from '../../support/build/programs';
import { holdTransaction } from '../../support/postgres/held-transaction';
import { useDatabase } from '../../support/data-source';
import { asOwner } from '../../support/database';

const runbook = readFileSync(require.resolve('../../../docs/runbook-commissions.md'), 'utf8');
const database = useDatabase();
let db: Db;

beforeAll(async () => {
  db = database.source.manager;
});

const key = 'program_id, status, needs_review, currency, day';

const counted = () =>
  query<Record<string, unknown>>(
    db,
    `SELECT ${key}, sum(commissions)::int AS n, sum(amount_cents)::int AS cents
       FROM (SELECT ${key}, commissions, amount_cents FROM commission_day_counts
             UNION ALL SELECT ${key}, commissions, amount_cents FROM commission_count_deltas) AS k
      GROUP BY ${key} HAVING sum(commissions) <> 0 ORDER BY ${key}`,
  );
const actual = () =>
  query<Record<string, unknown>>(
    db,
    `SELECT program_id, status, needs_review, currency,
            (created_at AT TIME ZONE 'UTC')::date AS day, count(*)::int AS n,
            sum(amount_cents)::int AS cents
       FROM commissions GROUP BY ${key} ORDER BY ${key}`,
  );

/** The statement of the runbook, for a programme. */
function rebuildSql(programId: string): string {
  const blocks = [...runbook.matchAll(/```sql\n(.+?)```/gs)].map(([, sql = '']) => dedent(sql));
  const block = blocks.find((sql) => sql.includes('INSERT INTO commission_day_counts'));
  if (!block) throw new Error('the runbook does not say how counters are rebuilt');
  return block.replaceAll('<programme>', programId).replaceAll('<day>', '2026-01-02');
}

const dedent = (text: string): string => text.replaceAll(/^ {2}/gm, '');

describe('the counters of commissions', () => {
  it('equal the rows before, between and after folds', async () => {
    const program = await buildProgram(db);
    const { workspaceId, mode } = program;
    const built = [
      await buildCommission(db, { program, createdAt: new Date('2026-01-01T23:59:59.999Z') }),
      await buildCommission(db, { program, createdAt: new Date('2026-01-02T00:00:00.000Z') }),
      await buildCommission(db, { program, reviewReasons: ['FRAUD_SUSPECTED'] }),
      await buildCommission(db, { program, conversionCurrency: 'eur' }),
    ];
    expect(await counted()).toEqual(await actual());
    expect(await foldCommissionCounts(db)).toBeGreaterThan(0);
    expect(await counted()).toEqual(await actual());

    for (const { id } of built.slice(0, 2)) {
      await decideCommission(
        db,
        { scope: { workspaceId, mode }, actor: systemActor, now: new Date('2030-01-01') },
        { commissionId: id, decision: 'approve', reason: null },
      );
    }
    expect(await counted()).toEqual(await actual());
    await Promise.all([foldCommissionCounts(db), foldCommissionCounts(db)]);
    expect(await counted()).toEqual(await actual());
    expect(await foldCommissionCounts(db)).toBe(0);

    await asOwner(database.url, 'DELETE FROM commissions WHERE program_id = $1', [program.id]);
    await foldCommissionCounts(db);
    expect(await query(db, 'SELECT * FROM commission_day_counts')).toEqual([]);
  });

  it('that are empty are deleted by their keys, however many others there are', async () => {
    // One session, whose reads Postgres has counted once it is asked for them.
    const alone = createDatabase({ url: database.url, poolSize: 1 });
    const read = async (): Promise<number> => {
      await query(alone.manager, 'SELECT pg_stat_force_next_flush()');
      const [row] = await query<{ rows: number }>(
        alone.manager,
        `SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) AS rows FROM pg_stat_user_tables
          WHERE relname = 'commission_day_counts'`,
      );
      return Number(row?.rows);
    };
    try {
      const { id } = await buildCommission(db);
      await foldCommissionCounts(alone.manager);
      await execute(
        db,
        `INSERT INTO commission_day_counts
           (workspace_id, mode, program_id, day, status, needs_review, currency, commissions, amount_cents)
         SELECT gen_random_uuid(), 'test', gen_random_uuid(), '2026-01-01', 'paid', false, 'eur', 1, 1
           FROM generate_series(1, 100000)`,
      );
      await asOwner(database.url, 'ANALYZE commission_day_counts');
      await asOwner(database.url, 'DELETE FROM commissions WHERE id = $1', [id]);
      const before = await read();
      await foldCommissionCounts(alone.manager);
      expect((await read()) - before).toBeLessThan(100);
      expect(await countFrom(db, 'commission_day_counts')).toBe(100_000);
    } finally {
      await alone.destroy();
    }
  });

  it('are set right by the runbook, a programme and day at a time, while sales go on', async () => {
    const program = await buildProgram(db);
    const build = (createdAt: string) =>
      buildCommission(db, { program, createdAt: new Date(createdAt) });
    for (const at of ['2026-01-02T00:00:00Z', '2026-01-02T23:59:59.999Z', '2026-01-03T00:00:00Z']) {
      await build(at);
    }
    await foldCommissionCounts(db);
    await build('2026-01-02T12:00:00Z');
    await execute(
      db,
      `UPDATE commission_day_counts SET commissions = commissions + 7
        WHERE program_id = $1 AND day = '2026-01-02'`,
      [program.id],
    );
    const ofProgram = async (rows: typeof counted) =>
      (await rows()).filter((row) => row['program_id'] === program.id);
    expect(await ofProgram(counted)).not.toEqual(await ofProgram(actual));

    // A sale that is being written, and one that comes meanwhile.
    const sale = await holdTransaction(db);
    await execute(
      sale.tx,
      'UPDATE commissions SET amount_cents = amount_cents + 1 WHERE program_id = $1',
      [program.id],
    );
    await asOwner(database.url, `SET lock_timeout = '1s'; ${rebuildSql(program.id)}`).finally(() =>
      sale.commit(),
    );
    await build('2026-01-02T13:00:00Z');
    expect(await ofProgram(counted)).toEqual(await ofProgram(actual));
    await foldCommissionCounts(db);
    expect(await ofProgram(counted)).toEqual(await ofProgram(actual));
  });
});
