import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { openMailServer } from './support/mail-server';
import { queueMails } from '../activities/journal/mail-queue';
import { newId } from '../entities/ids';
import { seedWorkspace } from './support/commission-world';
import { queryOne, transaction } from '../entities/database/sql';
import { cpuOf } from './support/cpu';
import { runBench, type Stage } from './support/stage';
import { queuesOfPeople, serveWorker } from './support/worker';

/**
 * Mails that wait, until the mail server has all of them and it is written down: seconds, CPU of each
 * process and workflows a mail.
 *
 *   node bench/run.mjs mails [mails]
 */
const mails = Number(process.argv[2] ?? 1_000);
/** The first ones pay for connections and caches. */
const warmUp = 100;

async function main(stage: Stage): Promise<void> {
  const temporal = await stage.startTemporal();
  const { mails: taken, smtpUrl } = await openMailServer();
  try {
    const worker = await serveWorker(stage, {
      WORKER_QUEUES: queuesOfPeople,
      TEMPORAL_ADDRESS: temporal.address,
      SMTP_URL: smtpUrl,
      RELAY_STARTS_PER_SECOND: '0',
    });
    const workspaceId = await seedWorkspace(stage.db.manager);
    const pids = { worker, temporal: temporal.pid, postgres: stage.pids.postgres };
    await send(stage, workspaceId, warmUp);
    const before = spent(pids);
    const runs = await countRuns(temporal.address);
    const began = performance.now();
    await send(stage, workspaceId, mails);
    const seconds = (performance.now() - began) / 1_000;
    const cpu = Object.fromEntries(
      Object.entries(spent(pids)).map(([name, us]) => [
        `${name}, CPU ms a mail`,
        Number(((us - (before[name] ?? 0)) / mails / 1_000).toFixed(2)),
      ]),
    );
    const more = (await countRuns(temporal.address)) - runs;
    console.table([
      { mails, seconds: Number(seconds.toFixed(1)), ...cpu, 'runs a mail': more / mails },
    ]);
    if (taken.at.size !== mails + warmUp) throw new Error(`${taken.at.size} were taken`);
  } finally {
    await taken.close();
  }
}

async function send({ db }: Stage, workspaceId: string, count: number): Promise<void> {
  await transaction(db, (tx) =>
    queueMails(
      tx,
      Array.from({ length: count }, () => ({
        type: 'commission.created',
        to: { side: 'partner', address: `${newId()}@example.test` },
        scope: { workspaceId, mode: 'live' },
        params: { programName: 'Acme', amount: { amountCents: 100, currency: 'eur' } },
        at: new Date(),
      })),
    ),
  );
  const waiting = `SELECT 1 FROM mails WHERE status = 'queued' LIMIT 1`;
  while (await queryOne(db.manager, waiting)) await pause(50);
}

function spent(pids: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, cpuOf(pid)]));
}

/** Counts the workflows of mails that visibility has, a second behind. */
async function countRuns(address: string): Promise<number> {
  await pause(2_000);
  const connection = await Connection.connect({ address });
  const { count } = await new Client({ connection }).workflow.count(`WorkflowType = 'deliverMail'`);
  await connection.close();
  return count;
}

runBench(main);
