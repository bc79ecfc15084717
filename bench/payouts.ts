import { execute, query, type Db } from '../entities/database/sql';
import {
  registerMerchant,
  seedCommissions,
  seedProgram,
  withoutTimeouts,
  type CommissionWorld,
} from './support/commission-world';
import { runBench, type Stage } from './support/stage';

/**
 * A payout of ten thousand commissions, made, cancelled, made again and completed, while others of
 * the workspace read lists and decide on its commissions, one after the other.
 *
 *   node bench/run.mjs payouts [commissions] [partners]
 */
const commissions = Number(process.argv[2] ?? 10_000);
const partners = Number(process.argv[3] ?? 10_000);
const allowedSeconds = 10;

interface Setting {
  stage: Stage;
  api: string;
  accessToken: string;
  programId: string;
}

async function main(stage: Stage): Promise<void> {
  const api = await stage.serve('api/main.js');
  const { workspaceId, accessToken } = await registerMerchant(api);
  const world = await withoutTimeouts(stage.databaseUrl, (db) => seed(db, workspaceId));
  const setting = { stage, api, accessToken, programId: world.programId };
  const { programId } = world;
  const make = () => send(setting, 'POST', '/api/v1/payouts', { programId });
  const end = (id: string, verb: string) => () =>
    send(setting, 'POST', `/api/v1/payouts/${id}/${verb}`, {});

  const first = await watched(setting, 'made', make);
  const cancelled = await watched(setting, 'cancelled', end(first.id, 'cancel'));
  const second = await watched(setting, 'made again', make);
  const completed = await watched(setting, 'completed', end(second.id, 'complete'));
  const rows = [first, cancelled, second, completed].map(({ id: _, ...row }) => row);
  console.table(rows);
  if (rows.some(({ seconds }) => seconds > allowedSeconds)) process.exitCode = 1;
}

async function seed(db: Db, workspaceId: string): Promise<CommissionWorld> {
  const world = await seedProgram(db, workspaceId, partners);
  // Some are rejected before the payout has them.
  const count = commissions + 100;
  await seedCommissions(db, world, { count, statuses: ['approved'] });
  await execute(db, 'UPDATE commissions SET owed_cents = amount_cents');
  await db.query('VACUUM (ANALYZE)');
  return world;
}

/** One change of a payout, and what others were answered meanwhile. */
async function watched(setting: Setting, change: string, run: () => Promise<Answer>) {
  const started = performance.now();
  let isDone = false;
  const running = run().finally(() => {
    isDone = true;
  });
  const reads: number[] = [];
  const decisions: number[] = [];
  const until = () => isDone;
  await Promise.all([readLists(setting, reads, until), decide(setting, decisions, until)]);
  const { status, body } = await running;
  if (status >= 300) throw new Error(`${change} was answered ${status}`);
  const worst = (all: readonly number[]): string => `${Math.max(...all).toFixed(0)} ms`;
  return {
    id: String(body['id']),
    change,
    seconds: Number(((performance.now() - started) / 1_000).toFixed(1)),
    lists: reads.length,
    'slowest list': worst(reads),
    decisions: decisions.length,
    'slowest decision': worst(decisions),
  };
}

async function readLists(setting: Setting, took: number[], isDone: () => boolean): Promise<void> {
  do {
    const at = performance.now();
    const { status } = await send(setting, 'GET', '/api/v1/commissions?limit=20');
    if (status !== 200) throw new Error(`a list was answered ${status}`);
    took.push(performance.now() - at);
  } while (!isDone());
}

/** Rejections of what the payout has, or is about to take: 409, or 200 for the first. */
async function decide(setting: Setting, took: number[], isDone: () => boolean): Promise<void> {
  const { stage, programId } = setting;
  const ids = await query<{ id: string }>(
    stage.db.manager,
    `SELECT id FROM commissions WHERE program_id = $1 AND status = 'approved' ORDER BY id LIMIT 1000`,
    [programId],
  );
  let next = 0;
  do {
    const id = ids[(next += 1) % ids.length]?.id ?? '';
    const path = `/api/v1/programs/${programId}/commissions/${id}/reject`;
    const at = performance.now();
    const { status } = await send(setting, 'PATCH', path, { reason: 'bench' });
    if (status !== 200 && status !== 409) throw new Error(`a decision was answered ${status}`);
    took.push(performance.now() - at);
  } while (!isDone());
}

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

async function send(
  { api, accessToken }: Setting,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const response = await fetch(`${api}${path}`, {
    method,
    headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

runBench(main);
