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
    const rows = worlds.length * (count / steps);
    printSteps(seen);
    const sizes = await sizesOf(db);
    printSizes(sizes, rows);
    const vacuumSeconds = await timeVacuum(db);
    console.log(pageTable({ rows, seen, sizes, vacuumSeconds }).join('\n'));
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

interface Size {
  name: string;
  /** Its own name, or that of the table that an index belongs to. */
  table: string;
  isIndex: boolean;
  isTree: boolean;
  bytes: number;
  pages: number;
  entries: number;
}

/** Sizes of the three tables and of each of their indexes. */
async function sizesOf(db: Db): Promise<Size[]> {
  return query<Size>(
    db,
    `SELECT c.relname AS name, coalesce(i.indrelid, c.oid)::regclass::text AS table, c.relkind = 'i' AS "isIndex",
            c.relam = (SELECT oid FROM pg_am WHERE amname = 'btree') AS "isTree",
            pg_relation_size(c.oid)::float8 AS bytes, c.relpages AS pages, c.reltuples::float8 AS entries
       FROM pg_class AS c LEFT JOIN pg_index AS i ON i.indexrelid = c.oid
      WHERE coalesce(i.indrelid, c.oid) = ANY ($1::regclass[])
      ORDER BY c.relkind DESC, bytes DESC`,
    [['commissions', 'conversions', 'conversion_aliases']],
  );
}

/** Now, a row, and at the aim. Partial indexes by their share of rows. */
function printSizes(sizes: readonly Size[], rows: number): void {
  const factor = aim / rows;
  console.table(
    sizes.map(({ name, isTree, bytes, pages, entries }) => ({
      name,
      MB: round(bytes / 1e6),
      'bytes an entry': entries > 0 ? round(bytes / entries) : 0,
      'levels now': isTree ? levelsOf(pages, entries) : 0,
      'GB at 100 M, computed': round((bytes * factor) / 1e9),
      'levels at 100 M, computed': isTree ? levelsOf(pages * factor, entries * factor) : 0,
    })),
  );
}

/** Levels of a B-tree whose inner pages lead to as many pages as its leaves hold entries. */
function levelsOf(pages: number, entries: number): number {
  const fan = entries / pages;
  return fan > 1 ? 1 + Math.ceil(Math.log(Math.max(pages, 1)) / Math.log(fan)) : 1;
}

/** A vacuum after one row of a hundred was changed reads every index: linear in rows. Its seconds. */
async function timeVacuum(db: Db): Promise<number> {
  await db.query(`UPDATE commissions SET updated_at = now(), status = status
    WHERE id IN (SELECT id FROM commissions TABLESAMPLE SYSTEM (1))`);
  const began = performance.now();
  await db.query('VACUUM (INDEX_CLEANUP ON) commissions');
  return (performance.now() - began) / 1_000;
}

interface Found {
  rows: number;
  seen: readonly Step[];
  sizes: readonly Size[];
  vacuumSeconds: number;
}

/** The table of docs/scale.md, to be put in the place of the one that stands there. */
function pageTable({ rows, seen, sizes, vacuumSeconds }: Found): string[] {
  const perRow = (some: readonly Size[]) => some.reduce((sum, { bytes }) => sum + bytes, 0) / rows;
  const bytes = (of: number) => `${Math.round(of)} bytes`;
  const atAim = (of: number) => `${Math.round((of * aim) / 1e9)} GB`;
  const of = (table: string) => perRow(sizes.filter(({ name }) => name === table));
  // Indexes over open rows alone are left out: they stay as small as what is open.
  const over = (table: string) =>
    sizes.filter((one) => one.isIndex && one.table === table && one.entries > 0.9 * rows);
  const names = perRow(sizes.filter(({ table }) => table === 'conversion_aliases'));
  const whole = of('commissions') + of('conversions') + names;
  const all = whole + perRow(over('commissions')) + perRow(over('conversions'));
  const [first, last] = [seen.at(0), seen.at(-1)];
  const deepest = sizes.filter(({ isTree }) => isTree);
  const most = (factor: number) =>
    Math.max(...deepest.map(({ pages, entries }) => levelsOf(pages * factor, entries * factor)));
  const line = (...cells: string[]) => `| ${cells.join(' | ')} |`;
  const indexes = (table: string) => [
    `${table}: indexes over all rows, ${over(table).length}`,
    bytes(perRow(over(table))),
    atAim(perRow(over(table))),
  ];
  return [
    `From \`npm run bench scale ${count}\`, ${rows.toLocaleString('en')} rows of each:`,
    '',
    line('what', 'a row', 'at 100 M, computed'),
    line('---', '---', '---'),
    line('commissions', bytes(of('commissions')), atAim(of('commissions'))),
    line(...indexes('commissions')),
    line(
      'conversions, without what a sale says of its buyer, items and reasons',
      bytes(of('conversions')),
      atAim(of('conversions')),
    ),
    line(...indexes('conversions')),
    line(
      'unique names of sales, with their indexes',
      `${bytes(names)} a name; a sale of a biller has several`,
      atAim(names),
    ),
    line(
      'all of it',
      `${round(all / 1_000)} kB`,
      `${atAim(all)}; a base backup in ${round((all * aim) / 1e8 / 3_600)} h at 100 MB/s`,
    ),
    line(
      'log of a sale and its commission',
      `${round((last?.logBytes ?? 0) / 1_000)} kB`,
      'the same',
    ),
    line(
      'a vacuum of commissions, one row of a hundred changed',
      `${round(vacuumSeconds)} s for all`,
      `${round((vacuumSeconds * aim) / rows / 60)} minutes`,
    ),
    line('levels of the deepest index', String(most(1)), String(most(aim / rows))),
    line(
      'pages of a look-up of a known sale',
      `${first?.knownPages} in the first tenth, ${last?.knownPages} in the last`,
      'one or two more',
    ),
    line(
      'pages of the newest twenty of a list',
      `${first?.listPages} in the first tenth, ${last?.listPages} in the last`,
      'one or two more',
    ),
  ];
}

runBench(main);
