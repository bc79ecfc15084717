import type { MemberRecord } from '../../activities/workspace/members';
import { readList, type Found, type Window } from '../../entities/database/list';
import type { Db } from '../../entities/database/sql';

const members = `
  SELECT id, email, name, role, 'active' AS status, created_at AS "createdAt"
  FROM merchant_accounts WHERE workspace_id = $1 AND removed_at IS NULL
  UNION ALL
  SELECT id, email, NULL, role, 'invited', created_at
  FROM member_invites WHERE workspace_id = $1 AND accepted_at IS NULL AND withdrawn_at IS NULL
    AND expires_at > $2`;

/** Members and open invites of a workspace, oldest first. */
export function listMembers(
  db: Db,
  { workspaceId, now }: { workspaceId: string; now: Date },
  { memberId, ...page }: Window & { memberId?: string },
): Promise<Found<MemberRecord>> {
  const list = {
    columns: 'm.*',
    from: `(${members}) m`,
    where: '($3::uuid IS NULL OR m.id = $3)',
    params: [workspaceId, now, memberId ?? null],
    order: { by: ['m."createdAt"', 'm.id'], direction: 'ASC' },
  } as const;
  return readList(db, list, page);
}
