import { readPreferences } from '../../activities/notifications/preferences';
import {
  isForReader,
  isOpenForAdmins,
  isOpenSecurity,
  isUnread,
  readAtOfReader,
  readerParams,
  readerRow,
  type Reader,
} from '../../activities/notifications/reader';
import {
  notificationColumns,
  type NotificationRecord,
} from '../../activities/notifications/record';
import type { NotificationCategory } from '../../entities/rules/mail/mail';
import {
  followsPlace,
  foundIn,
  offsetOf,
  orderedBy,
  placeOf,
  type Found,
  type Order,
  type Placed,
  type Window,
} from '../../entities/database/list';
import { query, queryOne, type Db } from '../../entities/database/sql';
import { unreadOfReader } from './live/news.queries';

/** What a reader has not read: some counters and the few security notices. */
export async function countUnread(db: Db, reader: Reader): Promise<number> {
  const row = await queryOne<{ count: number }>(
    db,
    `SELECT ${unreadOfReader} AS count FROM ${readerRow}`,
    readerParams(reader),
  );
  return row?.count ?? 0;
}

export interface FeedFilter extends Window {
  category?: NotificationCategory;
  unread?: boolean;
}

/** A window of a feed, newest first, without what was dismissed or is switched off in the app. */
export async function listNotifications(
  db: Db,
  reader: Reader,
  filter: FeedFilter,
): Promise<Found<NotificationRecord>> {
  const sizes = await sizesOf(db, reader, filter);
  const total = sizes.reduce((sum, { size }) => sum + size, 0);
  if (offsetOf(filter) >= total) return foundIn([], filter, total);
  const branches = sizes.filter(({ size }) => size > 0);
  const { text, params } = feedStatement(branches, filter, readerParams(reader));
  const rows = await query<Placed<NotificationRecord>>(db, text, params);
  return foundIn<NotificationRecord>(rows, filter, total);
}

interface Branch {
  category: NotificationCategory;
  size: number;
}

/** How many rows of each category the filter leaves, without counting them one by one. */
async function sizesOf(db: Db, reader: Reader, filter: FeedFilter): Promise<Branch[]> {
  const shown = (await readPreferences(db, reader))
    .filter(({ category, inApp }) => inApp && (filter.category ?? category) === category)
    .map(({ category }) => category);
  const rows = await query<Branch & { unread: number }>(
    db,
    `SELECT t.category, t.total AS size, coalesce(u.unread, t.total) AS unread
       FROM ${readerRow}
       JOIN notification_totals AS t ON t.feed_id = r."feedId" AND t.mode = r.mode
       LEFT JOIN notification_unread AS u ON u.feed_id = t.feed_id AND u.mode = t.mode
         AND u.category = t.category AND u.account_id = r."accountId"
      UNION ALL
     SELECT 'security', count(*)::int, (count(*) FILTER (WHERE ${isUnread}))::int
       FROM ${readerRow} JOIN notifications AS n ON ${isOpenSecurity}
      UNION ALL
     SELECT n.category, count(*)::int, (count(*) FILTER (WHERE ${isUnread}))::int
       FROM ${readerRow} JOIN notifications AS n ON ${isOpenForAdmins} GROUP BY n.category`,
    readerParams(reader),
  );
  const sizes = new Map<NotificationCategory, number>();
  for (const { category, size, unread } of rows) {
    const wanted = filter.unread === undefined ? size : filter.unread ? unread : size - unread;
    sizes.set(category, (sizes.get(category) ?? 0) + wanted);
  }
  return shown.map((category) => ({ category, size: sizes.get(category) ?? 0 }));
}

const newestSeq: Order = { by: ['n.seq'], direction: 'DESC' };

/**
 * Each category is read from the end of its own index range, and the ranges are merged: a page
 * costs the same in a feed of a million.
 */
function feedStatement(
  branches: readonly Branch[],
  { unread, ...window }: FeedFilter,
  known: readonly unknown[],
): { text: string; params: unknown[] } {
  const [limit, offset] = [window.limit + 1, offsetOf(window)];
  const follows = followsPlace(newestSeq, window.after ?? [], known.length);
  // The second condition is not written as NOT of the first: the planner would answer its EXISTS by
  // hashing all that was ever read.
  const condition =
    unread === undefined ? '' : `AND ${unread ? isUnread : `${readAtOfReader} IS NOT NULL`}`;
  const ranges = branches.map(
    ({ category }) => `
      (SELECT n.* FROM notifications AS n
        WHERE n.feed_id = r."feedId" AND n.category = '${category}' AND n.dismissed_at IS NULL
          AND ${category === 'security' ? `n.mode = 'both'` : 'n.mode = r.mode'}
          AND ${isForReader}
          AND ${follows.text} ${condition}
        ${orderedBy(newestSeq)} LIMIT ${offset + limit})`,
  );
  const text = `
    SELECT ${notificationColumns}, ${placeOf(newestSeq)} AS place
      FROM ${readerRow}
      CROSS JOIN LATERAL (
        SELECT * FROM (${ranges.join(' UNION ALL ')}) AS merged
         ORDER BY seq DESC LIMIT ${limit} OFFSET ${offset}) AS n
     ${orderedBy(newestSeq)}`;
  return { text, params: [...known, ...follows.params] };
}
