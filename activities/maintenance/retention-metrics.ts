import { msOverdue, type Keeping } from '../../entities/rules/retention/partition-times';
import { deleteRules, keptSince, partitionRules } from '../../entities/rules/retention/retention';
import type { DeleteRule, PartitionRule } from '../../entities/rules/retention/retention';
import { countFrom, query, type Db } from '../../entities/database/sql';
import type { Config } from '../../runtime/process/config';
import type { Deps } from '../../runtime/process/deps';
import { gauge, refreshed } from '../../runtime/process/metrics';

/** Figures of what is kept for how long, for /metrics: all of them cost an index probe or two. */
export function watchRetention({
  db,
  metrics,
  clock,
  config: { clickRetentionMonths: clickMonths },
}: Pick<Deps, 'db' | 'metrics' | 'clock'> & {
  config: Pick<Config, 'clickRetentionMonths'>;
}): void {
  const label = ['table'];
  const late = gauge(metrics, {
    name: 'retention_oldest_seconds',
    help: 'How long the oldest row of a table is past its time',
    labels: label,
  });
  const ahead = gauge(metrics, {
    name: 'partitions_ahead',
    help: 'Partitions of a table for days or months to come',
    labels: label,
  });
  const strays = gauge(metrics, {
    name: 'default_partition_rows',
    help: 'Rows whose partition was not made in time, 1000 = at least that many',
    labels: label,
  });
  const overdue = gauge(metrics, {
    name: 'partitions_overdue_seconds',
    help: 'For how long the oldest partition of a table, or day of its default, should be gone',
    labels: label,
  });
  const collect = refreshed(async () => {
    const now = clock.now();
    const latest = new Map<string, number>();
    for (const rule of deleteRules) {
      const before = latest.get(rule.table) ?? 0;
      latest.set(rule.table, Math.max(before, await secondsLate(db.manager, rule, now)));
    }
    for (const [table, seconds] of latest) late.set({ table }, seconds);
    for (const rule of partitionRules) {
      const { table } = rule;
      const names = await partitionsOf(db.manager, table);
      ahead.set({ table }, names.filter((name) => name > current(rule, now)).length);
      strays.set({ table }, await rowsWithoutPartition(db.manager, table));
      const moments = names.map((name) => momentOf(rule, name));
      moments.push(...(await oldestStray(db.manager, rule)));
      overdue.set({ table }, longestOverdue(rule, moments, { now, clickMonths }));
    }
  });
  for (const figure of [late, ahead, strays, overdue]) Object.assign(figure, { collect });
}

async function secondsLate(db: Db, rule: DeleteRule, now: Date): Promise<number> {
  const { table, since, also = 'true' } = rule;
  const [oldest] = await query<{ at: Date | string }>(
    db,
    `SELECT ${since} AS at FROM ${table} WHERE ${since} IS NOT NULL AND ${also}
      ORDER BY ${since} LIMIT 1`,
  );
  if (!oldest) return 0;
  const at = since === 'id' ? timeOfId(String(oldest.at)) : new Date(oldest.at).getTime();
  return Math.max(0, (keptSince(rule, now).getTime() - at) / 1_000);
}

/** The first 48 bits of a UUID v7 are its milliseconds. */
function timeOfId(id: string): number {
  return parseInt(id.replace('-', '').slice(0, 12), 16);
}

async function partitionsOf(db: Db, table: string): Promise<string[]> {
  const rows = await query<{ name: string }>(
    db,
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = $1::regclass AND c.relname ~ '\\d$'`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/** The name of the partition of now: names sort by their time. */
function current({ table, step }: PartitionRule, now: Date): string {
  const date = now.toISOString().slice(0, step === 'day' ? 10 : 7);
  return `${table}_${date.replaceAll('-', '_')}`;
}

function rowsWithoutPartition(db: Db, table: string): Promise<number> {
  return countFrom(db, `(SELECT 1 FROM ${table}_default LIMIT 1000) AS few`);
}

/** The beginning of a partition, by its name. */
function momentOf({ table }: PartitionRule, name: string): Date {
  return new Date(name.slice(table.length + 1).replaceAll('_', '-'));
}

/** Of the clicks too the ids lead an index, and are in the order of their times. */
async function oldestStray(db: Db, { table, key }: PartitionRule): Promise<Date[]> {
  const id = table === 'clicks' ? 'id' : key;
  const rows = await query<{ id: string }>(
    db,
    `SELECT ${id} AS id FROM ${table}_default ORDER BY ${id} LIMIT 1`,
  );
  return rows.map((row) => new Date(timeOfId(row.id)));
}

function longestOverdue(rule: PartitionRule, moments: readonly Date[], keeping: Keeping): number {
  return Math.max(0, ...moments.map((moment) => msOverdue(rule, moment, keeping) / 1_000));
}
