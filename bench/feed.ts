import { readerParams, readerRow, type Reader } from '../activities/notifications/reader';
import { unreadOfReader } from '../api/notifications/live/news.queries';
import { execute, query, type Db } from '../entities/database/sql';
import { withoutTimeouts } from './support/commission-world';
import { load } from './support/load';
import { runBench, type Stage } from './support/stage';
import { seedFollowers, type Follower } from './support/streams/world';

/**
 * The feed of a workspace that has very many notifications, by HTTP, and what the count of unread
 * ones reads. Fails when a page or a count is not what was written.
 *
 *   node bench/run.mjs feed [notifications, default a million] [requests of each, default 200]
 */
const notifications = Number(process.argv[2] ?? 1_000_000);
const requests = Number(process.argv[3] ?? 200);
const path = '/api/v1/notifications';
const categories = ['conversions', 'commissions', 'partners', 'fraud'];
/** Of each four, so that what is unread is spread over the whole feed. */
const readOfFour = 3;

async function main(stage: Stage): Promise<void> {
  const began = performance.now();
  const [follower] = await seedFollowers(stage.db.manager, 2, stage.secrets);
  if (!follower) throw new Error('there is no account');
  await withoutTimeouts(stage.databaseUrl, (db) => seedFeed(db, follower));
  const seconds = (performance.now() - began) / 1_000;
  const api = await stage.serve('api/main.js');
  await checkFigures(api, follower);
  const rows: object[] = [];
  for (const [name, request] of Object.entries(pages())) {
    rows.push({ request: name, ...(await measure(`${api}`, request, follower.token)) });
  }
  console.log(`${notifications} notifications written in ${seconds.toFixed(0)} s`);
  console.table(rows);
  console.log(`unread count: ${await buffersOfUnread(stage.db.manager, follower)}`);
}

function pages(): Record<string, string> {
  const deep = Math.max(1, Math.floor(notifications / 2 / 100));
  return {
    'first page': `${path}?limit=20`,
    'first page of 100': `${path}?limit=100`,
    'one category': `${path}?category=fraud&limit=20`,
    unread: `${path}?unread=true&limit=20`,
    'read, one category': `${path}?unread=false&category=commissions&limit=20`,
    'page 100': `${path}?limit=20&page=100`,
    [`page ${deep} of 100`]: `${path}?limit=100&page=${deep}`,
    'unread count': `${path}/unread-count`,
  };
}

/** Every category in turn; three of four were read one by one, the oldest tenth by a mark. */
async function seedFeed(db: Db, { feedId, accountId }: Follower): Promise<void> {
  await execute(db, 'INSERT INTO notification_feeds (feed_id, version) VALUES ($1, $2)', [
    feedId,
    notifications,
  ]);
  await execute(
    db,
    `INSERT INTO notifications (id, feed_id, seq, side, workspace_id, mode, category, type, audience,
       cause_id, title, body, data, created_at)
     SELECT uuidv7(), $1::uuid, n, 'merchant', $1::uuid, 'live', ($3::text[])[1 + n % 4], 'conversion.created',
            'everyone', gen_random_uuid(), 'A new conversion', 'Bench: a sale of EUR 49.00', '{}',
            now() - ($2::int - n) * interval '1 second'
       FROM generate_series(1, $2::int) AS n`,
    [feedId, notifications, categories],
  );
  await execute(
    db,
    `INSERT INTO notification_totals (feed_id, mode, category, total)
     SELECT feed_id, mode, category, count(*) FROM notifications GROUP BY 1, 2, 3`,
  );
  await execute(
    db,
    `INSERT INTO notification_read_marks (account_id, mode, category, through_seq, read_at)
     SELECT $1::uuid, 'live', category, $2::int / 10, now() FROM unnest($3::text[]) AS category`,
    [accountId, notifications, categories],
  );
  await execute(
    db,
    `INSERT INTO notification_reads (notification_id, account_id, read_at)
     SELECT id, $1::uuid, now() FROM notifications
      WHERE seq > $2::int / 10 AND (seq / 4) % 4 < ${readOfFour}`,
    [accountId, notifications],
  );
  await execute(
    db,
    `INSERT INTO notification_unread (feed_id, account_id, mode, category, unread)
     SELECT n.feed_id, $1::uuid, n.mode, n.category, count(*) FROM notifications AS n
      WHERE n.seq > $2::int / 10 AND (n.seq / 4) % 4 >= ${readOfFour} GROUP BY 1, 2, 3, 4`,
    [accountId, notifications],
  );
  await query(db, 'VACUUM ANALYZE');
}

/** What pages and counts say against what was written. */
async function checkFigures(api: string, { token }: Follower): Promise<void> {
  const get = async (request: string) => {
    const answer = await fetch(api + request, { headers: { Authorization: `Bearer ${token}` } });
    return (await answer.json()) as { count?: number; total?: number; data?: unknown[] };
  };
  const unread = (await get(`${path}/unread-count`)).count ?? -1;
  const all = await get(`${path}?limit=100`);
  const listed = await get(`${path}?unread=true&limit=100`);
  const of = { unread, all: all.total, listed: listed.total, page: listed.data?.length };
  const isRight =
    all.total === notifications && listed.total === unread && listed.data?.length === 100;
  if (!isRight) throw new Error(`the feed says ${JSON.stringify(of)}`);
}

async function measure(api: string, request: string, token: string) {
  const times: number[] = [];
  const headers = { Authorization: `Bearer ${token}` };
  const makeRequest = () => ({ method: 'GET', path: request, headers });
  await load({ url: api, connections: 1, amount: 5, seconds: 20, makeRequest });
  for (let turn = 0; turn < 4; turn += 1) {
    const { p50, p99, statuses } = await load({
      url: api,
      connections: 1,
      amount: Math.ceil(requests / 4),
      seconds: 10,
      makeRequest,
    });
    if (Object.keys(statuses).join() !== '200') throw new Error(JSON.stringify(statuses));
    times.push(p50, p99);
  }
  const ms = (value: number | undefined): string => (value ?? 0).toFixed(1);
  const [p50s, p99s] = [times.filter((_, n) => n % 2 === 0), times.filter((_, n) => n % 2 === 1)];
  return {
    'p50 ms (best of 4)': ms(Math.min(...p50s)),
    'p99 ms (best of 4)': ms(Math.min(...p99s)),
  };
}

/** Pages of the tables and indexes that the statement looks at; they do not grow with the feed. */
async function buffersOfUnread(db: Db, { feedId, accountId }: Follower): Promise<string> {
  const reader: Reader = { side: 'merchant', feedId, accountId, mode: 'live', isAdmin: true };
  const [row] = await query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(
    db,
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT ${unreadOfReader} FROM ${readerRow}`,
    readerParams(reader),
  );
  const plan = row?.['QUERY PLAN'][0]?.Plan ?? {};
  const buffers = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
  return `${buffers} buffers, ${plan['Actual Total Time']} ms in the database`;
}

runBench(main);
