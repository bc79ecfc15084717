import { randomInt } from 'node:crypto';
import { createClickBatcher, type ClickRow } from '../activities/clicks/store';
import { newId, uuidTime } from '../entities/ids';
import { query, queryOne, type Db } from '../entities/database/sql';
import { buildShops, fillClicks } from './support/click-world';
import { runBench, type Stage } from './support/stage';

/**
 * Whether a click costs more when many are stored: the same clicks into a table of 10 thousand rows
 * and of many more. Time and written log are compared; a busy machine spoils the first only.
 *
 *   node bench/run.mjs click-growth [stored clicks in the end, default 10000000]
 */
const small = 10_000;
const large = Number(process.argv[2] ?? 10_000_000);
const measured = 40_000;
const at = { once: 250 };

interface Cost {
  microseconds: number;
  walBytes: number;
}

async function main(stage: Stage): Promise<void> {
  const db = stage.db.manager;
  await buildShops(db, 1_000);
  await fillClicks(db, small);
  await measure(db);
  const before = await measure(db);
  await fillClicks(db, large);
  // The pages that every click touches are in memory again after the first round.
  await measure(db);
  const after = await measure(db);
  print(`at ${small}`, before);
  print(`at ${large}`, after);
  print('ratio', {
    microseconds: after.microseconds / before.microseconds,
    walBytes: after.walBytes / before.walBytes,
  });
}

async function measure(db: Db): Promise<Cost> {
  const links = await query<{ id: string }>(db, 'SELECT id FROM tracking_links');
  const batcher = createClickBatcher(db);
  const submit = (): Promise<unknown> => batcher.submit(row(links[randomInt(links.length)]?.id));
  const logBefore = await logPosition(db);
  const started = performance.now();
  for (let done = 0; done < measured; done += at.once) {
    await Promise.all(Array.from({ length: at.once }, submit));
  }
  const elapsedMs = performance.now() - started;
  return {
    microseconds: (elapsedMs * 1_000) / measured,
    walBytes: ((await logPosition(db)) - logBefore) / measured,
  };
}

function row(linkId = ''): ClickRow {
  const id = newId();
  return {
    id,
    createdAt: uuidTime(id),
    linkId,
    visitorId: newId(),
    url: 'https://shop.example/?ref=partner',
    referrer: 'https://blog.example/post',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Safari/537.36',
    ipHash: `k1:${id}`,
    isRepeat: false,
  };
}

async function logPosition(db: Db): Promise<number> {
  const row = await queryOne<{ bytes: string }>(
    db,
    "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text AS bytes",
  );
  return Number(row?.bytes);
}

function print(name: string, { microseconds, walBytes }: Cost): void {
  const columns = [name, `${microseconds.toFixed(2)} us`, `${walBytes.toFixed(2)} bytes of log`];
  process.stdout.write(`${columns.map((column) => column.padEnd(16)).join(' ')}\n`);
}

runBench(main);
