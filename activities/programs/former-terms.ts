import { isDeepStrictEqual } from 'node:util';
import { selectList, type Selected, type Selection } from '../../entities/database/columns';
import { insertAll } from '../../entities/database/insert-all';
import { query, queryOne, type Db, type Tx } from '../../entities/database/sql';
import { saleTermsOf, type SaleTerms } from '../../entities/rules/commissions/sale-terms';
import type { Scope } from '../../entities/rules/values/mode';
import { FormerTerms } from '../../entities/tables/programs/former-terms.entity';
import { Program } from '../../entities/tables/programs/program.entity';

/**
 * Keeps what a programme offered until `now`, when an edit changes it, in the edit's transaction, which
 * holds the programme's row. Nothing is kept of an edit that changes no terms, nor where a clock that
 * is ahead ended others later: these held for no time.
 */
export async function keepFormerTerms(
  tx: Tx,
  { before, after, now }: { before: Program; after: Program; now: Date },
): Promise<void> {
  const terms = saleTermsOf(before);
  if (isDeepStrictEqual(terms, saleTermsOf(after))) return;
  const { id: programId, workspaceId, mode } = before;
  const later = await queryOne(
    tx,
    'SELECT 1 FROM former_terms WHERE program_id = $1 AND held_until >= $2 LIMIT 1',
    [programId, now],
  );
  if (later) return;
  await insertAll(tx, {
    into: FormerTerms,
    rows: [{ programId, heldUntil: now, workspaceId, mode, terms }],
  });
}

/** Which terms are asked for: those that a programme offered at a moment. */
export interface TermsQuestion {
  programId: string;
  at: Date;
}

const termsColumns = [
  'currency',
  'acceptedCurrencies',
  'reviewAboveCents',
  'rules',
  'holdDays',
  'autoApprove',
  'commissionType',
  'rateBps',
  'amountCents',
  'basis',
  'recurring',
  'recurringMonths',
] as const satisfies Selection<Program>;

type TermsRow = Selected<Program, typeof termsColumns> & { n: number; former: SaleTerms | null };

/**
 * What programmes offered at these moments, an answer for each question, in one statement. Where a
 * programme began later than that, its first terms; null for one that is gone, or of another workspace
 * or mode.
 */
export async function termsAt(
  db: Db,
  { workspaceId, mode }: Scope,
  questions: readonly TermsQuestion[],
): Promise<(SaleTerms | null)[]> {
  if (questions.length === 0) return [];
  const rows = await query<TermsRow>(
    db,
    `SELECT q.n::int, f.terms AS former, ${selectList(Program, 'g', termsColumns)}
       FROM unnest($3::uuid[], $4::timestamptz[]) WITH ORDINALITY AS q (program_id, at, n)
       JOIN programs AS g ON g.id = q.program_id AND g.workspace_id = $1 AND g.mode = $2
       LEFT JOIN LATERAL (
         SELECT terms FROM former_terms
          WHERE program_id = g.id AND held_until > q.at
          ORDER BY held_until LIMIT 1) AS f ON true`,
    [workspaceId, mode, questions.map(({ programId }) => programId), questions.map(({ at }) => at)],
  );
  const answers = new Map(rows.map(({ n, former, ...row }) => [n, former ?? saleTermsOf(row)]));
  return questions.map((_, index) => answers.get(index + 1) ?? null);
}
