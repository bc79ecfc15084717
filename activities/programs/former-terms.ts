import { isDeepStrictEqual } from 'node:util';
import {
  selectList,
  type Outer,
  type Selected,
  type Selection,
} from '../../entities/database/columns';
import { insertAll } from '../../entities/database/insert-all';
import { query, queryOne, type Db, type Tx } from '../../entities/database/sql';
import {
  saleTermsOf,
  type ProgramOffer,
  type SaleTerms,
} from '../../entities/rules/commissions/sale-terms';
import { defaultGroupOf, type GroupTerms } from '../../entities/rules/programs/groups';
import type { Scope } from '../../entities/rules/values/mode';
import { FormerTerms } from '../../entities/tables/programs/former-terms.entity';
import { ProgramGroup } from '../../entities/tables/programs/program-group.entity';
import { Program } from '../../entities/tables/programs/program.entity';

/** All that a programme offers now, to whichever partner. */
export async function offerOf(db: Db, program: Program): Promise<ProgramOffer> {
  const groups = await query<GroupTerms>(
    db,
    `SELECT ${selectList(ProgramGroup, 'r', ofGroup)} FROM program_groups AS r
      WHERE r.program_id = $1 AND r.deleted_at IS NULL ORDER BY r.id`,
    [program.id],
  );
  return { ...saleTermsOf(program), groups };
}

const ofGroup = [
  'id',
  'name',
  'commission',
  'holdDays',
  'autoApprove',
] as const satisfies Selection<ProgramGroup>;

interface Edited {
  program: Pick<Program, 'id' | 'workspaceId' | 'mode'>;
  before: ProgramOffer;
  after: ProgramOffer;
  now: Date;
}

/**
 * Keeps what a programme offered until `now`, when an edit changes it, in the edit's transaction, which
 * holds the programme's row. Nothing is kept of an edit that changes no terms, nor where a clock that
 * is ahead ended others later: these held for no time. Whether the edit changed any.
 */
export async function keepFormerTerms(
  tx: Tx,
  { program, before: terms, after, now }: Edited,
): Promise<boolean> {
  if (isDeepStrictEqual(terms, after)) return false;
  const { id: programId, workspaceId, mode } = program;
  const later = await queryOne(
    tx,
    'SELECT 1 FROM former_terms WHERE program_id = $1 AND held_until >= $2 LIMIT 1',
    [programId, now],
  );
  if (later) return true;
  await insertAll(tx, {
    into: FormerTerms,
    rows: [{ programId, heldUntil: now, workspaceId, mode, terms }],
  });
  return true;
}

/** Which terms are asked for: those that a programme offered a partner at a moment. */
export interface TermsQuestion {
  programId: string;
  participantId: string;
  at: Date;
}

/** The columns of a programme that a commission is computed from. */
export const termsColumns = [
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

/** Columns of the participant's group. */
export const groupColumns = {
  groupName: 'name',
  groupCommission: 'commission',
  groupHoldDays: 'holdDays',
  groupAutoApprove: 'autoApprove',
} as const satisfies Selection<ProgramGroup>;

type TermsRow = Selected<Program, typeof termsColumns> &
  Outer<Selected<ProgramGroup, typeof groupColumns>> & {
    n: number;
    programId: string;
    groupId: string;
    former: ProgramOffer | null;
  };

/**
 * What programmes offered these partners at these moments, an answer for each question, in one
 * statement. Where programme or membership began later than that, their first terms and group; null
 * for a programme that is gone, or of another workspace or mode.
 */
export async function termsAt(
  db: Db,
  { workspaceId, mode }: Scope,
  questions: readonly TermsQuestion[],
): Promise<(SaleTerms | null)[]> {
  if (questions.length === 0) return [];
  const rows = await query<TermsRow>(
    db,
    `SELECT q.n::int, g.id AS "programId", coalesce(m.group_id, g.id) AS "groupId",
            f.terms AS former, ${selectList(Program, 'g', termsColumns)},
            ${selectList(ProgramGroup, 'r', groupColumns)}
       FROM unnest($3::uuid[], $4::uuid[], $5::timestamptz[])
         WITH ORDINALITY AS q (program_id, participant_id, at, n)
       JOIN programs AS g ON g.id = q.program_id AND g.workspace_id = $1 AND g.mode = $2
       LEFT JOIN LATERAL (
         SELECT terms FROM former_terms
          WHERE program_id = g.id AND held_until > q.at
          ORDER BY held_until LIMIT 1) AS f ON true
       LEFT JOIN LATERAL (
         (SELECT group_id FROM group_memberships
           WHERE participant_id = q.participant_id AND since <= q.at ORDER BY since DESC, id DESC LIMIT 1)
         UNION ALL
         (SELECT group_id FROM group_memberships
           WHERE participant_id = q.participant_id AND since > q.at ORDER BY since, id LIMIT 1)
         LIMIT 1) AS m ON true
       LEFT JOIN program_groups AS r ON r.id = coalesce(m.group_id, g.id)`,
    [
      workspaceId,
      mode,
      questions.map(({ programId }) => programId),
      questions.map(({ participantId }) => participantId),
      questions.map(({ at }) => at),
    ],
  );
  const answers = new Map(rows.map((row) => [row.n, termsOf(row)]));
  return questions.map((_, index) => answers.get(index + 1) ?? null);
}

function termsOf({ former, ...row }: TermsRow): SaleTerms {
  if (!former) return { ...saleTermsOf(row), group: groupOf(row) };
  const { groups = [], ...terms } = former;
  const group = groups.find(({ id }) => id === row.groupId);
  return { ...terms, group: group ?? defaultGroupOf(row.programId) };
}

function groupOf(row: Omit<TermsRow, 'former'>): GroupTerms {
  const { groupId: id, groupName: name } = row;
  if (name === null) return defaultGroupOf(row.programId);
  const { groupCommission: commission, groupHoldDays, groupAutoApprove } = row;
  return { id, name, commission, holdDays: groupHoldDays, autoApprove: groupAutoApprove };
}
