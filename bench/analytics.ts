import { sumBuckets } from '../api/analytics/figures.queries';
import { listPartners } from '../api/analytics/partners.queries';
import type { PricedSelection } from '../api/analytics/selection';
import { bucketsOf, previousSpan, spanOf, type Period } from '../entities/rules/analytics/period';
import { query, queryOne, type Db } from '../entities/database/sql';
import {
  fillClicks,
  fillConversions,
  seedAnalytics,
  type AnalyticsWorld,
} from './support/analytics-world';
import { withoutTimeouts } from './support/commission-world';
import { runBench, type Stage } from './support/stage';

/**
 * What a dashboard asks, of a year of clicks with a fifth of them in one programme: the statements
 * alone, in a zone of quarter hours, beside the same trend from the raw rows.
 *
 *   node bench/run.mjs analytics [clicks, default ten million] [conversions, default 300,000]
 */
const clicks = Number(process.argv[2] ?? 10_000_000);
const conversions = Number(process.argv[3] ?? 300_000);
const rounds = 25;
const tz = 'Asia/Kathmandu';
const dayMs = 86_400_000;

async function main(stage: Stage): Promise<void> {
  const end = new Date(Math.floor(Date.now() / dayMs) * dayMs);
  const world = await withoutTimeouts(stage.databaseUrl, (db) => fill(db, end));
  await measure(stage.db.manager, world, end);
}

async function fill(db: Db, end: Date): Promise<AnalyticsWorld> {
  const world = await seedAnalytics(db);
  const took = async (what: string, count: number, work: () => Promise<unknown>): Promise<void> => {
    const started = performance.now();
    await work();
    const seconds = (performance.now() - started) / 1_000;
    print(what, `${seconds.toFixed(1)} s`, `${Math.round(count / seconds)} /s`);
  };
  await took('clicks written', clicks, () => fillClicks(db, clicks, end));
  await took('conversions written', conversions, () => fillConversions(db, conversions, end));
  await took('all summed', clicks, () => sumAll(db));
  await query(db, 'VACUUM ANALYZE');
  const size = await queryOne<{ text: string }>(
    db,
    `SELECT pg_size_pretty(pg_total_relation_size('analytics_rollups')) || ' / ' ||
            pg_size_pretty(pg_total_relation_size('analytics_totals')) || ' / ' ||
            pg_size_pretty(sum(pg_total_relation_size(inhrelid))) AS text
       FROM pg_inherits WHERE inhparent = 'clicks'::regclass`,
  );
  print('sums of partners / of programmes / clicks', size?.text ?? '');
  return world;
}

const sums = ['analytics_rollups', 'analytics_totals'];

/** Sums everything as a rebuild does, in one go and with the indexes made afterwards, which is much quicker. */
async function sumAll(db: Db): Promise<void> {
  const indexes = await query<{ drop: string; add: string }>(
    db,
    `SELECT CASE WHEN c.oid IS NULL THEN 'DROP INDEX ' || i.indexname
                 ELSE 'ALTER TABLE ' || i.tablename || ' DROP CONSTRAINT ' || c.conname END AS drop,
            CASE WHEN c.oid IS NULL THEN i.indexdef
                 ELSE 'ALTER TABLE ' || i.tablename || ' ADD CONSTRAINT ' || c.conname || ' '
                      || pg_get_constraintdef(c.oid) END AS add
       FROM pg_indexes AS i LEFT JOIN pg_constraint AS c ON c.conname = i.indexname
      WHERE i.tablename = ANY($1)`,
    [sums],
  );
  await query(db, `SET work_mem = '128MB'`);
  await query(db, `SET maintenance_work_mem = '512MB'`);
  // What was appended is in the raw rows that are summed.
  await query(db, `TRUNCATE analytics_facts, ${sums.join(', ')}`);
  for (const { drop } of indexes) await query(db, drop);
  await query(db, `SELECT analytics_rebuild('-infinity', 'infinity')`);
  for (const { add } of indexes) await query(db, add);
}

async function measure(db: Db, world: AnalyticsWorld, end: Date): Promise<void> {
  const of = (programIds: string[]): PricedSelection => ({
    scope: { workspaceId: world.workspaceId, mode: 'live' },
    programIds,
    linkId: null,
    promoCode: null,
    currency: 'usd',
  });
  const one = of([world.programId]);
  const period = (days: number): Period => ({ from: date(end, -days), to: date(end, -1), tz });

  print('statement', 'least ms', 'median ms');
  for (const days of [30, 90, 365]) {
    const buckets = bucketsOf(period(days), 'day').spans;
    await time(`trend of ${days} days`, () =>
      sumBuckets(db, one, { buckets, measures: ['clicks'] }),
    );
    const both = [previousSpan(period(days)), spanOf(period(days))];
    await time(`metrics of ${days} days`, () =>
      sumBuckets(db, one, { buckets: both, measures: null }),
    );
    const question = { selection: one, span: spanOf(period(days)), sort: 'attributedRevenue' };
    const ranked = { ...question, sort: 'attributedRevenue', order: 'desc' } as const;
    await time(`partners of ${days} days`, () => listPartners(db, ranked, { limit: 20 }));
  }
  const year = bucketsOf(period(365), 'day').spans;
  const everything = of(world.programIds);
  await time('trend of a year, all programmes', () =>
    sumBuckets(db, everything, { buckets: year, measures: ['clicks'] }),
  );
  await time(
    'the same from raw rows, one programme',
    () => raw(db, world.programId, period(365)),
    2,
  );
}

function raw(db: Db, programId: string, { from, to }: Period): Promise<unknown> {
  return query(
    db,
    `SELECT (created_at AT TIME ZONE $4)::date AS day, count(*) FROM clicks
      WHERE program_id = $1 AND (created_at AT TIME ZONE $4)::date BETWEEN $2 AND $3 GROUP BY 1`,
    [programId, from, to, tz],
  );
}

async function time(what: string, work: () => Promise<unknown>, count = rounds): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < count; round += 1) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  print(what, (times[0] ?? 0).toFixed(1), (times[Math.floor(count / 2)] ?? 0).toFixed(1));
}

function date(end: Date, days: number): string {
  return new Date(end.getTime() + days * dayMs).toISOString().slice(0, 10);
}

function print(what: string, ...columns: string[]): void {
  process.stdout.write(`${what.padEnd(42)} ${columns.map((text) => text.padEnd(12)).join(' ')}\n`);
}

runBench(main);
