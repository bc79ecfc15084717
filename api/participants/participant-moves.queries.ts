import { readList, type Found, type Window } from '../../entities/database/list';
import type { Db } from '../../entities/database/sql';
import { defaultGroupName } from '../../entities/rules/programs/groups';
import type { MembershipRow } from './participant-moves.dto';

/** Who has no row was in the default group from the start. */
const memberships = `
  SELECT id, participant_id, since, group_id, source, actor_type, actor_id, reason FROM group_memberships
   UNION ALL
  SELECT p.id, p.id, p.created_at, p.program_id, 'start', 'system', NULL, NULL FROM participants AS p
   WHERE NOT EXISTS (SELECT 1 FROM group_memberships AS m WHERE m.participant_id = p.id)`;

const columns = `m.group_id AS "groupId", coalesce(r.name, '${defaultGroupName}') AS "groupName",
  m.since AS "from", (SELECT min(n.since) FROM group_memberships AS n
    WHERE n.participant_id = m.participant_id AND n.since > m.since) AS until,
  m.source, m.actor_type AS "actorType", m.actor_id AS "actorId", m.reason`;

/** The groups that a participant was in, newest first. */
export function listMemberships(
  db: Db,
  participantId: string,
  page: Window,
): Promise<Found<MembershipRow>> {
  const list = {
    columns,
    from: `(${memberships}) AS m`,
    joins: 'LEFT JOIN program_groups AS r ON r.id = m.group_id',
    where: 'm.participant_id = $1',
    params: [participantId],
    order: { by: ['m.since', 'm.id'], direction: 'DESC' as const },
  };
  return readList(db, list, page);
}
