import { execute, query, queryOne, type Db } from '../entities/database/sql';
import {
  seedCommissions,
  seedConversionsOf,
  seedProgram,
  seedWorkspace,
  withoutTimeouts,
  type CommissionWorld,
} from './support/commission-world';
import { runBench, type Stage } from './support/stage';
import { quantile, round } from './support/table';

/**
 * How commissions, conversions and their unique names grow: bytes of a row and of its index entries, pages that one look-up reads, a vacuum.
 * In tenths, so that what grows with the number is seen; what a hundred million would be is computed from the last one.
 * It adds no tenth once it is nine minutes old: five million take some 12 GB of /tmp.
 *
 *   node bench/run.mjs scale [commissions]
 */
const count = Number(process.argv[2] ?? 5_000_000);
const steps = 10;
const addsUntilMs = 9 * 60_000;
const aim = 100_000_000;

interface Step {
  rows: number;
  seconds: number;
  logBytes: number;
  knownPages: number;
  knownMs: number;
  listPages: number;
  listMs: number;
}

async function main({ databaseUrl }: Stage): Promise<void> {
  await withoutTimeouts(databaseUrl, async (db) => {
    const startedAt = performance.now();
    const workspaceId = await seedWorkspace(db);
    const worlds: CommissionWorld[] = [];
    const seen: Step[] = [];
    while (worlds.length < steps && performance.now() - startedAt < addsUntilMs) {
      worlds.push(await seedProgram(db, workspaceId, 200));
      seen.push(await measureStep(db, worlds));
    }
    printSteps(seen);
    await printSizes(db, worlds.length * (count / steps));
    await printVacuum(db, worlds.length * (count / steps));
  });
}

async function measureStep(db: Db, worlds: readonly CommissionWorld[]): Promise<Step> {
  const world = worlds.at(-1);
  if (!world) throw new Error('no programme was made');
  const [from, began] = [await logPlace(db), performance.now()];
  await seedCommissions(db, world, { count: count / steps });
  await seedConversionsOf(db, world);
  await execute(db, seedNames, [world.programId]);
  await db.query('VACUUM (ANALYZE) conversion_aliases');
  const seconds = (performance.now() - began) / 1_000;
  const logBytes = ((await logPlace(db)) - from) / (count / steps);
  const known = await lookUps(db, worlds);
  const list = await explained(db, newestOf, [world.programId]);
  return {
    rows: worlds.length * (count / steps),
    ...{ seconds, logBytes },
    knownPages: quantile(
      known.map(({ pages }) => pages),
      0.5,
    ),
    knownMs: quantile(
      known.map(({ ms }) => ms),
      0.5,
    ),
    ...{ listPages: list.pages, listMs: list.ms },
  };
}

async function logPlace(db: Db): Promise<number> {
  const row = await queryOne<{ bytes: number }>(
    db,
    `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS bytes`,
  );
  return row?.bytes ?? 0;
}

/** The unique fact of a sale: what its merchant calls it. */
const seedNames = `
  INSERT INTO conversion_aliases (workspace_id, mode, alias, conversion_id)
  SELECT workspace_id, mode, 'order_' || md5(id::text), id FROM conversions WHERE program_id = $1`;
const byName = `
  SELECT conversion_id FROM conversion_aliases
   WHERE workspace_id = $1 AND mode = 'live' AND alias = $2`;
const newestOf = `
  SELECT * FROM commissions WHERE program_id = $1 ORDER BY id DESC LIMIT 20`;

/** Fifty reports of a sale that is there, of any age. */
async function lookUps(db: Db, worlds: readonly CommissionWorld[]): Promise<Explained[]> {
  const looks: Explained[] = [];
  for (let n = 0; n < 50; n += 1) {
    const world = worlds[n % worlds.length];
    const [row] = await query<{ id: string }>(
      db,
      `SELECT 'order_' || md5(conversion_id::text) AS id FROM commissions WHERE program_id = $1
        ORDER BY id OFFSET $2 LIMIT 1`,
      [world?.programId, n * 7],
    );
    looks.push(await explained(db, byName, [world?.workspaceId, row?.id]));
  }
  return looks;
}

