import { setTimeout as pause } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import type { AddressInfo } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { queueMails } from '../activities/journal/mail-queue';
import { newId } from '../entities/ids';
import { execute, queryOne, transaction } from '../entities/database/sql';
import { claimAnyPort } from '../stack/parts/ports';
import { startTemporal } from '../stack/parts/temporal';
import { cpuOf } from './support/cpu';
import { openStage, type Stage } from './support/stage';
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

async function main(): Promise<void> {
  const stage = await openStage();
  const temporal = await startTemporal({
    dir: `${process.cwd()}/.stack/bench-temporal-${process.pid}`,
    port: await claimAnyPort(),
    namespace: 'default',
    persistent: true,
  });
  const server = await startMailServer();
  try {
    const worker = await serveWorker(stage, {
      WORKER_QUEUES: queuesOfPeople,
      TEMPORAL_ADDRESS: temporal.address,
      SMTP_URL: server.url,
      RELAY_STARTS_PER_SECOND: '0',
    });
    const workspaceId = newId();
    await execute(
      stage.db.manager,
      `INSERT INTO workspaces (id, name, created_at, updated_at) VALUES ($1, 'Bench', now(), now())`,
      [workspaceId],
    );
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
    if (server.taken() !== mails + warmUp) throw new Error(`${server.taken()} were taken`);
  } finally {
    await temporal.stop();
    await stage.close();
    await server.stop();
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

/** Of mails, as far as visibility has them: it is a second behind. */
async function countRuns(address: string): Promise<number> {
  await pause(2_000);
  const connection = await Connection.connect({ address });
  const { count } = await new Client({ connection }).workflow.count(`WorkflowType = 'deliverMail'`);
  await connection.close();
  return count;
}

async function startMailServer() {
  let taken = 0;
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    onData(stream, _session, callback) {
      stream.resume();
      stream.once('end', () => {
        taken += 1;
        callback();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    taken: () => taken,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

void main().then(() => process.exit(0));
