import { setTimeout as sleep } from 'node:timers/promises';
import { repairLifecycles } from '../activities/maintenance/lifecycles';
import { createPace } from '../runtime/load/pace';
import { withoutWorkflow } from '../activities/maintenance/open-workflows';
import type { Deps } from '../runtime/process/deps';
import { countFrom, execute, query, type Db } from '../entities/database/sql';
import { relayOnce } from '../test/support/workers/relay-once';
import { relayHandlers } from '../workers/relay/handlers';
import { workflowIds } from '../runtime/temporal/messages';
import {
  seedCommissions,
  seedProgram,
  withoutTimeouts,
  seedWorkspace,
} from './support/commission-world';
import { runBench, type Stage } from './support/stage';
import { round } from './support/table';

/**
 * What many pending commissions cost: a full round of the sweep that looks for lost lifecycles, as
 * long as none is lost; and restarting lifecycles after Temporal has lost its data, through sweep,
 * outbox and relay, its bound off. The round asks a stand-in for Temporal, which would need days to
 * be given as many workflows; what one look-up of the real one takes is measured beside.
 *
 *   npm run bench pending [commissions, default 1000000] [rebuilt, default 3000]
 *
 * Ten million take some minutes to fill, and some GB of disk for as long as it runs.
 */
const commissions = Number(process.argv[2] ?? 1_000_000);
const rebuilt = Number(process.argv[3] ?? 3_000);
/** A batch makes three list calls, of which there are three a second. */
const secondsABatch = 1;
/** What a batch takes of itself is measured. */
const unpaced = createPace(0);

async function main(stage: Stage): Promise<void> {
  const temporal = await stage.startTemporal({ persistent: false });
  const deps = await stage.openDeps({
    TEMPORAL_ADDRESS: temporal.address,
    RELAY_STARTS_PER_SECOND: '0',
  });
  const filled = await timed(() => withoutTimeouts(stage.databaseUrl, fill));
  console.log(`${commissions} pending commissions in ${round(filled.ms / 1_000)} s`);
  const rebuild = await measureRebuild(deps);
  const round_ = await measureRound(deps);
  print({ ...rebuild, ...round_ });
}

/** Fills the tables without what the sweep does not read: other indexes and counters would only take time and disk. */
async function fill(db: Db): Promise<void> {
  const needed = ['commissions_pkey', 'ix_commissions_pending', 'ix_commissions_due'];
  const others = await query<{ name: string; constraint: boolean }>(
    db,
    `SELECT i.relname AS name, k.oid IS NOT NULL AS constraint
       FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
       LEFT JOIN pg_constraint k ON k.conindid = i.oid
      WHERE x.indrelid = 'commissions'::regclass AND NOT i.relname = ANY ($1)`,
    [needed],
  );
  for (const { name, constraint } of others) {
    await execute(
      db,
      constraint ? `ALTER TABLE commissions DROP CONSTRAINT ${name}` : `DROP INDEX ${name}`,
    );
  }
  await execute(db, 'ALTER TABLE commissions DISABLE TRIGGER USER');
  const workspaceId = await seedWorkspace(db);
  const world = await seedProgram(db, workspaceId, 50);
  await seedCommissions(db, world, { count: commissions, onlyPending: true });
}

