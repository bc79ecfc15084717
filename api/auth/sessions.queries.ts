import type { Side } from '../../entities/rules/accounts/accounts';
import { countFrom, query, type Db } from '../../entities/database/sql';
import { pageWindow, type PageQuery } from '../http/pagination';

export interface SessionRow {
  id: string;
  createdAt: Date;
  lastUsedAt: Date;
  userAgent: string | null;
}

/** An account's live sessions, newest first. */
export async function listSessions(
  db: Db,
  { side, accountId }: { side: Side; accountId: string },
  { page, now }: { page: PageQuery; now: Date },
): Promise<{ rows: SessionRow[]; total: number }> {
  const live = `sessions
    WHERE account_id = $1 AND side = $2 AND revoked_at IS NULL AND expires_at > $3`;
  const { limit, offset } = pageWindow(page);
  const rows = await query<SessionRow>(
    db,
    `SELECT id, created_at AS "createdAt", last_used_at AS "lastUsedAt", user_agent AS "userAgent"
       FROM ${live} ORDER BY created_at DESC, id DESC LIMIT $4 OFFSET $5`,
    [accountId, side, now, limit, offset],
  );
  const total = await countFrom(db, live, [accountId, side, now]);
  return { rows, total };
}
