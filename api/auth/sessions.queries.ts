import type { Side } from '../../entities/rules/accounts/accounts';
import { selectList } from '../../entities/database/columns';
import { countFrom, query, type Db } from '../../entities/database/sql';
import { Session } from '../../entities/tables/accounts/session.entity';
import { pageWindow, type PageQuery } from '../http/contract/pagination';

const shown = ['id', 'createdAt', 'lastUsedAt', 'userAgent'] as const;
export type SessionRow = Pick<Session, (typeof shown)[number]>;

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
    `SELECT ${selectList(Session, 'sessions', shown)} FROM ${live} ORDER BY created_at DESC, id DESC LIMIT $4 OFFSET $5`,
    [accountId, side, now, limit, offset],
  );
  const total = await countFrom(db, live, [accountId, side, now]);
  return { rows, total };
}
