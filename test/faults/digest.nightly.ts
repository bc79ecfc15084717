import { isDeepStrictEqual } from 'node:util';
import { queueMail } from '../../activities/journal/mail-queue';
import { query, queryOne, transaction } from '../../entities/database/sql';
import { claimAnyPort } from '../../stack/parts/ports';
import { prepareNamespace } from '../../workers/temporal/namespace';
import { openTestDeps, testEnvironment, type TestDeps } from '../support/app';
import { buildPartner, buildWorkspace, type BuiltPartner } from '../support/build/accounts';
import { buildService, startService, type ServiceProcess } from '../support/stack/service-process';
import { mailsTo } from '../support/stored/mails';
import { eventually, until } from '../support/eventually';

jest.setTimeout(120_000);

const namespace = `digest-${process.pid}`;
const queued = 14;

let deps: TestDeps;
let workspaceId: string;
let worker: ServiceProcess;

beforeAll(async () => {
  buildService();
  deps = await openTestDeps();
  await prepareNamespace({ address: deps.config.temporal.address, namespace });
  workspaceId = (await buildWorkspace(deps.db.manager)).id;
  worker = await startWorker();
}, 180_000);
afterAll(async () => {
  await worker.stop();
  await deps.close();
});

async function startWorker(): Promise<ServiceProcess> {
  return startService('workers/main.js', {
    ...testEnvironment(deps.config.databaseUrl),
    REDIS_PREFIX: deps.config.redisPrefix,
    TEMPORAL_NAMESPACE: namespace,
    ADMIN_PORT: String(await claimAnyPort()),
    WORKER_QUEUES: 'relay,mail',
    LOG_LEVEL: 'warn',
  });
}

async function killWorker(): Promise<void> {
  await worker.kill();
  worker = await startWorker();
}

async function queueSome(partner: BuiltPartner): Promise<void> {
  for (let index = 1; index <= queued; index += 1) {
    await transaction(deps.db.manager, (tx) =>
      queueMail(tx, {
        type: 'commission.approved',
        to: { side: 'partner', accountId: partner.id },
        scope: { workspaceId, mode: 'live' },
        params: { programName: 'Acme', amount: { amountCents: index * 100, currency: 'eur' } },
        at: deps.clock.now(),
      }),
    );
  }
}

/** How many mails of the partner have come to which end. */
async function fates(partner: BuiltPartner): Promise<Record<string, number>> {
  const rows = await query<{ fate: string; count: number }>(
    deps.db.manager,
    `SELECT (CASE type WHEN 'digest' THEN 'digest ' ELSE '' END) || status AS fate, count(*)
       FROM mails WHERE account_id = $1 GROUP BY 1 ORDER BY 1`,
    [partner.id],
  );
  return Object.fromEntries(rows.map(({ fate, count }) => [fate, count]));
}

async function untilFates(partner: BuiltPartner, wanted: Record<string, number>): Promise<void> {
  await eventually(async () =>
    isDeepStrictEqual(await fates(partner), wanted) ? true : undefined,
  ).catch(() => undefined);
  expect(await fates(partner)).toEqual(wanted);
}

async function isOutboxDone(): Promise<boolean> {
  const left = `SELECT 1 FROM outbox WHERE topic IN ('mail', 'notice_mail')`;
  return (await query(deps.db.manager, left)).length === 0;
}

it('a digest leaves once after its wait, though the worker is killed in it', async () => {
  const partner = await buildPartner(deps.db.manager);
  await queueSome(partner);
  const waiting = { 'digest queued': 1, digested: queued - 10, sent: 10 };
  await untilFates(partner, waiting);
  expect(await mailsTo(partner.email)).toHaveLength(10);

  const work = await queryOne<{ id: string; minutes: number }>(
    deps.db.manager,
    `SELECT o.id, extract(epoch FROM o.available_at - now()) / 60 AS minutes
       FROM outbox AS o JOIN mails AS m ON m.id::text = o.ref::text
      WHERE m.type = 'digest' AND m.account_id = $1`,
    [partner.id],
  );
  expect(Number(work?.minutes)).toBeGreaterThan(13);
  await killWorker();
  expect(await fates(partner)).toEqual(waiting);

  // A quarter of an hour later.
  await query(deps.db.manager, 'UPDATE outbox SET available_at = now() WHERE id = $1', [work?.id]);
  const over = { 'digest sent': 1, digested: queued - 10, sent: 10 };
  await untilFates(partner, over);
  await killWorker();
  // What the killed worker had under its lease is looked at again when that is over, and not sent.
  await until(isOutboxDone, 60_000);

  const mails = await mailsTo(partner.email);
  expect(mails).toHaveLength(11);
  const [digest] = mails;
  expect(digest?.subject).toBe('4 more commissions are approved');
  const amounts = mails.flatMap(({ text }) => text?.match(/EUR \d+\.00/g) ?? []);
  const told = Array.from({ length: queued }, (_, index) => `EUR ${index + 1}.00`);
  // The digest tells its sum, too.
  expect([...new Set(amounts)]).toEqual(expect.arrayContaining(told));
});
