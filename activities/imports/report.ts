import { query, queryOne, type Db } from '../../entities/database/sql';
import { importKinds, type ImportKind } from '../../entities/rules/imports/kinds';
import {
  sampleSize,
  type ImportMoney,
  type ImportReport,
  type KindCounts,
  type SampleRow,
} from '../../entities/rules/imports/report';
import type { Import } from '../../entities/tables/imports/import.entity';
import { problemsSql } from './problem-rows';
import { sources } from './sources/sources';

/** What was read, or booked: by the rows, whose outcomes say what is, or was, to be done with them. */
export async function reportOf(db: Db, held: Import): Promise<ImportReport> {
  const { id, source } = held;
  return {
    kinds: await countKinds(db, id),
    money: await sumMoney(db, id),
    problems: await problemsOf(db, id),
    warnings: await warningsOf(db, id),
    merged: await countMerged(db, id),
    params: [...sources[source].params],
    terms: held.report?.terms ?? held.place?.source?.terms ?? null,
  };
}

async function countKinds(db: Db, importId: string): Promise<KindCounts[]> {
  const rows = await query<KindCounts>(
    db,
    `SELECT kind, count(*)::int AS read,
            count(*) FILTER (WHERE outcome IN ('new', 'changed'))::int AS new,
            count(*) FILTER (WHERE outcome = 'known')::int AS known,
            count(*) FILTER (WHERE outcome = 'skipped' OR problem IS NOT NULL)::int AS skipped
       FROM import_rows WHERE import_id = $1 GROUP BY kind`,
    [importId],
  );
  const none = (kind: ImportKind): KindCounts => ({ kind, read: 0, new: 0, known: 0, skipped: 0 });
  return importKinds.map((kind) => rows.find((row) => row.kind === kind) ?? none(kind));
}

const isOpen = `told IN ('pending', 'approved')`;
const counts = `problem IS NULL AND outcome <> 'skipped'`;
const sum = (condition: string): string =>
  `coalesce(sum(amount_cents) FILTER (WHERE ${condition}), 0)::bigint`;

function sumMoney(db: Db, importId: string): Promise<ImportMoney[]> {
  return query<ImportMoney>(
    db,
    `SELECT currency,
            ${sum(`${counts} AND ${isOpen}`)} AS "openCents",
            ${sum(`${counts} AND told = 'paid'`)} AS "paidCents",
            ${sum(`${counts} AND told = 'void'`)} AS "voidCents",
            ${sum(`${counts} AND told <> 'void' AND amount_cents < 0`)} AS "negativeCents",
            ${sum(`problem IS NULL AND outcome = 'skipped'`)} AS "afterCutoverCents",
            ${sum(`problem = 'SALE_KNOWN'`)} AS "knownHereCents"
       FROM import_rows
      WHERE import_id = $1 AND kind = 'commissions' AND currency IS NOT NULL
        AND (problem IS NULL OR problem = 'SALE_KNOWN')
      GROUP BY currency ORDER BY currency`,
    [importId],
  );
}

async function problemsOf(db: Db, importId: string): Promise<ImportReport['problems']> {
  const row = await queryOne<{ count: number }>(
    db,
    `SELECT count(*)::int AS count FROM ${problemsSql} AS r`,
    [importId],
  );
  return { count: row?.count ?? 0, sample: await problemRows(db, { importId, limit: sampleSize }) };
}

/** Problems in the order of reading. */
function problemRows(
  db: Db,
  { importId, limit }: { importId: string; limit: number },
): Promise<SampleRow[]> {
  return query<SampleRow>(
    db,
    `SELECT file, line, shown_id AS id, problem AS code, message FROM ${problemsSql} AS r
      ORDER BY array_position(ARRAY['partners','links','customers','commissions'], kind), n
      LIMIT ${limit}`,
    [importId],
  );
}

async function warningsOf(db: Db, importId: string): Promise<ImportReport['warnings']> {
  const row = await queryOne<{ count: number }>(
    db,
    `SELECT coalesce(sum(jsonb_array_length(warnings)), 0)::int AS count FROM import_rows
      WHERE import_id = $1 AND warnings IS NOT NULL`,
    [importId],
  );
  const sample = await query<SampleRow>(
    db,
    `SELECT file, line, shown_id AS id, 'FIELD_INVALID' AS code,
            (w->>'field') || ' ' || (w->>'message') AS message
       FROM import_rows, jsonb_array_elements(warnings) AS w
      WHERE import_id = $1 AND warnings IS NOT NULL
      ORDER BY array_position(ARRAY['partners','links','customers','commissions'], kind), n
      LIMIT ${sampleSize}`,
    [importId],
  );
  return { count: row?.count ?? 0, sample };
}

/** Partners of theirs beside the first with the same address. */
async function countMerged(db: Db, importId: string): Promise<number> {
  const row = await queryOne<{ merged: number }>(
    db,
    `SELECT (count(*) - count(DISTINCT address_hash))::int AS merged FROM import_rows
      WHERE import_id = $1 AND kind = 'partners' AND problem IS NULL AND outcome <> 'skipped'`,
    [importId],
  );
  return row?.merged ?? 0;
}
