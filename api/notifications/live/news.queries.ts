import {
  isForReader,
  isOpenForAdmins,
  isOpenSecurity,
  isShown,
  isUnread,
  type Reader,
} from '../../../activities/notifications/reader';
import {
  notificationColumns,
  type NotificationRecord,
} from '../../../activities/notifications/record';
import { query, queryOne, type Db } from '../../../entities/database/sql';
import { isUuid } from '../../../entities/ids';

/** How many unread notifications the reader `r` has: counters, and the few notices that they leave out. */
export const unreadOfReader = `(
  (SELECT coalesce(sum(coalesce(u.unread, t.total)), 0)::int
     FROM notification_totals AS t
     LEFT JOIN notification_unread AS u ON u.feed_id = t.feed_id AND u.mode = t.mode
       AND u.category = t.category AND u.account_id = r."accountId"
    WHERE t.feed_id = r."feedId" AND t.mode = r.mode AND ${isShown('t')})
  + (SELECT count(*)::int FROM notifications AS n WHERE ${isOpenSecurity} AND ${isUnread})
  + (SELECT count(*)::int FROM notifications AS n
      WHERE ${isOpenForAdmins} AND ${isUnread} AND ${isShown()}))`;

/** A reader who knows everything up to a number of the feed. */
export interface Follower extends Pick<Reader, 'feedId' | 'accountId' | 'mode' | 'isAdmin'> {
  after: number;
}

export interface News {
  /** Number up to which the feed was read, and whether that is all of it. */
  seen: number;
  isAll: boolean;
  unread: number;
  rows: (NotificationRecord & { seq: number })[];
}

/**
 * Rows of a feed that one read walks for a follower, whether they are shown or not: 500 followers who
 * come back to feeds that show them nothing cost two seconds at 4 us a row, below the limit of a
 * statement, and all others wait no longer.
 */
const maxWalked = 1_000;

/**
 * What came after what each follower knows, oldest first, at most `limit` each; in their order. No
 * follower costs more than `maxWalked` rows: what is left is read by the next call.
 */
export async function readNews(
  db: Db,
  followers: readonly Follower[],
  limit: number,
): Promise<News[]> {
  const asked = JSON.stringify(followers.map((follower, n) => ({ ...follower, n })));
  const rows = await query<{
    n: number;
    version: number | null;
    unread: number;
    /** Number of the last row that was walked, when there may be more. */
    walked: number | null;
    rows: Row[] | null;
  }>(
    db,
    `SELECT r.n, f.version, ${unreadOfReader} AS unread, news.rows, news.walked
       FROM json_to_recordset($1) AS r(n int, "feedId" uuid, "accountId" uuid, mode text,
            after bigint, "isAdmin" boolean)
       LEFT JOIN notification_feeds AS f ON f.feed_id = r."feedId"
       LEFT JOIN LATERAL (
         WITH walked AS MATERIALIZED (
           SELECT w.* FROM notifications AS w
            WHERE w.feed_id = r."feedId" AND w.seq > r.after ORDER BY w.seq LIMIT $3)
         SELECT (SELECT json_agg(x ORDER BY x.seq) FROM (
                   SELECT n.seq, ${notificationColumns}
                     FROM walked AS n
                    WHERE n.mode IN (r.mode, 'both') AND n.dismissed_at IS NULL
                      AND ${isForReader} AND ${isShown()}
                    ORDER BY n.seq LIMIT $2) AS x) AS rows,
                (SELECT max(seq) FROM walked HAVING count(*) = $3) AS walked) AS news ON true`,
    [asked, limit, maxWalked],
  );
  const news: News[] = followers.map(({ after }) => ({ ...nothing, seen: after }));
  for (const { n, version, unread, walked, rows: some } of rows) {
    const own = (some ?? []).map(fromJson);
    const stopped = own.length < limit ? walked : own.at(-1)?.seq;
    const seen = stopped ?? version ?? 0;
    news[n] = { seen, isAll: (stopped ?? null) === null, unread, rows: own };
  }
  return news;
}

const nothing = { isAll: true, unread: 0, rows: [] };

type Row = Omit<News['rows'][number], 'readAt' | 'createdAt'> & {
  readAt: string | null;
  createdAt: string;
};

function fromJson(row: Row): News['rows'][number] {
  return {
    ...row,
    readAt: row.readAt === null ? null : new Date(row.readAt),
    createdAt: new Date(row.createdAt),
  };
}

/** Where a stream begins, and whether the client knows an id that stands for it. */
export interface Start {
  after: number;
  isNamed: boolean;
}

/** The id of a place in a feed, for a stream that has sent no notification yet. */
export const idOfPlace = (seq: number): string => `at-${seq}`;

/**
 * The number after which a stream begins: that of the event that the client saw last, a dismissed
 * one too, or that of the place which an id of `idOfPlace` names; for any other id, or none, what
 * the feed has come to.
 */
export async function startOf(
  db: Db,
  { feedId, mode }: Pick<Reader, 'feedId' | 'mode'>,
  lastEventId: string | undefined,
): Promise<Start> {
  const row = await queryOne<{ seq: number | null; version: number | null }>(
    db,
    `SELECT (SELECT seq FROM notifications
              WHERE id = $3 AND feed_id = $1 AND mode IN ($2, 'both')) AS seq,
            (SELECT version FROM notification_feeds WHERE feed_id = $1) AS version`,
    [feedId, mode, isUuid(lastEventId) ? lastEventId : null],
  );
  const version = row?.version ?? 0;
  const [, place] = /^at-(\d{1,15})$/.exec(lastEventId ?? '') ?? [];
  const known = row?.seq ?? (place === undefined ? undefined : Math.min(Number(place), version));
  return { after: known ?? version, isNamed: known !== undefined };
}

/** How far feeds have come. */
export async function readVersions(
  db: Db,
  feedIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await query<{ feedId: string; version: number }>(
    db,
    'SELECT feed_id AS "feedId", version FROM notification_feeds WHERE feed_id = ANY($1)',
    [feedIds],
  );
  return new Map(rows.map(({ feedId, version }) => [feedId, version]));
}
