import { purgeTable } from '../activities/maintenance/purges';
import { countFrom, execute, type Db } from '../entities/database/sql';
import { buildShops } from './support/click-world';
import { withoutTimeouts } from './support/commission-world';
import { load } from './support/load';
import { runBench, type Stage } from './support/stage';
import { clickOf } from './support/workloads';
import { printRatios } from './support/table';

/**
 * p99 of clicks while the purge deletes a million deliveries that are past their time, batch after
 * batch as its schedule does, beside their p99 without. The API is a process of its own.
 *
 *   npm run bench purge [rows, default 1000000] [seconds without, default 20] [clicks a second, default 100]
 */
const rows = Number(process.argv[2] ?? 1_000_000);
const seconds = Number(process.argv[3] ?? 20);
const rate = Number(process.argv[4] ?? 100);
const young = 1_000;

async function main(stage: Stage): Promise<void> {
  const db = stage.db.manager;
  const shops = await buildShops(db, 200);
  const api = await stage.serve('api/main.js');
  await withoutTimeouts(stage.databaseUrl, (own) => fill(own));
  const clicks = (until: { seconds: number } | { until: () => boolean }) =>
    load({ url: api, connections: 16, rate, makeRequest: (n) => clickOf(shops, n), ...until });

  await clicks({ seconds: Math.min(seconds, 5) });
  const without = await clicks({ seconds });
  let isOver = false;
  const began = performance.now();
  const [beside, deleted] = await Promise.all([
    clicks({ until: () => isOver }),
    purge(db).finally(() => (isOver = true)),
  ]);
  const took = (performance.now() - began) / 1_000;

  console.log(
    `\n${deleted} rows deleted in ${took.toFixed(1)} s while ${beside.requests} clicks came`,
  );
  printRatios([
    { figure: 'click p50', without: without.p50, with: beside.p50, target: 2 },
    { figure: 'click p99', without: without.p99, with: beside.p99, target: 2 },
  ]);
  await verify(db, { deleted, statuses: [without.statuses, beside.statuses] });
}

/** Deliveries of the month before last, and a few of now, which stay. */
async function fill(db: Db): Promise<void> {
  const insert = `
    INSERT INTO webhook_deliveries (id, workspace_id, mode, endpoint_id, event_id, event_type, status,
      attempts, http_status_code, duration_ms, response_body, created_at, last_attempt_at)
    SELECT uuidv7(at - now()), uuidv7(), 'live', uuidv7(), uuidv7(), 'commission.created', 'succeeded',
           1, 200, 30, 'ok', at, at
      FROM (SELECT now() - $1::interval + n * interval '1 millisecond' AS at
              FROM generate_series(1, $2::int) AS n) AS moment`;
  for (let done = 0; done < rows; done += 100_000) {
    await execute(db, insert, ['60 days', Math.min(100_000, rows - done)]);
  }
  await execute(db, insert, ['1 day', young]);
  await execute(db, 'VACUUM (ANALYZE) webhook_deliveries');
}

async function purge(db: Db): Promise<number> {
  let deleted = 0;
  for (;;) {
    const batch = await purgeTable(db, 'webhook_deliveries', new Date());
    if (batch === 0) return deleted;
    deleted += batch;
  }
}

async function verify(
  db: Db,
  { deleted, statuses }: { deleted: number; statuses: Record<number, number>[] },
): Promise<void> {
  const left = await countFrom(db, 'webhook_deliveries');
  if (deleted !== rows || left !== young) throw new Error(`${deleted} deleted, ${left} left`);
  const refused = statuses
    .flatMap((counts) => Object.keys(counts))
    .filter((code) => code !== '201');
  if (refused.length > 0) throw new Error(`clicks were answered ${refused.join(', ')}`);
}

runBench(main);
