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

/** What of theirs was booked before, by what it is known by. */
export async function recordsOf(
  db: Db,
  held: Import,
  { kind, keys }: { kind: ImportKind; keys: readonly string[] },
): Promise<Map<string, { recordId: string; told: ToldFacts }>> {
  const rows = await query<{ key: string; recordId: string; told: ToldFacts }>(
    db,
    `SELECT their_key AS key, record_id AS "recordId", told FROM imported_records
      WHERE program_id = $1 AND source = $2 AND name = $3 AND kind = $4
        AND their_key = ANY ($5::text[])`,
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
    `SELECT m.their_key AS key, p.id AS "participantId"
       FROM imported_records AS m JOIN participants AS p ON p.id = m.record_id
      WHERE m.program_id = $1 AND m.source = $2 AND m.name = $3 AND m.kind = 'partners'
        AND m.their_key = ANY ($4::text[]) AND p.erased_at IS NULL
      UNION ALL
     SELECT r.their_key, NULL FROM import_rows AS r
      WHERE $6 AND r.import_id = $5 AND r.kind = 'partners' AND r.their_key = ANY ($4::text[])
        AND r.problem IS NULL AND r.outcome <> 'skipped'`,
    [held.programId, held.source, held.name, keys, held.id, phase === 'check'],
  );
  const partners = new Map<string, KnownPartner>();
  for (const { key, participantId } of found) {
    partners.set(key, { participantId: participantId ?? partners.get(key)?.participantId ?? null });
  }
  return partners;
}
