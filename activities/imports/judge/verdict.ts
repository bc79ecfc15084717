import { selectList } from '../../../entities/database/columns';
import { query, type Db } from '../../../entities/database/sql';
import type { ImportKind } from '../../../entities/rules/imports/kinds';
import {
  problemOf,
  type ImportProblem,
  type RowProblem,
} from '../../../entities/rules/imports/problems';
import type { RowOutcome, ToldFacts } from '../../../entities/rules/imports/stored';
import { ImportRow } from '../../../entities/tables/imports/import-row.entity';
import type { Import } from '../../../entities/tables/imports/import.entity';

/** What is to be done with a row, by what is here now. `more` is what its booking needs besides. */
export type Verdict<More> = { problem: RowProblem } | ({ outcome: RowOutcome } & More);

export interface Judged<More> {
  row: ImportRow;
  verdict: Verdict<More>;
}

/** `check` books nothing: partners that are read are as good as partners that are here. */
export type Phase = 'check' | 'apply';

export function refused(code: ImportProblem): { problem: RowProblem } {
  return { problem: problemOf(code) };
}

export const rowColumns = selectList(ImportRow, 'r');

/** The next rows of a kind that may be booked, behind one, in the order of reading. */
export function nextRows(
  db: Db,
  at: { importId: string; kind: ImportKind; after: number; limit: number },
): Promise<ImportRow[]> {
  return query<ImportRow>(
    db,
    `SELECT ${rowColumns} FROM import_rows AS r
      WHERE r.import_id = $1 AND r.kind = $2 AND r.n > $3 ORDER BY r.n LIMIT ${at.limit}`,
    [at.importId, at.kind, at.after],
  );
}

/**
 * What of theirs was booked before, by what it is known by. Here and below each key is looked up by itself:
 * these tables grow while they are read, and a plan for all keys at once is made for the few rows that they
 * had, and kept.
 */
export async function recordsOf(
  db: Db,
  held: Import,
  { kind, keys }: { kind: ImportKind; keys: readonly string[] },
): Promise<Map<string, { recordId: string; told: ToldFacts }>> {
  const rows = await query<{ key: string; recordId: string; told: ToldFacts }>(
    db,
    `SELECT k.key, m.record_id AS "recordId", m.told FROM unnest($5::text[]) AS k (key)
      CROSS JOIN LATERAL (SELECT record_id, told FROM imported_records
        WHERE program_id = $1 AND source = $2 AND name = $3 AND kind = $4
          AND their_key = k.key LIMIT 1) AS m`,
    [held.programId, held.source, held.name, kind, keys],
  );
  return new Map(rows.map(({ key, ...rest }) => [key, rest]));
}

export interface KnownPartner {
  /** Null while they are only read. */
  participantId: string | null;
}

/** The partners that rows belong to, by what those are known by; those that cannot be booked are missing. */
export async function partnersOf(
  db: Db,
  held: Import,
  { rows, phase }: { rows: readonly ImportRow[]; phase: Phase },
): Promise<Map<string, KnownPartner>> {
  const keys = [...new Set(rows.flatMap(({ partnerKey }) => partnerKey ?? []))];
  const found = await query<{ key: string; participantId: string | null }>(
    db,
    `SELECT k.key, p.id AS "participantId" FROM unnest($4::text[]) AS k (key)
      CROSS JOIN LATERAL (SELECT record_id FROM imported_records
        WHERE program_id = $1 AND source = $2 AND name = $3 AND kind = 'partners'
          AND their_key = k.key LIMIT 1) AS m
      CROSS JOIN LATERAL (SELECT id FROM participants
        WHERE id = m.record_id AND erased_at IS NULL LIMIT 1) AS p
      UNION ALL
     SELECT k.key, NULL FROM unnest($4::text[]) AS k (key)
      CROSS JOIN LATERAL (SELECT FROM import_rows
        WHERE $6 AND import_id = $5 AND kind = 'partners' AND their_key = k.key
          AND problem IS NULL AND outcome <> 'skipped' LIMIT 1) AS r`,
    [held.programId, held.source, held.name, keys, held.id, phase === 'check'],
  );
  const partners = new Map<string, KnownPartner>();
  for (const { key, participantId } of found) {
    partners.set(key, { participantId: participantId ?? partners.get(key)?.participantId ?? null });
  }
  return partners;
}
