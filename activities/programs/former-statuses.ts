import { query, type Db } from '../../entities/database/sql';
import type { ParticipantStatus } from '../../entities/rules/partners/participant-status';
import type { ProgramStatus } from '../../entities/rules/programs/terms';
import type { Scope } from '../../entities/rules/values/mode';
import type { TermsQuestion } from './former-terms';

export interface Statuses {
  program: ProgramStatus;
  participant: ParticipantStatus;
}

/**
 * The statuses of programmes and partners at these moments, an answer for each question. One that was not
 * there yet has the status of now; null for a programme or partner that is gone, or of another workspace or mode.
 */
export async function statusesAt(
  db: Db,
  { workspaceId, mode }: Scope,
  questions: readonly TermsQuestion[],
): Promise<(Statuses | null)[]> {
  if (questions.length === 0) return [];
  const rows = await query<Statuses & { n: number }>(
    db,
    `SELECT q.n::int, coalesce(f.status, g.status) AS program, coalesce(h.status, p.status) AS participant
       FROM unnest($3::uuid[], $4::uuid[], $5::timestamptz[])
         WITH ORDINALITY AS q (program_id, participant_id, at, n)
       JOIN programs AS g ON g.id = q.program_id AND g.workspace_id = $1 AND g.mode = $2
       JOIN participants AS p ON p.id = q.participant_id AND p.program_id = g.id
       LEFT JOIN LATERAL (
         SELECT status FROM former_statuses
          WHERE program_id = g.id AND subject_id = g.id AND held_until > q.at AND g.created_at <= q.at
          ORDER BY held_until LIMIT 1) AS f ON true
       LEFT JOIN LATERAL (
         SELECT status FROM former_statuses
          WHERE program_id = g.id AND subject_id = p.id AND held_until > q.at AND p.created_at <= q.at
          ORDER BY held_until LIMIT 1) AS h ON true`,
    [
      workspaceId,
      mode,
      questions.map(({ programId }) => programId),
      questions.map(({ participantId }) => participantId),
      questions.map(({ at }) => at),
    ],
  );
  const answers = new Map(rows.map(({ n, ...statuses }) => [n, statuses]));
  return questions.map((_, index) => answers.get(index + 1) ?? null);
}
