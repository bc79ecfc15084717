import { setTimeout as pause } from 'node:timers/promises';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { createMailActivities } from '../../activities/mail/activities';
import { createMailServer, type MailServer } from '../../activities/mail/server';
import { queueMails, type NewMail } from '../../activities/journal/mail-queue';
import { query, transaction } from '../../entities/database/sql';
import { relayHandlers } from '../../workers/relay/handlers';
import { startRelay } from '../../workers/relay/relay';
import type { Stoppable } from '../../runtime/process/process';
import { retryMailUpdate } from '../../workflows/deliver-mail';
import { taskQueues, workflowIds } from '../../runtime/temporal/messages';
import { buildPartner, buildWorkspace } from '../support/build/accounts';
import { until } from '../support/eventually';
import { startMailServer } from '../support/mail-server';
import { openOwnNamespace, type OwnNamespace } from '../support/workers/own-namespace';
import { workflowBundle } from '../support/workers/workflow-bundle';

const notices = 10_000;
/** Long enough for probes. */
const awayMs = 120_000;
const resets = 20;

jest.setTimeout(900_000);

let own: OwnNamespace;
let server: MailServer;
let running: Stoppable[] = [];
const lines: string[] = [];

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  own = await openOwnNamespace('mails');
  for (const level of ['info', 'warn', 'error'] as const) {
    const write = (_facts: unknown, message?: string): number => lines.push(message ?? '');
    jest.spyOn(own.deps.log, level).mockImplementation(write as never);
  }
});
afterAll(async () => {
  await Promise.all(running.map((part) => part.stop()));
  await own.close();
});

/** Relay and queue of mails, as a worker has them. */
async function startWorker(smtpUrl: string): Promise<void> {
  const deps = { ...own.deps, config: { ...own.deps.config, smtpUrl } };
  server = createMailServer(deps);
  const worker = await Worker.create({
    connection: own.connection,
    namespace: own.namespace,
    taskQueue: taskQueues.mail,
    workflowBundle: await workflowBundle(),
    activities: createMailActivities(deps, server),
  });
  const over = worker.run();
  const stop = async (): Promise<void> => {
    worker.shutdown();
    await over;
    server.mailer.close();
  };
  running = [startRelay(deps, relayHandlers(deps, server)), { stop }];
}

function queue(mails: NewMail[]): Promise<string[]> {
  return transaction(own.deps.db, (tx) => queueMails(tx, mails));
}

async function queueNotices(): Promise<void> {
  const { id: workspaceId } = await buildWorkspace(own.deps.db.manager);
  const amount = { amountCents: 100, currency: 'eur' };
  await queue(
    Array.from({ length: notices }, (_, n) => ({
      type: 'commission.created',
      to: { side: 'partner', address: `partner-${n}@example.test` },
      scope: { workspaceId, mode: 'live' },
      params: { programName: 'Acme', amount },
      at: own.deps.clock.now(),
    })),
  );
}

async function queueResets(): Promise<Set<string>> {
  const partners = Array.from({ length: resets }, () => buildPartner(own.deps.db.manager));
  const mails = (await Promise.all(partners)).map(({ id }): NewMail => ({
    type: 'account.reset_password',
    to: { side: 'partner', accountId: id },
    at: own.deps.clock.now(),
  }));
  return new Set(await queue(mails));
}

async function failed(type = '[^"]*'): Promise<number> {
  const text = await own.deps.metrics.metrics();
  const line = new RegExp(
    `^mails_total\\{type="${type}",outcome="try_again"[^}]*\\} (\\d+)$`,
    'gm',
  );
  return [...text.matchAll(line)].reduce((sum, [, count]) => sum + Number(count), 0);
}

const byStatus = () =>
  query(own.deps.db.manager, 'SELECT status, count(*)::int FROM mails GROUP BY status');

async function ids(text: string): Promise<string[]> {
  return (await query<{ id: string }>(own.deps.db.manager, text)).map(({ id }) => id);
}

async function retryNow(mailId: string): Promise<void> {
  const handle = own.deps.temporal.client.workflow.getHandle(workflowIds.mail(mailId));
  const note = { operator: 'op-17', reasonCode: 'SYSTEM_FAULT' } as const;
  // It may come back by itself at this moment.
  await handle.executeUpdate(retryMailUpdate, { args: [note] }).catch(() => undefined);
}

it('a server that is away costs little, and takes each mail once when it is back, resets first', async () => {
  const former = await startMailServer();
  await former.stop();
  await queueNotices();
  await startWorker(former.url);
  await until(() => server.breaker.isOpen());
  const asked = await queueResets();
  await pause(awayMs);

  expect(await byStatus()).toEqual([{ status: 'queued', count: notices + resets }]);
  const attempts = await failed();
  const failedResets = await failed('account.reset_password');
  // Ten that open it, those beside them, and the probes.
  expect(attempts).toBeLessThan(20 + awayMs / 10_000);
  expect(lines.length).toBeLessThan(attempts + 20);

  const taken: string[] = [];
  const back = await startMailServer({
    port: former.port,
    onMessage: (message) => {
      taken.push(/^Message-ID: <([^@]*)@/im.exec(message)?.[1] ?? '');
      return null;
    },
  });
  const total = notices + resets;
  await until(async () => (await ids('SELECT ref AS id FROM outbox')).length === 0, 420_000);
  // What failed meanwhile comes back within half a minute, or when an operator says so.
  await Promise.all((await ids(`SELECT id FROM mails WHERE status = 'queued'`)).map(retryNow));
  await until(async () => (await ids(`SELECT id FROM mails WHERE status <> 'sent'`)).length === 0);
  expect(taken).toHaveLength(total);
  expect(new Set(taken).size).toBe(total);
  // The mails that made the probes come back a little later.
  const first = taken.slice(0, notices / 5).filter((id) => asked.has(id));
  expect(first.length).toBeGreaterThanOrEqual(resets - failedResets);
  // A mail had a workflow only if it failed, or was about to be sent when the breaker opened.
  const runs = await own.deps.temporal.client.workflow.count();
  expect(runs.count).toBeLessThanOrEqual((await failed()) + own.deps.config.smtpConnections);
  await back.stop();
});
