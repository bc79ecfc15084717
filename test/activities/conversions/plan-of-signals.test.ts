import { signalsSql } from '../../../activities/conversions/signals-sql';
import { execute, query, transaction, type Db } from '../../../entities/database/sql';
import { buildCommission } from '../../support/build/commissions';
import { buildParticipant } from '../../support/build/programs';
import { asOwner } from '../../support/database';
import { useDatabase } from '../../support/data-source';

const types =
  'uuid[], text[], uuid[], timestamptz[], text[], uuid[], text[], text[], timestamptz, int[], text[], int[], text[]';

const database = useDatabase();
let db: Db;

beforeAll(async () => {
  db = database.source.manager;
});

/** Rows of one programme and partner that fill a table, as the planner sees it. */
async function multiply(table: string, fresh: readonly string[]): Promise<void> {
  const columns = await query<{ name: string; expression: string }>(
    db,
    `SELECT quote_ident(attname) AS name,
            CASE WHEN attname = ANY ($2::text[]) THEN 'gen_random_uuid()' ELSE quote_ident(attname) END
              AS expression
       FROM pg_attribute
      WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    [table, fresh],
  );
  const list = (key: 'name' | 'expression'): string => columns.map((one) => one[key]).join(', ');
  await execute(
    db,
    `INSERT INTO ${table} (${list('name')})
     SELECT ${list('expression')} FROM ${table}, generate_series(1, 20000)`,
  );
  await asOwner(database.url, `ANALYZE ${table}`);
}

it('reads by index for a programme that has no commissions beside one that has nearly all', async () => {
  const busy = await buildParticipant(db);
  await buildCommission(db, { participant: busy, conversionAmountCents: 5_000 });
  await multiply('commissions', ['id', 'conversion_id']);
  const { id, workspaceId } = await buildParticipant(db);

  const plan = await transaction(db, async (tx) => {
    await execute(tx, 'SET LOCAL plan_cache_mode = force_generic_plan');
    await execute(tx, `PREPARE signals (${types}) AS ${signalsSql}`);
    return query<Record<string, string>>(
      tx,
      `EXPLAIN EXECUTE signals (ARRAY['${workspaceId}']::uuid[], ARRAY['test'], ARRAY[null]::uuid[],
         ARRAY[null]::timestamptz[], ARRAY[null], ARRAY['${id}']::uuid[], ARRAY['customer'],
         ARRAY[null], now(), ARRAY[1], ARRAY['payment'], ARRAY[1], ARRAY['customer'])`,
    );
  });

  const lines = plan.map((row) => row['QUERY PLAN']).join('\n');
  expect(lines).toContain('ix_commissions_program');
  expect(lines).not.toMatch(/Seq Scan on commissions/);
});
