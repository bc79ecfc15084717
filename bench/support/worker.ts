import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { claimAnyPort } from '../../stack/parts/ports';
import { cpuOf } from './cpu';
import type { Stage } from './stage';

const quietUs = 200_000;
const longestMs = 90_000;

/**
 * A worker as the local stack runs it, without Temporal; gives its process once it has done what was
 * waiting for it.
 */
export async function startWorker(stage: Stage): Promise<number> {
  const pid = await serveWorker(stage, {
    WORKER_QUEUES: 'relay,webhooks,dispatcher',
    TEMPORAL_ADDRESS: '127.0.0.1:9',
    LOG_LEVEL: 'error',
  });
  await untilQuiet(stage);
  return pid;
}

/** The queues of people's work: without the repairs, which would do at once what a bench leaves waiting. */
export const queuesOfPeople = 'commissions,stripe,webhooks,payouts,mail,bulk,relay,dispatcher';

/** A worker; gives its process. */
export async function serveWorker(
  stage: Stage,
  env: Record<string, string>,
  preloads: string[] = [],
): Promise<number> {
  const port = String(await claimAnyPort());
  const settings = { PORT: port, ADMIN_PORT: port, ...env };
  const origin = await stage.serve('workers/main.js', settings, preloads);
  return stage.pidOf(origin);
}

/** A worker of those queues with its workflows bundled, as the build does: else each queue would make a bundle. */
export async function serveWorkflows(
  stage: Stage,
  env: Record<string, string>,
  preloads: string[] = [],
): Promise<number> {
  const bundle = path.join(__dirname, '../../workers/temporal/bundle.js');
  const { status } = spawnSync(process.execPath, [bundle]);
  if (status !== 0) throw new Error('the workflows could not be bundled');
  const pid = await serveWorker(stage, { ...env, WORKER_QUEUES: queuesOfPeople }, preloads);
  // Five seconds are enough for its workers to poll.
  await sleep(5_000);
  return pid;
}

/** Waits until Postgres takes less than a tenth of a core. */
export async function untilQuiet({ pids }: Stage): Promise<void> {
  const until = performance.now() + longestMs;
  while (performance.now() < until) {
    const spent = cpuOf(pids.postgres);
    await sleep(2_000);
    if (cpuOf(pids.postgres) - spent < quietUs) return;
  }
}
