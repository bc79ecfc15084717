import { newId } from '../../entities/ids';
import { notificationText } from '../../entities/rules/notifications/text';
import { notificationSpec } from '../../entities/rules/notifications/types';
import type { Mode } from '../../entities/rules/values/mode';
import { insertOf, layOut, parametersOf } from '../../entities/database/bulk-rows';
import { selectList, tableOf } from '../../entities/database/columns';
import { execute, query, type Tx } from '../../entities/database/sql';
import { NotificationFeed } from '../../entities/tables/notifications/notification-feed.entity';
import { Notification } from '../../entities/tables/notifications/notification.entity';
import type { Cause } from '../journal/cause';
import { announceChange } from './feed-lock';
import { queueNoticeMails } from './mails';
import type { Notice } from './notice';
import { isCounted } from './reader';

/** A feed that has news for whoever reads it in this mode. */
export interface FeedNews {
  feedId: string;
  mode: Mode | 'both';
}

/**
 * Writes what a change leads to, in its transaction, and has the relay wake the streams. For changes
 * that are no event: those go through notifyOfEvents.
 */
export async function notify(
  tx: Tx,
  context: Pick<Cause, 'now'>,
  notices: readonly Notice[],
): Promise<void> {
  for (const news of await writeNotices(tx, context, notices)) {
    await announceChange(tx, context, news);
  }
}

/**
 * Writes notices with their counters and mails; one that was written before stays as it is. The
 * feeds are locked in the order of their ids, so a transaction may do this once only. Returns the
 * feeds that have news.
 */
export async function writeNotices(
  tx: Tx,
  context: Pick<Cause, 'now'>,
  notices: readonly Notice[],
): Promise<FeedNews[]> {
  const next = await takeNumbers(tx, notices, 'waiting');
  return writeNumbered(tx, context, { notices, next });
}

/** The same for the feeds of many tenants: waits for none of them, and gives those that were locked. */
export async function writeFreeNotices(
  tx: Tx,
  context: Pick<Cause, 'now'>,
  notices: readonly Notice[],
): Promise<{ news: FeedNews[]; locked: ReadonlySet<string> }> {
  const next = await takeNumbers(tx, notices, 'skipping');
  const isFree = ({ feedId }: Notice): boolean => next.has(feedId);
  const locked = new Set(notices.filter((one) => !isFree(one)).map(({ feedId }) => feedId));
  const news = await writeNumbered(tx, context, { notices: notices.filter(isFree), next });
  return { news, locked };
}

async function writeNumbered(
  tx: Tx,
  { now }: Pick<Cause, 'now'>,
  { notices, next }: { notices: readonly Notice[]; next: Map<string, number> },
): Promise<FeedNews[]> {
  if (notices.length === 0) return [];
  const rows = notices.map((notice) => {
    const seq = next.get(notice.feedId) ?? 0;
    next.set(notice.feedId, seq + 1);
    return rowOf(notice, { seq, now });
  });
  const written = new Set(await insertRows(tx, rows));
  const added = notices.filter((_, index) => written.has(rows[index]?.id ?? ''));
  await queueNoticeMails(tx, { now }, added);
  return newsOf(added);
}

const makeFeeds = `
  INSERT INTO notification_feeds (feed_id, version)
  SELECT a.id, 0 FROM unnest($1::uuid[]) AS a (id)
   WHERE NOT EXISTS (SELECT 1 FROM notification_feeds f WHERE f.feed_id = a.id)
   ORDER BY a.id ON CONFLICT (feed_id) DO NOTHING`;

const addVersions = (lock: '' | 'SKIP LOCKED'): string => `
  WITH held AS MATERIALIZED (
    SELECT f.feed_id FROM notification_feeds f WHERE f.feed_id = ANY($1)
     ORDER BY f.feed_id FOR NO KEY UPDATE ${lock})
  UPDATE notification_feeds AS f SET version = f.version + a.n
    FROM held JOIN unnest($1::uuid[], $2::int[]) AS a (feed_id, n) ON a.feed_id = held.feed_id
   WHERE f.feed_id = held.feed_id
  RETURNING ${selectList(NotificationFeed, 'f')}`;
const takeSql = { waiting: addVersions(''), skipping: addVersions('SKIP LOCKED') };

/** Locks the feeds and takes as many numbers of each as it has notices; returns the first of each. */
async function takeNumbers(
  tx: Tx,
  notices: readonly Notice[],
  how: keyof typeof takeSql,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { feedId } of notices) counts.set(feedId, (counts.get(feedId) ?? 0) + 1);
  if (counts.size === 0) return new Map();
  const feedIds = [...counts.keys()];
  await execute(tx, makeFeeds, [feedIds]);
  const rows = await query<NotificationFeed>(tx, takeSql[how], [feedIds, [...counts.values()]]);
  return new Map(
    rows.map(({ feedId, version }) => [feedId, version - (counts.get(feedId) ?? 0) + 1]),
  );
}

function rowOf(notice: Notice, { seq, now }: { seq: number; now: Date }): Notification {
  const { side, type, facts } = notice;
  const { category, audience } = notificationSpec(side, type);
  const { title, body } = notificationText(side, type, facts);
  return {
    id: newId(),
    feedId: notice.feedId,
    seq,
    side,
    workspaceId: notice.workspaceId,
    mode: notice.mode,
    category,
    type,
    audience,
    memberId: notice.memberId ?? null,
    participantId: notice.participantId,
    causeId: notice.causeId,
    title,
    body,
    data: notice.data,
    createdAt: notice.at ?? now,
    dismissedAt: null,
  };
}

const rowSets = layOut({ notifications: tableOf(Notification) });

/** Returns the ids of those that were new. Security notices have no counters: see the migration. */
async function insertRows(tx: Tx, notifications: readonly Notification[]): Promise<string[]> {
  const inserted = await query<{ id: string }>(
    tx,
    `WITH added AS (
       ${insertOf(rowSets.notifications)}
       ON CONFLICT (cause_id, feed_id, type) DO NOTHING
       RETURNING id, feed_id, mode, category, audience),
     counts AS (
       SELECT feed_id, mode, category, count(*)::int AS n FROM added WHERE ${isCounted('added')}
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
    parametersOf(rowSets, { notifications }),
  );
  return inserted.map(({ id }) => id);
}

/** Each feed and mode once. */
export function newsOf(notices: readonly FeedNews[]): FeedNews[] {
  const news = new Map(
    notices.map(({ feedId, mode }) => [`${feedId} ${mode}`, { feedId, mode }] as const),
  );
  return [...news.values()];
}
