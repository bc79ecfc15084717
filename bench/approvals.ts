import { query, queryOne, type Db } from '../entities/database/sql';
import { commitRows, type CommitResult } from './support/commits';
import { withCpu } from './support/cpu';
import {
  registerMerchant,
  seedCommissions,
  seedProgram,
  withoutTimeouts,
} from './support/commission-world';
import type { CommissionWorld, Merchant } from './support/commission-world';
import { load, type LoadResult } from './support/load';
import { openStage } from './support/stage';
import { printFigures, runBench, type Figure } from './support/verdict';

/**
 * Approvals per second by HTTP, single and a hundred a request, against single-row commits by plain
 * pg in the same run. Each approval is one commit of status, history, event, audit and outbox rows.
 *
 *   node bench/run.mjs approvals [seconds a step] [commissions to begin with]
 */
const seconds = Number(process.argv[2] ?? 4);
const before = Number(process.argv[3] ?? 1_000_000);
const steps = [1, 16, 64];
const bulkSize = 100;

async function main(): Promise<void> {
  const stage = await openStage();
  try {
    const api = await stage.serve('api/main.js');
    const merchant = await registerMerchant(api);
    const { world, ids } = await withoutTimeouts(stage.databaseUrl, async (db) => {
      const made = await seedProgram(db, merchant.workspaceId, 50);
      await seedCommissions(db, made, { count: before, onlyPending: true });
      return { world: made, ids: await pendingIds(db, made) };
    });
    const rows: Record<string, unknown>[] = [];
    const figures: Figure[] = [];
    await approve({ api, merchant, world, ids }, 64, seconds);
    for (const connections of steps) {
      const commits = await commitRows(stage.databaseUrl, { connections, seconds });
      const { result: single, cpu } = await withCpu(
        { api: stage.pidOf(api), postgres: stage.pids.postgres },
        () => approve({ api, merchant, world, ids }, connections, seconds),
      );
      figures.push(...figuresOf(connections, single, commits));
      const bulk = await approveBulk({ api, merchant, world, ids }, connections, seconds);
      rows.push({
        connections,
        'approvals/s': single.rps,
        'p50 ms': single.p50.toFixed(2),
        'p99 ms': single.p99.toFixed(2),
        'commits/s': commits.rps,
        'of commits': `${Math.round((single.rps / commits.rps) * 100)} %`,
        'CPU us API': cpu.api,
        Postgres: cpu.postgres,
        'in bulk/s': bulk.rps * bulkSize,
        statuses: JSON.stringify({ ...single.statuses, ...bulk.statuses }),
      });
    }
    console.table(rows);
    printFigures(figures);
    await withoutTimeouts(stage.databaseUrl, (db) => assertConsistent(db, world));
  } finally {
    await stage.close();
  }
}

function figuresOf(connections: number, single: LoadResult, commits: CommitResult): Figure[] {
  if (connections === 1) {
    const beside = { what: 'a commit', value: commits.p50 };
    return [
      { what: 'p50 of a lone decision', seen: single.p50, unit: 'ms', beside, target: { most: 8 } },
    ];
  }
  if (connections !== 64) return [];
  return [{ what: 'decisions at 64', seen: single.rps, unit: '/s', target: { least: 3_000 } }];
}

interface Setting {
  api: string;
  merchant: Merchant;
  world: CommissionWorld;
  /** Not yet used; each is approved once. */
  ids: string[];
}

async function pendingIds(db: Db, { programId }: CommissionWorld): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    "SELECT id FROM commissions WHERE program_id = $1 AND status = 'pending' ORDER BY random()",
    [programId],
  );
  return rows.map((row) => row.id);
}

function approve(setting: Setting, connections: number, duration: number): Promise<LoadResult> {
  const { api, merchant, world, ids } = setting;
  return load({
    url: api,
    connections,
    seconds: duration,
    makeRequest: () => ({
      method: 'PATCH',
      path: `/api/v1/programs/${world.programId}/commissions/${ids.pop() ?? ''}/approve`,
      headers: { Authorization: `Bearer ${merchant.accessToken}` },
    }),
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
