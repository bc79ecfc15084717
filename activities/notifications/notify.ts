import { newId } from '../../entities/ids';
import { notificationText } from '../../entities/rules/notifications/text';
import { notificationSpec } from '../../entities/rules/notifications/types';
import type { Mode } from '../../entities/rules/values/mode';
import { query, type Tx } from '../../entities/database/sql';
import { announceChange } from './feed-lock';
import { queueNoticeMails } from './mails';
import type { Notice } from './notice';

/** A feed that has news for whoever reads it in this mode. */
export interface FeedNews {
  feedId: string;
  mode: Mode | 'both';
}

/**
 * Writes what a change leads to, in its transaction, and has the relay wake the streams. For changes
 * that are no event: those go through notifyOfEvents.
 */
export async function notify(tx: Tx, notices: readonly Notice[], now: Date): Promise<void> {
  for (const news of await writeNotices(tx, notices, now)) await announceChange(tx, news, now);
}

/**
 * Writes notices with their counters and mails; one that was written before stays as it is. The
 * feeds are locked in the order of their ids, so a transaction may do this once only. Returns the
 * feeds that have news.
 */
export async function writeNotices(
  tx: Tx,
  notices: readonly Notice[],
  now: Date,
): Promise<FeedNews[]> {
  if (notices.length === 0) return [];
  const next = await takeNumbers(tx, notices);
  const rows = notices.map((notice) => {
    const seq = next.get(notice.feedId) ?? 0;
    next.set(notice.feedId, seq + 1);
    return rowOf(notice, seq);
  });
  const written = new Set(await insertRows(tx, rows, now));
  const added = notices.filter((_, index) => written.has(rows[index]?.id ?? ''));
  await queueNoticeMails(tx, added, now);
  return newsOf(added);
}

/** Locks the feeds and takes as many numbers of each as it has notices; gives the first of each. */
async function takeNumbers(tx: Tx, notices: readonly Notice[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { feedId } of notices) counts.set(feedId, (counts.get(feedId) ?? 0) + 1);
  const wanted = [...counts].map(([feedId, count]) => ({ feedId, count }));
  const rows = await query<{ feedId: string; version: number }>(
    tx,
    `INSERT INTO notification_feeds AS f (feed_id, version)
     SELECT r."feedId", r.count FROM json_to_recordset($1) AS r("feedId" uuid, count int)
      ORDER BY r."feedId"
     ON CONFLICT (feed_id) DO UPDATE SET version = f.version + EXCLUDED.version
     RETURNING feed_id AS "feedId", version`,
    [JSON.stringify(wanted)],
  );
  return new Map(
    rows.map(({ feedId, version }) => [feedId, version - (counts.get(feedId) ?? 0) + 1]),
  );
}

function rowOf(notice: Notice, seq: number) {
  const { side, type, facts } = notice;
  const { category, audience } = notificationSpec(side, type);
  const { title, body } = notificationText(side, type, facts);
  return {
    id: newId(),
    feed_id: notice.feedId,
    seq,
    side,
    workspace_id: notice.workspaceId,
    mode: notice.mode,
    category,
    type,
    audience,
    member_id: notice.memberId ?? null,
    participant_id: notice.participantId,
    cause_id: notice.causeId,
    title,
    body,
    data: notice.data,
  };
}

/** Returns the ids of those that were new. Security notices have no counters: see the migration. */
async function insertRows(tx: Tx, rows: ReturnType<typeof rowOf>[], now: Date): Promise<string[]> {
  const inserted = await query<{ id: string }>(
    tx,
    `WITH added AS (
       INSERT INTO notifications (id, feed_id, seq, side, workspace_id, mode, category, type,
              audience, member_id, participant_id, cause_id, title, body, data, created_at)
       SELECT r.id, r.feed_id, r.seq, r.side, r.workspace_id, r.mode, r.category, r.type,
              r.audience, r.member_id, r.participant_id, r.cause_id, r.title, r.body, r.data, $2
         FROM json_to_recordset($1) AS r(id uuid, feed_id uuid, seq bigint, side text,
              workspace_id uuid, mode text, category text, type text, audience text,
              member_id uuid, participant_id uuid, cause_id uuid, title text, body text, data jsonb)
       ON CONFLICT (cause_id, feed_id, type) DO NOTHING
       RETURNING id, feed_id, mode, category),
     counts AS (
       SELECT feed_id, mode, category, count(*)::int AS n FROM added WHERE mode <> 'both'
        GROUP BY feed_id, mode, category),
     totals AS (
       INSERT INTO notification_totals AS t (feed_id, mode, category, total)
       SELECT feed_id, mode, category, n FROM counts
       ON CONFLICT (feed_id, mode, category) DO UPDATE SET total = t.total + EXCLUDED.total),
     unread AS (
       UPDATE notification_unread AS u SET unread = u.unread + c.n
         FROM counts AS c
        WHERE u.feed_id = c.feed_id AND u.mode = c.mode AND u.category = c.category)
     SELECT id FROM added`,
    [JSON.stringify(rows), now],
  );
  return inserted.map(({ id }) => id);
}

function newsOf(notices: readonly Notice[]): FeedNews[] {
  const news = new Map(
    notices.map(({ feedId, mode }) => [`${feedId} ${mode}`, { feedId, mode }] as const),
  );
  return [...news.values()];
}
