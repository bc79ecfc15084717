import { readList, type Found, type Window } from '../../entities/database/list';
import { literalPattern, type Db } from '../../entities/database/sql';
import type { Scope } from '../../entities/rules/values/mode';
import type { ParticipantNameDto, ParticipantNameQuery } from './participant-names.dto';

/** Participants of all programmes of a workspace and mode by name, without sums: what lists show beside their rows. */
export function listParticipantNames(
  db: Db,
  { workspaceId, mode }: Scope,
  { ids, search, programId, ...window }: Omit<ParticipantNameQuery, keyof Window> & Window,
): Promise<Found<ParticipantNameDto>> {
  const params: unknown[] = [workspaceId, mode];
  const bind = (value: unknown): string => `$${params.push(value)}`;
  const conditions = ['p.workspace_id = $1', 'p.mode = $2'];
  if (programId) conditions.push(`p.program_id = ${bind(programId)}`);
  if (ids) conditions.push(`p.id = ANY(${bind(ids.split(','))}::uuid[])`);
  if (search) {
    const pattern = bind(literalPattern(search));
    conditions.push(`(p.partner_name ILIKE ${pattern} OR p.partner_email ILIKE ${pattern}
      OR p.referral_code ILIKE ${pattern}
      OR p.id = ANY(ARRAY(SELECT c.participant_id FROM promo_codes AS c
           WHERE c.workspace_id = $1 AND c.mode = $2 AND c.code ILIKE ${pattern})))`);
  }
  const list = {
    columns: `p.id, p.program_id AS "programId", g.name AS "programName",
      p.partner_name AS "partnerName", p.partner_email AS "partnerEmail", p.status`,
    from: 'participants AS p',
    joins: 'JOIN programs AS g ON g.id = p.program_id',
    where: conditions.join(' AND '),
    params,
    order: { by: ['p.partner_name', 'p.id'], direction: 'ASC' as const },
  };
  return readList(db, list, window);
}
