import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '../runtime/process/deps';
import { newId } from '../entities/ids';
import { execute, query } from '../entities/database/sql';
import { startRelay } from '../workers/relay/relay';
import { relayOnce } from '../test/support/workers/relay-once';
import { relayHandlers } from '../workers/relay/handlers';
import { startWorkers } from '../workers/temporal/worker';
import { taskQueues, workflowIds } from '../workflows/messages';
import {
  seedCommissions,
  seedProgram,
  withoutTimeouts,
  seedWorkspace,
} from './support/commission-world';
import { runBench, type Stage } from './support/stage';

/**
 * Workflow starts per second through the relay, its bound off, against bare starts by the client in
 * the same run; then the time from the end of a hold to the approval, with relay and worker running.
 *
 *   node bench/run.mjs relay [starts] [holds]
 */
const starts = Number(process.argv[2] ?? 600);
const holds = Number(process.argv[3] ?? 50);
const lanes = 32;
const holdMs = 4_000;

async function main(stage: Stage): Promise<void> {
  const temporal = await stage.startTemporal();
  const deps = await stage.openDeps({
    TEMPORAL_ADDRESS: temporal.address,
    RELAY_STARTS_PER_SECOND: '0',
  });
  const workspaceId = newId();
  await withoutTimeouts(stage.databaseUrl, async (db) => {
    await seedWorkspace(db, workspaceId);
    const world = await seedProgram(db, workspaceId, 10);
    await seedCommissions(db, world, { count: starts + holds, onlyPending: true });
  });
  // The first of each kind pays for connections and caches.
  await startBare(deps, 50);
  const bare = await startBare(deps, starts);
  const relayed = await startThroughRelay(deps);
  console.table([
    { what: 'bare client', 'starts/s': Math.round(bare) },
    {
      what: 'relay',
      'starts/s': Math.round(relayed),
      'of bare': `${Math.round((relayed / bare) * 100)} %`,
    },
  ]);
  console.table([await measureHolds(deps)]);
}

async function startBare({ temporal }: Deps, count: number): Promise<number> {
  const ids = Array.from({ length: count }, () => newId());
  const began = performance.now();
  const lane = async (): Promise<void> => {
    for (let id = ids.pop(); id; id = ids.pop()) {
      await temporal.client.workflow.start('commissionLifecycle', {
        workflowId: workflowIds.commission(id),
        taskQueue: taskQueues.commissions,
        args: [{ commissionId: id, holdUntil: null, needsReview: false }],
      });
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return count / ((performance.now() - began) / 1_000);
}

async function startThroughRelay(deps: Deps): Promise<number> {
  const db = deps.db.manager;
  await execute(
    db,
    `INSERT INTO outbox (topic, ref, available_at)
     SELECT 'commission', id, now() FROM commissions ORDER BY id LIMIT $1`,
    [starts],
  );
  const handler = relayHandlers(deps).commission;
  const began = performance.now();
  let done = 0;
  while (done < starts) done += await relayOnce(deps, 'commission', handler);
  return starts / ((performance.now() - began) / 1_000);
}

/** Holds that end together, as those of one busy minute do; the first one only warms up. */
async function measureHolds(deps: Deps) {
  const db = deps.db.manager;
  // The backlog of the first part has no place in this one.
  await execute(
    db,
    `DELETE FROM commissions WHERE id IN (SELECT id FROM commissions ORDER BY id LIMIT $1)`,
    [starts],
  );
  const running = [startWorkers(deps), startRelay(deps, relayHandlers(deps))];
  await holdUntilApproved(deps, 1);
  await holdUntilApproved(deps, holds - 1);
  const [late] = await query<object>(
    db,
    `SELECT count(*) AS holds,
       round(percentile_cont(0.5) WITHIN GROUP (ORDER BY ms)) AS "p50 ms",
       round(max(ms)) AS "max ms"
     FROM (SELECT extract(epoch FROM approved_at - hold_until)::float8 * 1000 AS ms
           FROM commissions WHERE status = 'approved' ORDER BY approved_at OFFSET 1) AS waited`,
  );
  await Promise.all(running.map((part) => part.stop()));
  return { what: 'hold over -> approved', ...late };
}

async function holdUntilApproved(deps: Deps, count: number): Promise<void> {
  const db = deps.db.manager;
  const held = await query<{ id: string }>(
    db,
    `UPDATE commissions SET auto_approve = true, hold_elapsed = false, version = version + 1,
       hold_until = now() + $2 * interval '1 millisecond'
     WHERE id IN (SELECT id FROM commissions WHERE status = 'pending' ORDER BY id LIMIT $1)
     RETURNING id`,
    [count, holdMs],
  );
  const ids = held.map(({ id }) => id);
  await execute(
    db,
    `INSERT INTO outbox (topic, ref, available_at) SELECT 'commission', id, now() FROM unnest($1::uuid[]) AS id`,
    [ids],
  );
  for (let turn = 0; turn < 300; turn += 1) {
    const open = await query(
      db,
      `SELECT 1 FROM commissions WHERE id = ANY($1) AND status = 'pending' LIMIT 1`,
      [ids],
    );
    if (open.length === 0) return;
    await sleep(200);
  }
  throw new Error('a hold ended and nothing came of it');
}

runBench(main);
