import { recordEvent } from '../../../activities/journal/events';
import { systemActor } from '../../../entities/rules/values/actor';
import { dismissNotification } from '../../../activities/notifications/dismiss';
import { notifyOfEvents } from '../../../activities/notifications/of-events';
import { readAllNotifications, readNotification } from '../../../activities/notifications/read';
import type { Reader } from '../../../activities/notifications/reader';
import { countUnread, listNotifications } from '../../../api/notifications/notifications.queries';
import { newId } from '../../../entities/ids';
import { exampleObject } from '../../../entities/rules/webhooks/examples';
import { query, transaction } from '../../../entities/database/sql';
import { useDeps } from '../../support/app';
import { buildMember } from '../../support/build/accounts';
import { holdTransaction } from '../../support/postgres/held-transaction';

const deps = useDeps();

async function buildFeed(): Promise<{ reader: Reader; event: () => Promise<string> }> {
  const member = await buildMember(deps.db.manager);
  const { workspaceId } = member;
  const reader: Reader = {
    side: 'merchant',
    feedId: workspaceId,
    accountId: member.id,
    mode: 'live',
    isAdmin: true,
  };
  const type = 'conversion.created';
  const event = () => {
    const example = exampleObject(type);
    const attribution = { ...example.attribution, program_id: null, participant_id: null };
    const object = { ...example, id: newId(), attribution };
    const at = deps.clock.now();
    return transaction(deps.db, (tx) =>
      recordEvent(tx, { workspaceId, mode: 'live' }, { type, objectId: object.id, object, at }),
    );
  };
  return { reader, event };
}

/** Notifies of events, once more while a feed is locked, as the relay does. */
async function fanOut(ids: readonly string[]): Promise<void> {
  const { lockedEventIds } = await transaction(deps.db, (tx) =>
    notifyOfEvents(tx, { now: deps.clock.now() }, ids),
  );
  if (lockedEventIds.length > 0) await fanOut(lockedEventIds);
}

const times = <T>(count: number, work: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, work));

it('writes one notification of an event, however often and by whomever it is fanned out', async () => {
  const { reader, event } = await buildFeed();
  const ids = await times(5, event);
  await times(6, () => fanOut(ids));
  const page = await listNotifications(deps.db.manager, reader, { page: 1, limit: 20 });
  expect([page.rows.length, page.total]).toEqual([5, 5]);
  expect(await countUnread(deps.db.manager, reader)).toBe(5);
});

it('gives each notification a number of its own when many are written side by side', async () => {
  const { reader, event } = await buildFeed();
  const { event: other } = await buildFeed();
  await times(8, async () => fanOut([await event(), await other(), await event()]));
  const rows = await query<{ seq: number }>(
    deps.db.manager,
    'SELECT seq FROM notifications WHERE feed_id = $1',
    [reader.feedId],
  );
  expect(rows).toHaveLength(16);
  expect(new Set(rows.map(({ seq }) => seq)).size).toBe(16);
  expect(await countUnread(deps.db.manager, reader)).toBe(16);
});

it('counts right when news, reading and dismissing race', async () => {
  const { reader, event } = await buildFeed();
  await fanOut(await times(6, event));
  const db = deps.db.manager;
  const { rows } = await listNotifications(db, reader, { page: 1, limit: 20 });
  const context = { reader, actor: systemActor, now: deps.clock.now() };
  const [first, second] = rows;
  await Promise.all([
    ...[first, first, second].map((row) => readNotification(db, context, { id: row?.id ?? '' })),
    ...[first, second, second].map((row) =>
      dismissNotification(db, context, { id: row?.id ?? '' }),
    ),
    fanOut([await event(), await event()]),
  ]);
  expect(await countUnread(db, reader)).toBe(6);
  const page = await listNotifications(db, reader, { page: 1, limit: 20, unread: true });
  expect([page.rows.length, page.total]).toEqual([6, 6]);
  const counts = await times(3, () => readAllNotifications(db, context, { category: undefined }));
  expect(counts.sort()).toEqual([0, 0, 6]);
  expect(await countUnread(db, reader)).toBe(0);
});

it('waits for no feed that is locked: that one is answered, the others are written', async () => {
  const [mallory, alice] = [await buildFeed(), await buildFeed()];
  const ids = [await mallory.event(), await alice.event()];
  const notifyOnce = () =>
    transaction(deps.db, (tx) => notifyOfEvents(tx, { now: deps.clock.now() }, ids));
  await fanOut([await mallory.event()]);
  const holder = await holdTransaction(deps.db);
  await query(holder.tx, 'SELECT 1 FROM notification_feeds WHERE feed_id = $1 FOR UPDATE', [
    mallory.reader.feedId,
  ]);
  const met = await notifyOnce();
  expect(met.lockedEventIds).toEqual([ids[0]]);
  expect(met.news.map(({ feedId }) => feedId)).toEqual([alice.reader.feedId]);
  expect(await countUnread(deps.db.manager, alice.reader)).toBe(1);
  await holder.commit();

  expect(await notifyOnce()).toMatchObject({ lockedEventIds: [], news: { length: 1 } });
  expect(await countUnread(deps.db.manager, mallory.reader)).toBe(2);
  expect(await countUnread(deps.db.manager, alice.reader)).toBe(1);
});
