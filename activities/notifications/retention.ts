import { query, queryOne, execute, transaction, type Db } from '../../entities/database/sql';
import { uncountGone } from './dismiss';
import { lockFeed } from './feed-lock';

/** Deletes up to `most` of those of before, feed by feed; 0 when nothing is left. */
export async function purgeNotifications(db: Db, before: Date, max: number): Promise<number> {
  const feeds = await query<{ feedId: string; ids: string[] }>(
    db,
    `SELECT feed_id AS "feedId", array_agg(id) AS ids
       FROM (SELECT feed_id, id FROM notifications WHERE id < first_id_at($1)
              ORDER BY id LIMIT $2) AS old
      GROUP BY feed_id ORDER BY feed_id`,
    [before, max],
  );
  let deleted = 0;
  for (const feed of feeds) deleted += await deleteNotifications(db, feed);
  return deleted;
}

/** Deletes notifications of one feed, and whatever counts or remembers them. */
export async function deleteNotifications(
  db: Db,
  { feedId, ids }: { feedId: string; ids: readonly string[] },
): Promise<number> {
  return transaction(db, async (tx) => {
    await lockFeed(tx, feedId);
    const row = await queryOne<{ count: number }>(
      tx,
      `WITH taken AS (
         DELETE FROM notifications WHERE feed_id = $1 AND id = ANY($2)
         RETURNING id, seq, mode, category, audience, dismissed_at),
       gone AS (SELECT id, seq, mode, category, audience FROM taken WHERE dismissed_at IS NULL),
       ${uncountGone}
       SELECT count(*)::int AS count FROM taken`,
      [feedId, ids],
    );
    await execute(tx, 'DELETE FROM notification_reads WHERE notification_id = ANY($1)', [ids]);
    return row?.count ?? 0;
  });
}
