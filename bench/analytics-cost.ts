import { setTimeout as pause } from 'node:timers/promises';
import { foldAnalytics, restAfterFold } from '../activities/analytics/fold';
import { execute, type Db } from '../entities/database/sql';
import { buildShops, type Shop } from './support/click-world';
import { load } from './support/load';
import { openStage } from './support/stage';

/**
 * Clicks per second with the sums of analytics and without: on is the number of the transaction, its
 * index and a fold each second; off is none of them. In turns, in one run.
 *
 *   node bench/run.mjs analytics-cost [seconds a turn, default 4] [turns of each, default 4]
 */
const seconds = Number(process.argv[2] ?? 4);
const turns = Number(process.argv[3] ?? 4);

async function main(): Promise<void> {
  const stage = await openStage();
  const db = stage.db.manager;
  try {
    const shops = await buildShops(db, 1_000);
    const api = await stage.serve('api/main.js');
    await measure(api, shops);
    const rates: Record<'on' | 'off', number[]> = { on: [], off: [] };
    for (let turn = 0; turn < turns; turn += 1) {
      for (const setting of turn % 2 ? (['on', 'off'] as const) : (['off', 'on'] as const)) {
        await switchTo(db, setting);
        const stop = setting === 'on' ? foldEachSecond(db) : () => Promise.resolve();
        rates[setting].push(await measure(api, shops));
        await stop();
      }
    }
    print('on', rates.on);
    print('off', rates.off);
    const cost = 1 - mean(rates.on) / mean(rates.off);
    process.stdout.write(`the sums cost ${(100 * cost).toFixed(1)} % of the clicks per second\n`);
  } finally {
    await stage.close();
  }
}

async function switchTo(db: Db, setting: 'on' | 'off'): Promise<void> {
  await execute(db, 'TRUNCATE clicks');
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

async function measure(url: string, shops: Shop[]): Promise<number> {
  const result = await load({
    url,
    connections: 64,
    seconds,
    makeRequest: (index) => {
      const shop = shops[index % shops.length];
      return {
        path: '/v1/clicks',
        headers: {
          'Content-Type': 'text/plain;charset=UTF-8',
          'User-Agent': 'Mozilla/5.0 Firefox',
        },
        body: JSON.stringify({ key: shop?.key, ref: shop?.ref, url: 'https://shop.example/' }),
      };
    },
  });
  return result.rps;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function print(name: string, values: readonly number[]): void {
  process.stdout.write(`${name.padEnd(6)} ${values.map(Math.round).join(' ')} clicks/s\n`);
}

void main();
