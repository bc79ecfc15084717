import type { MemberRecord } from '../../activities/workspace/members';
import { countFrom, query, type Db } from '../../entities/database/sql';
import { pageWindow, type PageQuery } from '../http/contract/pagination';

const members = `
  SELECT id, email, name, role, 'active' AS status, created_at AS "createdAt"
  FROM merchant_accounts WHERE workspace_id = $1 AND removed_at IS NULL
  UNION ALL
  SELECT id, email, NULL, role, 'invited', created_at
  FROM member_invites WHERE workspace_id = $1 AND accepted_at IS NULL AND withdrawn_at IS NULL
    AND expires_at > $2`;

/** Members and open invites of a workspace, oldest first. */
export async function listMembers(
  db: Db,
  workspaceId: string,
  { page, now }: { page: PageQuery; now: Date },
): Promise<{ rows: MemberRecord[]; total: number }> {
  const { limit, offset } = pageWindow(page);
  const rows = await query<MemberRecord>(
    db,
    `SELECT * FROM (${members}) m ORDER BY "createdAt", id LIMIT $3 OFFSET $4`,
    [workspaceId, now, limit, offset],
  );
  const total = await countFrom(db, `(${members}) m`, [workspaceId, now]);
  return { rows, total };
}
