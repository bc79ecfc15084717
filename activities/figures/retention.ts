import { msOverdue, type Keeping } from '../../entities/rules/retention/partition-times';
import { deleteRules, keptSince, partitionRules } from '../../entities/rules/retention/retention';
import type { DeleteRule, PartitionRule } from '../../entities/rules/retention/retention';
import { countFrom, query, type Db } from '../../entities/database/sql';
import type { FigureReader, FigureSpec, Sample } from './reader';

const ofTable = (name: string, help: string): FigureSpec => ({ name, help, labels: ['table'] });

const figures: readonly FigureSpec[] = [
  ofTable('retention_oldest_seconds', 'How long the oldest row of a table is past its time'),
  ofTable('partitions_ahead', 'Partitions of a table for days or months to come'),
  ofTable(
    'default_partition_rows',
    'Rows whose partition was not made in time, 1000 = at least that many',
  ),
  ofTable(
    'partitions_overdue_seconds',
    'For how long the oldest partition of a table, or day of its default, should be gone',
  ),
];

/** What is kept for how long: all of it costs an index probe or two. */
export const retentionFigures: FigureReader = {
  reader: 'retention',
  figures,
  async read(db, keeping) {
    const samples: Sample[] = [];
    for (const [table, value] of await latest(db, keeping.now)) {
      samples.push({ name: 'retention_oldest_seconds', labels: { table }, value });
    }
    for (const rule of partitionRules) samples.push(...(await ofPartitions(db, rule, keeping)));
    return samples;
  },
};

/** Seconds by table; a table with several rules counts by the rule that is most overdue. */
async function latest(db: Db, now: Date): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const rule of deleteRules) {
    const before = found.get(rule.table) ?? 0;
    found.set(rule.table, Math.max(before, await secondsLate(db, rule, now)));
  }
  return found;
}

async function ofPartitions(db: Db, rule: PartitionRule, keeping: Keeping): Promise<Sample[]> {
  const { table } = rule;
  const names = await partitionsOf(db, table);
  const moments = names.map((name) => momentOf(rule, name));
  moments.push(...(await oldestStray(db, rule)));
  const values = {
    partitions_ahead: names.filter((name) => name > current(rule, keeping.now)).length,
    default_partition_rows: await rowsWithoutPartition(db, table),
    partitions_overdue_seconds: longestOverdue(rule, moments, keeping),
  };
  return Object.entries(values).map(([name, value]) => ({ name, labels: { table }, value }));
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

/** Ids lead an index, of clicks too, and are in the order of their times. */
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