interface Explained {
  pages: number;
  ms: number;
}

interface Plan {
  Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };
  'Execution Time': number;
}

/** Pages that a statement reads, and its time in Postgres. */
async function explained(db: Db, statement: string, params: unknown[]): Promise<Explained> {
  const row = await queryOne<{ 'QUERY PLAN': [Plan] }>(
    db,
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement}`,
    params,
  );
  const [plan] = row?.['QUERY PLAN'] ?? [];
  if (!plan) throw new Error('Postgres explained nothing');
  const { 'Shared Hit Blocks': hit, 'Shared Read Blocks': read } = plan.Plan;
  return { pages: hit + read, ms: plan['Execution Time'] };
}

function printSteps(seen: readonly Step[]): void {
  console.table(
    seen.map((step) => ({
      rows: step.rows,
      'seconds a tenth': round(step.seconds),
      'log, kB a sale': round(step.logBytes / 1_000),
      'known sale, pages': step.knownPages,
      'known sale, ms': round(step.knownMs),
      'newest twenty, pages': step.listPages,
      'newest twenty, ms': round(step.listMs),
    })),
  );
}

/** Prints sizes of the three tables and each of their indexes: now, a row, and at the aim. Partial indexes by their share of rows. */
async function printSizes(db: Db, rows: number): Promise<void> {
  const sizes = await query<{
    name: string;
    isIndex: boolean;
    bytes: number;
    pages: number;
    entries: number;
  }>(
    db,
    `SELECT c.relname AS name, c.relkind = 'i' AS "isIndex", pg_relation_size(c.oid)::float8 AS bytes, c.relpages AS pages,
            c.reltuples::float8 AS entries
       FROM pg_class AS c
      WHERE c.oid = ANY ($1::regclass[])
         OR c.oid IN (SELECT indexrelid FROM pg_index
                       WHERE indrelid = ANY ($1::regclass[]))
      ORDER BY c.relkind DESC, bytes DESC`,
    [['commissions', 'conversions', 'conversion_aliases']],
  );
  const factor = aim / rows;
  console.table(
    sizes.map(({ name, isIndex, bytes, pages, entries }) => ({
      name,
      MB: round(bytes / 1e6),
      'bytes an entry': entries > 0 ? round(bytes / entries) : 0,
      'levels now': isIndex ? levelsOf(pages, entries) : 0,
      'GB at 100 M, computed': round((bytes * factor) / 1e9),
      'levels at 100 M, computed': isIndex ? levelsOf(pages * factor, entries * factor) : 0,
    })),
  );
  const whole = sizes.reduce((sum, { bytes }) => sum + bytes, 0) * factor;
  console.log(`At 100 M, computed: ${round(whole / 1e9)} GB in all; a base backup of it`);
  console.log(`at 100 MB/s ${round(whole / 1e8 / 3_600)} h.`);
}

/** Levels of a B-tree whose inner pages lead to as many pages as its leaves hold entries. */
function levelsOf(pages: number, entries: number): number {
  const fan = entries / pages;
  return fan > 1 ? 1 + Math.ceil(Math.log(Math.max(pages, 1)) / Math.log(fan)) : 1;
}

/** A vacuum after one row of a hundred was changed reads every index: linear in rows. */
async function printVacuum(db: Db, rows: number): Promise<void> {
  await db.query(`UPDATE commissions SET updated_at = now(), status = status
    WHERE id IN (SELECT id FROM commissions TABLESAMPLE SYSTEM (1))`);
  const began = performance.now();
  await db.query('VACUUM (INDEX_CLEANUP ON) commissions');
  const seconds = (performance.now() - began) / 1_000;
  console.log(`Vacuum of commissions: ${round(seconds)} s;`);
  console.log(`at 100 M, computed: ${round((seconds * aim) / rows / 60)} minutes.`);
}

runBench(main);
