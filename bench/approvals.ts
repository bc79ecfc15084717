import { queryOne, type Db } from '../entities/database/sql';
import { commitRows, type CommitResult } from './support/commits';
import { withCpu, type CpuPerRequest } from './support/cpu';
import {
  commissionIds,
  registerMerchant,
  seedCommissions,
  seedProgram,
  withoutTimeouts,
} from './support/commission-world';
import type { CommissionWorld, Merchant } from './support/commission-world';
import { load, type LoadResult } from './support/load';
import { runBench, type Stage } from './support/stage';
import { printFigures } from './support/verdict';
import { startWorker } from './support/worker';
import { approvalOf } from './support/workloads';

/**
 * Approvals per second by HTTP, single and a hundred a request, against single-row commits by plain
 * pg in the same run; at last while a worker runs beside. Each approval is one commit of status,
 * history, event, audit and outbox rows.
 *
 *   node bench/run.mjs approvals [seconds a step] [commissions to begin with]
 */
const seconds = Number(process.argv[2] ?? 4);
const before = Number(process.argv[3] ?? 1_000_000);
const connectionSteps = [1, 16, 64];
const bulkSize = 100;

async function main(stage: Stage): Promise<void> {
  const api = await stage.serve('api/main.js');
  const merchant = await registerMerchant(api);
  const { world, ids } = await withoutTimeouts(stage.databaseUrl, async (db) => {
    const made = await seedProgram(db, merchant.workspaceId, 50);
    await seedCommissions(db, made, { count: before, onlyPending: true });
    return { world: made, ids: await commissionIds(db, made) };
  });
  const setting = { stage, api, merchant, world, ids };
  await approve(setting, 64, seconds);
  const steps: Record<string, Step> = {};
  for (const connections of connectionSteps) {
    steps[`${connections} connections`] = await measure(setting, connections);
  }
  const worker = await startWorker(stage);
  steps['64 beside a worker'] = await measure(setting, 64, worker);
  print(steps);
  printTargets(steps);
  await withoutTimeouts(stage.databaseUrl, (db) => assertConsistent(db, world));
}

interface Step {
  commits: CommitResult;
  single: LoadResult;
  /** Microseconds of CPU a decision, by process. */
  cpu: CpuPerRequest<string>;
  /** Requests with a hundred each. */
  bulk: LoadResult;
}

async function measure(setting: Setting, connections: number, worker?: number): Promise<Step> {
  const { stage, api } = setting;
  const commits = await commitRows(stage.databaseUrl, { connections, seconds });
  const processes: Record<string, number> = {
    api: stage.pidOf(api),
    ...stage.pids,
    ...(worker && { worker }),
  };
  const { result: single, cpu } = await withCpu(processes, () =>
    approve(setting, connections, seconds),
  );
  return { commits, single, cpu, bulk: await approveBulk(setting, connections, seconds) };
}

function print(steps: Record<string, Step>): void {
  const rows = Object.entries(steps).map(([name, { commits, single, cpu, bulk }]) => [
    name,
    {
      'approvals/s': single.rps,
      'p50 ms': single.p50.toFixed(2),
      'p99 ms': single.p99.toFixed(2),
      'commits/s': commits.rps,
      'of commits': `${Math.round((single.rps / commits.rps) * 100)} %`,
      'CPU us API': cpu['api'],
      Postgres: cpu['postgres'],
      Redis: cpu['redis'],
      worker: cpu['worker'],
      'in bulk/s': bulk.rps * bulkSize,
      statuses: JSON.stringify({ ...single.statuses, ...bulk.statuses }),
    },
  ]);
  console.table(Object.fromEntries(rows));
}

function printTargets(steps: Record<string, Step>): void {
  const [one, full] = [steps['1 connections'], steps['64 connections']];
  const beside = steps['64 beside a worker'];
  if (!one || !full || !beside) return;
  printFigures([
    {
      what: 'p50 of a lone decision',
      seen: one.single.p50,
      unit: 'ms',
      beside: { what: 'a commit', value: one.commits.p50 },
      target: { most: 8 },
    },
    { what: 'decisions at 64', seen: full.single.rps, unit: '/s', target: { least: 3_000 } },
    {
      what: 'p99 at 64 beside a worker',
      seen: beside.single.p99,
      unit: 'ms',
      beside: { what: 'without', value: full.single.p99 },
      target: { most: 2 },
    },
  ]);
}

interface Setting {
  stage: Stage;
  api: string;
  merchant: Merchant;
  world: CommissionWorld;
  /** The commissions that are not used yet; each is approved once. */
  ids: string[];
}

function approve(setting: Setting, connections: number, duration: number): Promise<LoadResult> {
  const { api, merchant, world, ids } = setting;
  return load({
    url: api,
    connections,
    seconds: duration,
    makeRequest: () => approvalOf(world, merchant.accessToken, ids.pop() ?? ''),
  });
}

function approveBulk(setting: Setting, connections: number, duration: number): Promise<LoadResult> {
  const { api, merchant, world, ids } = setting;
  return load({
    url: api,
    connections: Math.min(connections, 8),
    seconds: Math.min(duration, 2),
    makeRequest: () => ({
      method: 'PATCH',
      path: `/api/v1/programs/${world.programId}/commissions/bulk-approve`,
      headers: {
        Authorization: `Bearer ${merchant.accessToken}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ commissionIds: ids.splice(-bulkSize) }),
    }),
  });
}

/** Nothing lost, nothing doubled: one history line, event and audit row for each approval. */
async function assertConsistent(db: Db, { programId }: CommissionWorld): Promise<void> {
  const row = await queryOne<{ approved: number; history: number; events: number; audit: number }>(
    db,
    `SELECT (SELECT count(*) FROM commissions WHERE program_id = $1 AND status = 'approved') AS approved,
            (SELECT count(*) FROM commission_history WHERE trigger = 'approve') AS history,
            (SELECT count(*) FROM events WHERE type = 'commission.approved') AS events,
            (SELECT count(*) FROM audit_log WHERE action = 'commission.approved') AS audit`,
    [programId],
  );
  const { approved, history, events, audit } = row ?? {};
  if (approved !== history || approved !== events || approved !== audit) {
    throw new Error(`the rows do not agree: ${JSON.stringify(row)}`);
  }
}

runBench(main);
