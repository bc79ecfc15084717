import type { Database } from '../../entities/database/database';
import { foldAnalytics } from '../../activities/analytics/fold';
import { foldCommissionCounts } from '../../activities/commissions/day-counts';
import { dropPartitions, ensurePartitions } from '../../activities/maintenance/partitions';
import { purgedTables, purgeTable } from '../../activities/maintenance/purges';
import { deleteRules, keptSince, partitionRules } from '../../entities/rules/retention/retention';
import { query, queryOne, type Db } from '../../entities/database/sql';
import { runBench, type Stage } from '../support/stage';
import { breakOneOfEach, expectRepaired, loseWorkflows, prepareFaults } from './faults';
import { fillDay, filledTables, prepareFill } from './fill';
import { checkAll, repairAll } from './repairs';

/**
 * A year at a thousandth of the load: each day its rows, its partitions, purges, folds and repairs,
 * with the day as their time, the check of the ledger and the comparison of analytics. Fails when a repair
 * leaves what is broken for it each day, when a table is above its rule in the end, or when what is kept
 * for a time takes more disk after a year than after three months.
 *
 *   npm run year [days, default 365]
 */
const days = Number(process.argv[2] ?? 365);
const dayMs = 86_400_000;
/** Two and not thirteen, so that the year sees more than one partition of clicks go. */
const clickMonths = 2;
/** Days between two vacuums, about as often as autovacuum would come by. */
const vacuumEvery = 7;

interface Month {
  month: number;
  megabytes: number;
  slowestMs: Record<string, number>;
}

async function main(stage: Stage): Promise<void> {
  const db = stage.db.manager;
  await prepareFill(db);
  await prepareFaults(db, days);
  const start = Date.now() - days * dayMs;
  const months: Month[] = [];
  let slowestMs: Record<string, number> = {};
  for (let day = 0; day < days; day += 1) {
    const morning = new Date(start + day * dayMs);
    await timed(slowestMs, 'partitions', () => ensurePartitions(db, morning));
    for (const table of filledTables) await fillDay(db, table, morning);
    await upkeep(stage.db, new Date(start + (day + 1) * dayMs), slowestMs);
    if (day % vacuumEvery === 0) await vacuum(db);
    if ((day + 1) % 30 === 0) {
      months.push({ month: (day + 1) / 30, megabytes: await megabytes(db), slowestMs });
      report(months.at(-1));
      slowestMs = {};
    }
  }
  judge(months, await rowsAboveTheirRule(db, new Date(start + days * dayMs)));
}

/** What schedules and loops do in a day, in the order of its evening. */
async function upkeep(source: Database, now: Date, slowest: Record<string, number>): Promise<void> {
  const db = source.manager;
  await timed(slowest, 'fold of clicks', () => foldAnalytics(db));
  await timed(slowest, 'fold of counters', () => foldCommissionCounts(db));
  await breakOneOfEach(db, now);
  await loseWorkflows(db, now);
  const measured = <T>(name: string, work: () => Promise<T>): Promise<T> =>
    timed(slowest, name, work);
  expectRepaired(now, await repairAll(source, now, measured));
  await checkAll(source, now, measured);
  await timed(slowest, 'drop of partitions', () => dropPartitions(db, { now, clickMonths }));
  for (const table of purgedTables) {
    while ((await timed(slowest, 'purge batch', () => purgeTable(db, table, now))) > 0);
  }
}

async function timed<T>(
  slowest: Record<string, number>,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const started = performance.now();
  const result = await work();
  slowest[name] = Math.max(slowest[name] ?? 0, Math.round(performance.now() - started));
  return result;
}

async function vacuum(db: Db): Promise<void> {
  for (const table of purgedTables) await db.query(`VACUUM (ANALYZE) ${table}`);
}

/** The size of all that is kept for a time. */
async function megabytes(db: Db): Promise<number> {
  const kept = [
    ...purgedTables,
    ...partitionRules.filter(({ keptDays }) => keptDays !== 'for ever').map(({ table }) => table),
  ];
  const row = await queryOne<{ bytes: number }>(
    db,
    `SELECT sum(pg_total_relation_size(c.oid))::bigint AS bytes
       FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
      WHERE c.relkind = 'r' AND coalesce(i.inhparent, c.oid) = ANY ($1::text[]::regclass[]::oid[])`,
    [kept],
  );
  return Math.round((row?.bytes ?? 0) / 1_000_000);
}

async function rowsAboveTheirRule(db: Db, now: Date): Promise<string[]> {
  const above: string[] = [];
  for (const rule of deleteRules) {
    const { table, since, also = 'true' } = rule;
    const bound = since === 'id' ? 'first_id_at($1)' : '$1';
    const found = await query(
      db,
      `SELECT 1 FROM ${table} WHERE ${since} < ${bound} AND ${also} LIMIT 1`,
      [keptSince(rule, now)],
    );
    if (found.length > 0) above.push(`${table} by ${since}`);
  }
  for (const { table, key, keptDays } of partitionRules) {
    if (keptDays === 'for ever') continue;
    const kept = keptDays === 'setting' ? (clickMonths + 1) * 31 : keptDays + 1;
    const bound = key === 'created_at' ? '$1' : 'first_id_at($1)';
    const found = await query(db, `SELECT 1 FROM ${table} WHERE ${key} < ${bound} LIMIT 1`, [
      new Date(now.getTime() - kept * dayMs),
    ]);
    if (found.length > 0) above.push(`${table} by ${key}`);
  }
  const strays = await query<{ n: number }>(
    db,
    `SELECT (${partitionRules.map(({ table }) => `(SELECT count(*) FROM ${table}_default)`).join(' + ')}) AS n`,
  );
  if (Number(strays[0]?.n) > 0) above.push(`${strays[0]?.n} rows in default partitions`);
  return above;
}

function report(month: Month | undefined): void {
  if (!month) return;
  const times = Object.entries(month.slowestMs).map(([name, ms]) => `${name} ${ms} ms`);
  console.log(`month ${month.month}: ${month.megabytes} MB; slowest: ${times.join(', ')}`);
}

/** Partitions of clicks go by the month, so a month may hold one more of them than another. */
const maxGrowth = 1.1;

function judge(months: readonly Month[], above: readonly string[]): void {
  const after3 = months[2]?.megabytes;
  const last = months.at(-1)?.megabytes;
  if (above.length > 0) throw new Error(`above their rule: ${above.join(', ')}`);
  if (after3 === undefined || last === undefined) return;
  console.log(`disk, last month : third month = ${(last / after3).toFixed(2)}`);
  if (last > after3 * maxGrowth) throw new Error('what is kept for a time grows');
}

runBench(main);
