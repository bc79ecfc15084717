import { readNews } from '../../../api/notifications/live/news.queries';
import { execute } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import { useDeps } from '../../support/app';

const deps = useDeps();

/** A feed of rows of which only the last is of live mode. */
async function buildFeed(rows: number) {
  const db = deps.db.manager;
  const feedId = newId();
  await execute(db, 'INSERT INTO notification_feeds (feed_id, version) VALUES ($1, $2)', [
    feedId,
    rows,
  ]);
  await execute(
    db,
    `INSERT INTO notifications (id, feed_id, seq, side, mode, category, type, audience, cause_id,
       title, body, data, created_at)
     SELECT gen_random_uuid(), $1, n, 'merchant', CASE n WHEN $2 THEN 'live' ELSE 'test' END,
            'conversions', 'conversion.created', 'everyone', gen_random_uuid(), 'T', 'B', '{}', now()
       FROM generate_series(1, $2::int) AS n`,
    [feedId, rows],
  );
  const follower = { feedId, accountId: newId(), mode: 'live', isAdmin: true } as const;
  return (after: number, limit = 20) =>
    readNews(deps.db.manager, [{ ...follower, after }], limit).then(([news]) => news);
}

describe('news of a feed', () => {
  it('costs a thousand rows a read at most, whatever they show, and goes on where it stopped', async () => {
    const read = await buildFeed(2_500);
    expect(await read(0)).toMatchObject({ seen: 1_000, isAll: false, rows: [] });
    expect(await read(1_000)).toMatchObject({ seen: 2_000, isAll: false, rows: [] });
    expect(await read(2_000)).toMatchObject({ seen: 2_500, isAll: true, rows: [{ seq: 2_500 }] });
  });

  it('stops at the last row that it shows when there are as many as fit', async () => {
    const read = await buildFeed(3);
    expect(await read(0, 1)).toMatchObject({ seen: 3, isAll: false, rows: [{ seq: 3 }] });
    expect(await read(3, 1)).toMatchObject({ seen: 3, isAll: true, rows: [] });
  });
});
