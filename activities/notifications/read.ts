import { AppError } from '../../entities/errors';
import type { NotificationCategory } from '../../entities/rules/mail/mail';
import { execute, queryOne, transaction, type Db, type Tx } from '../../entities/database/sql';
import { announceChange, lockFeed } from './feed-lock';
import {
  isOpenForAdmins,
  isOpenSecurity,
  isShown,
  isUnread,
  readerParams,
  readerRow,
  type Reader,
  type ReaderContext,
} from './reader';
import { findNotification, type NotificationRecord } from './record';

/** Marks one notification as read by this account; again changes nothing. NOT_FOUND. */
export async function readNotification(
  db: Db,
  { reader, now }: ReaderContext,
  { id }: { id: string },
): Promise<NotificationRecord> {
  const seen = await findNotification(db, reader, id);
  if (!seen) throw new AppError('NOT_FOUND');
  if (seen.readAt) return seen;
  return transaction(db, async (tx) => {
    await lockFeed(tx, reader.feedId);
    const current = await findNotification(tx, reader, id);
    if (!current) throw new AppError('NOT_FOUND');
    if (current.readAt) return current;

    await execute(
      tx,
      `INSERT INTO notification_reads (account_id, notification_id, read_at) VALUES ($1, $2, $3)`,
      [reader.accountId, id, now],
    );
    if (!current.isDismissed && current.isCounted) {
      await countOneRead(tx, reader, current.category);
    }
    await announceChange(tx, { now }, { feedId: reader.feedId, mode: current.mode });
    return { ...current, readAt: now };
  });
}

/** The first reading of an account in a category gives it a counter of its own. */
async function countOneRead(tx: Tx, reader: Reader, category: NotificationCategory): Promise<void> {
  await execute(
    tx,
    `INSERT INTO notification_unread AS u (feed_id, account_id, mode, category, unread)
     SELECT feed_id, $2, mode, category, total - 1 FROM notification_totals
      WHERE feed_id = $1 AND mode = $3 AND category = $4
     ON CONFLICT (feed_id, account_id, mode, category) DO UPDATE SET unread = u.unread - 1`,
    [reader.feedId, reader.accountId, reader.mode, category],
  );
}

/**
 * Marks all that this account sees as read, of one category or of all, by one mark a category.
 * Returns how many were unread.
 */
export async function readAllNotifications(
  db: Db,
  { reader, now }: ReaderContext,
  { category }: { category: NotificationCategory | undefined },
): Promise<number> {
  return transaction(db, async (tx) => {
    const through = await lockFeed(tx, reader.feedId);
    const row = await queryOne<{ count: number }>(tx, readAllStatement, [
      ...readerParams(reader),
      category ?? null,
      through,
      now,
    ]);
    const count = row?.count ?? 0;
    if (count > 0) await announceChange(tx, { now }, { feedId: reader.feedId, mode: 'both' });
    return count;
  });
}

const readAllStatement = `
  WITH waiting AS (
    SELECT t.mode, t.category, coalesce(u.unread, t.total) AS n
      FROM ${readerRow}
      JOIN notification_totals AS t ON t.feed_id = r."feedId" AND t.mode = r.mode
      LEFT JOIN notification_unread AS u ON u.feed_id = t.feed_id AND u.mode = t.mode
        AND u.category = t.category AND u.account_id = r."accountId"
     WHERE coalesce(u.unread, t.total) > 0 AND ($5::text IS NULL OR t.category = $5)
       AND ${isShown('t')}
     UNION ALL
    SELECT 'both', 'security', count(*)
      FROM ${readerRow} JOIN notifications AS n ON ${isOpenSecurity} AND ${isUnread}
     WHERE $5::text IS NULL OR $5 = 'security'
    HAVING count(*) > 0
     UNION ALL
    SELECT n.mode, n.category, count(*)
      FROM ${readerRow} JOIN notifications AS n ON ${isOpenForAdmins} AND ${isUnread}
     WHERE ($5::text IS NULL OR n.category = $5) AND ${isShown()}
     GROUP BY n.mode, n.category),
  marks AS (
    INSERT INTO notification_read_marks (account_id, mode, category, through_seq, read_at)
    SELECT DISTINCT $2::uuid, mode, category, $6::bigint, $7::timestamptz FROM waiting),
  counters AS (
    INSERT INTO notification_unread (feed_id, account_id, mode, category, unread)
    SELECT DISTINCT $1::uuid, $2::uuid, mode, category, 0 FROM waiting WHERE mode <> 'both'
    ON CONFLICT (feed_id, account_id, mode, category) DO UPDATE SET unread = 0)
  SELECT coalesce(sum(n), 0)::int AS count FROM waiting`;
