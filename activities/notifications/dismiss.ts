import { AppError } from '../../entities/errors';
import type { NotificationCategory } from '../../entities/rules/mail/mail';
import {
  type Db,
  query,
  queryOne,
  rowsAtOnce,
  transaction,
  type Tx,
} from '../../entities/database/sql';
import { announceChange, lockFeed } from './feed-lock';
import {
  isCounted,
  isForReader,
  isShown,
  isUnreadBy,
  readerParams,
  readerRow,
  type Reader,
  type ReaderContext,
} from './reader';
import { findNotification, type NotificationRecord } from './record';

/** Takes a notification out of the feed, for every member; again changes nothing. NOT_FOUND. */
export async function dismissNotification(
  db: Db,
  { reader, now }: ReaderContext,
  { id }: { id: string },
): Promise<NotificationRecord> {
  const seen = await findNotification(db, reader, id);
  if (!seen) throw new AppError('NOT_FOUND');
  if (!seen.isDismissed) {
    await transaction(db, async (tx) => {
      await lockFeed(tx, reader.feedId);
      await dismissRows(tx, { feedId: reader.feedId, ids: [id], now });
      await announceChange(tx, { now }, { feedId: reader.feedId, mode: seen.mode });
    });
  }
  return seen;
}

/**
 * Takes what this account has read out of the feed, for every member: of one category or of all.
 * Returns how many there were. Stopped in between, it goes on when it is done again.
 */
export async function dismissReadNotifications(
  db: Db,
  { reader, now }: ReaderContext,
  { category }: { category: NotificationCategory | undefined },
): Promise<number> {
  let dismissed = 0;
  for (;;) {
    const some = await transaction(db, async (tx) => {
      await lockFeed(tx, reader.feedId);
      const ids = await findRead(tx, reader, category);
      const count = await dismissRows(tx, { feedId: reader.feedId, ids, now });
      if (count > 0) await announceChange(tx, { now }, { feedId: reader.feedId, mode: 'both' });
      return count;
    });
    dismissed += some;
    if (some < rowsAtOnce) return dismissed;
  }
}

/** What was read by a mark, and what was read by itself. */
async function findRead(
  tx: Tx,
  reader: Reader,
  category: NotificationCategory | undefined,
): Promise<string[]> {
  const isOpen = `n.feed_id = r."feedId" AND n.mode IN (r.mode, 'both')
    AND n.dismissed_at IS NULL AND ($5::text IS NULL OR n.category = $5)
    AND ${isForReader} AND ${isShown()}`;
  const rows = await query<{ id: string }>(
    tx,
    `(SELECT n.id FROM ${readerRow}
        CROSS JOIN LATERAL (
          SELECT m.mode, m.category, max(m.through_seq) AS through
            FROM notification_read_marks AS m
           WHERE m.account_id = r."accountId" GROUP BY m.mode, m.category) AS m
        JOIN notifications AS n ON n.mode = m.mode AND n.category = m.category
         AND n.seq <= m.through AND ${isOpen} LIMIT ${rowsAtOnce})
      UNION
     (SELECT n.id FROM ${readerRow}
        JOIN notification_reads AS d ON d.account_id = r."accountId"
        JOIN notifications AS n ON n.id = d.notification_id AND ${isOpen} LIMIT ${rowsAtOnce})
      LIMIT ${rowsAtOnce}`,
    [...readerParams(reader), category ?? null],
  );
  return rows.map(({ id }) => id);
}

interface Rows {
  feedId: string;
  ids: readonly string[];
  now: Date;
}

/** Dismisses rows of a locked feed and keeps the counters true. */
async function dismissRows(tx: Tx, { feedId, ids, now }: Rows): Promise<number> {
  const row = await queryOne<{ count: number }>(
    tx,
    `WITH gone AS (
       UPDATE notifications SET dismissed_at = $3
        WHERE feed_id = $1 AND id = ANY($2) AND dismissed_at IS NULL
       RETURNING id, seq, mode, category, audience),
     ${uncountGone}
     SELECT count(*)::int AS count FROM gone`,
    [feedId, ids, now],
  );
  return row?.count ?? 0;
}

/** Takes the rows of the relation `gone` out of the counters of the feed $1. */
export const uncountGone = `
  fewer AS (
    SELECT mode, category, count(*)::int AS n FROM gone WHERE ${isCounted('gone')}
     GROUP BY mode, category),
  totals AS (
    UPDATE notification_totals AS t SET total = t.total - c.n FROM fewer AS c
     WHERE t.feed_id = $1 AND t.mode = c.mode AND t.category = c.category),
  fewer_unread AS (
    SELECT u.account_id, g.mode, g.category, count(*)::int AS n
      FROM gone AS g
      JOIN notification_unread AS u ON u.feed_id = $1 AND u.mode = g.mode
        AND u.category = g.category
     WHERE ${isCounted('g')} AND ${isUnreadBy('u.account_id', 'g')}
     GROUP BY u.account_id, g.mode, g.category),
  unread AS (
    UPDATE notification_unread AS u SET unread = u.unread - c.n FROM fewer_unread AS c
     WHERE u.feed_id = $1 AND u.account_id = c.account_id AND u.mode = c.mode
       AND u.category = c.category)`;
