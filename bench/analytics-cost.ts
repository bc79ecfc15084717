import { setTimeout as pause } from 'node:timers/promises';
import { foldAnalytics, restAfterFold } from '../activities/analytics/fold';
import { execute, query, type Db } from '../entities/database/sql';
import { buildShops, type Shop } from './support/click-world';
import { load, type LoadResult } from './support/load';
import { runBench, type Stage } from './support/stage';
import { clickOf } from './support/workloads';
import { inTurns, printTurns } from './support/turns';

/**
 * Clicks per second with the sums of analytics and without: on is the number of the transaction, its
 * index and a fold each second; off is none of them. In turns, in one run; what Postgres spends on a
 * click is the judge, for rates are those of a machine that may be shared.
 *
 *   node bench/run.mjs analytics-cost [seconds a turn, default 4] [turns of each, default 10]
 */
const seconds = Number(process.argv[2] ?? 4);
const turns = Number(process.argv[3] ?? 10);

const settings = ['on', 'off'] as const;

async function main(stage: Stage): Promise<void> {
  const db = stage.db.manager;
  const shops = await buildShops(db, 1_000);
  const api = await stage.serve('api/main.js');
  await measure(api, shops);
  const result = await inTurns({
    settings,
    turns,
    // The folds run in this process, beside the generator: its time is theirs and the load's.
    pids: { API: stage.pidOf(api), Postgres: stage.pids.postgres },
    run: async (setting) => {
      await switchTo(db, setting);
      const stop = setting === 'on' ? foldEachSecond(db) : () => Promise.resolve();
      const load = await measure(api, shops);
      await stop();
      await assertCounted(db, setting, load.requests);
      return load;
    },
  });
  printTurns(result, { settings, target: '1.05' });
}

/** Each click is stored and, with sums, in them once; the folds' last turn is part of the cost. */
async function assertCounted(db: Db, setting: 'on' | 'off', clicks: number): Promise<void> {
  if (setting === 'on') await foldAnalytics(db);
  const [row] = await query<{ stored: number; summed: number }>(
    db,
    `SELECT (SELECT count(*) FROM clicks) AS stored,
            (SELECT coalesce(sum(value), 0)::bigint FROM analytics_totals
              WHERE measure = 'clicks' AND minutes = 15) AS summed`,
  );
  if (row?.stored === clicks && row.summed === (setting === 'on' ? clicks : 0)) return;
  throw new Error(`${clicks} clicks were answered, there are ${JSON.stringify(row)}`);
}

async function switchTo(db: Db, setting: 'on' | 'off'): Promise<void> {
  await execute(db, 'TRUNCATE clicks, analytics_rollups, analytics_totals, analytics_facts');
  await execute(db, 'DROP INDEX IF EXISTS ix_clicks_recorded_in');
  const isOn = setting === 'on';
  await execute(
    db,
    `ALTER TABLE clicks ALTER COLUMN recorded_in
       ${isOn ? 'SET DEFAULT pg_current_xact_id()::text::bigint' : 'DROP DEFAULT'}`,
  );
  // A partition has defaults of its own.
  await execute(
    db,
    `DO $$ DECLARE part regclass; BEGIN
       FOR part IN SELECT inhrelid FROM pg_inherits WHERE inhparent = 'clicks'::regclass LOOP
         EXECUTE format('ALTER TABLE %s ALTER COLUMN recorded_in ${
           isOn ? 'SET DEFAULT pg_current_xact_id()::text::bigint' : 'DROP DEFAULT'
         }', part);
       END LOOP; END $$`,
  );
  if (isOn) await execute(db, 'CREATE INDEX ix_clicks_recorded_in ON clicks (recorded_in)');
}

/** As the worker does; the folds share this process with the generator, which makes no difference. */
function foldEachSecond(db: Db): () => Promise<void> {
  const stop = new AbortController();
  const running = (async () => {
    while (!stop.signal.aborted) {
      const started = performance.now();
      await foldAnalytics(db);
      const rest = restAfterFold(performance.now() - started);
      await pause(rest, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  })();
  return async () => {
    stop.abort();
    await running;
  };
}

async function measure(url: string, shops: Shop[]): Promise<LoadResult> {
  return load({
    url,
    connections: 64,
    seconds,
    makeRequest: (index) => clickOf(shops, index),
  });
}

runBench(main);