/** Sweep, outbox and relay of the first of them; then one look-up of those that are open now. */
async function measureRebuild(deps: Deps) {
  const db = deps.db.manager;
  const handler = relayHandlers(deps).commission;
  const amount = Math.min(rebuilt, commissions);
  // The first starts pay for connections and caches.
  let cursor = (await repairLifecycles(deps, null, unpaced)).cursor;
  await drain(deps, handler);
  const began = performance.now();
  let woken = 0;
  while (woken < amount) {
    const swept = await repairLifecycles(deps, cursor, unpaced);
    cursor = swept.cursor;
    woken += swept.woken;
    await drain(deps, handler);
    if (cursor === null) break;
  }
  const startsPerSecond = woken / ((performance.now() - began) / 1_000);

  const first = await query<{ id: string }>(db, 'SELECT id FROM commissions ORDER BY id LIMIT $1', [
    Math.min(300, commissions),
  ]);
  const names = first.map(({ id }) => workflowIds.commission(id));
  const lookUp = await timed(() => untilVisible(deps, names));
  const again = await timed(() => withoutWorkflow(deps, { rows: names, workflowIdOf: (id) => id }));
  if (lookUp.result !== 0) throw new Error(`${lookUp.result} lifecycles are not open`);
  return { woken, startsPerSecond, lookUpMs: again.ms };
}

type Handler = Parameters<typeof relayOnce>[2];

async function drain(deps: Deps, handler: Handler): Promise<void> {
  while ((await countFrom(deps.db.manager, 'outbox')) > 0) {
    await relayOnce(deps, 'commission', handler);
  }
}

/** Visibility is a moment behind. Gives how many were not seen in time. */
async function untilVisible(deps: Deps, names: readonly string[]): Promise<number> {
  for (let turn = 0; ; turn += 1) {
    const lost = await withoutWorkflow(deps, { rows: names, workflowIdOf: (id) => id });
    if (lost.length === 0 || turn > 100) return lost.length;
    await sleep(100);
  }
}

/** A full round while every lifecycle is open. */
async function measureRound(deps: Deps) {
  const statements = countStatements(deps);
  let batches = 0;
  let cursor: string | null = null;
  const { ms } = await timed(async () => {
    do {
      const swept = await repairLifecycles({ ...deps, temporal: allOpen(deps) }, cursor, unpaced);
      if (swept.woken > 0) throw new Error('a lifecycle that is open was started again');
      cursor = swept.cursor;
      batches += 1;
    } while (cursor !== null);
  });
  return { roundMs: ms, batches, statements: statements() };
}

/** Answers each look-up with all ids that it names. */
function allOpen({ temporal }: Deps): Deps['temporal'] {
  const list = ({ query: text = '' }: { query?: string }) => {
    const ids = [...text.matchAll(/'(commission\/[^']+)'/g)];
    return (async function* () {
      for (const [, workflowId] of ids) yield { workflowId };
    })();
  };
  return { ...temporal, client: { workflow: { list } } } as unknown as Deps['temporal'];
}

/** Outside of a transaction each statement asks for a connection of its own. */
function countStatements({ db }: Deps): () => number {
  let count = 0;
  db.timeWaits(() => (count += 1));
  return () => count;
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const began = performance.now();
  const result = await work();
  return { result, ms: performance.now() - began };
}

function print(seen: {
  woken: number;
  startsPerSecond: number;
  lookUpMs: number;
  roundMs: number;
  batches: number;
  statements: number;
}): void {
  const withLookUps = seen.roundMs + seen.batches * seen.lookUpMs;
  const hours = (count: number): number => round(count / seen.startsPerSecond / 3_600);
  const figures: [figure: string, value: number, unit: string][] = [
    ['pending commissions', commissions, ''],
    ['full round, Postgres alone', Math.round(seen.roundMs), 'ms'],
    ['statements of a round', seen.statements, ''],
    ['batches of a round', seen.batches, ''],
    ['one look-up of 300 in Temporal', round(seen.lookUpMs), 'ms'],
    ['full round with look-ups', round(withLookUps / 1_000), 's'],
    ['as its schedule paces it', round((seen.batches * secondsABatch) / 3_600), 'h'],
    ['lifecycles restarted', seen.woken, ''],
    ['of them a second', Math.round(seen.startsPerSecond), '/s'],
    ['all of them at that rate', hours(commissions), 'h'],
    ['ten million at that rate', hours(10_000_000), 'h'],
  ];
  console.table(figures.map(([figure, value, unit]) => ({ figure, value, unit })));
}

runBench(main);
