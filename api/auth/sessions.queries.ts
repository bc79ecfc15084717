import type { Side } from '../../entities/rules/accounts/accounts';
import { selectList } from '../../entities/database/columns';
import { newestFirst, readList, type Found, type Window } from '../../entities/database/list';
import type { Db } from '../../entities/database/sql';
import { Session } from '../../entities/tables/accounts/session.entity';

const shown = ['id', 'createdAt', 'lastUsedAt', 'userAgent'] as const;
export type SessionRow = Pick<Session, (typeof shown)[number]>;

/** An account's live sessions, newest first. */
export function listSessions(
  db: Db,
  { side, accountId, now }: { side: Side; accountId: string; now: Date },
  page: Window,
): Promise<Found<SessionRow>> {
  const list = {
    columns: selectList(Session, 's', shown),
    from: 'sessions AS s',
    where: 's.account_id = $1 AND s.side = $2 AND s.revoked_at IS NULL AND s.expires_at > $3',
    params: [accountId, side, now],
    order: newestFirst('s'),
  };
  return readList(db, list, page);
}
