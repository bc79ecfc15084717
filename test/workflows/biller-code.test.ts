import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { createBillerCodeActivities } from '../../activities/billing/codes/activities';
import { addPromoCode, removePromoCode } from '../../activities/partners/promo-codes';
import { queryOne } from '../../entities/database/sql';
import { newId } from '../../entities/ids';
import { systemActor } from '../../entities/rules/values/actor';
import { activityInterceptors } from '../../workers/temporal/interceptors';
import type { billerCode } from '../../workflows/biller-code';
import { changedSignalName, workflowIds } from '../../runtime/temporal/messages';
import { startTestApp, type TestApp } from '../support/app';
import { buildBillerShop } from '../support/billers/shop';
import { listed, polarCode } from '../support/billers/codes';
import { startBillerStandIn, type BillerStandIn } from '../support/billers/stand-in';
import { saveHistory } from '../support/workers/histories';
import { workflowBundle } from '../support/workers/workflow-bundle';

let app: TestApp;
let vendor: BillerStandIn;
let worker: Worker;
let running: Promise<void>;
let connection: NativeConnection;
const taskQueue = `codes-${process.pid}-${Date.now()}`;

beforeAll(async () => {
  vendor = await startBillerStandIn();
  app = await startTestApp({ POLAR_API_BASE: vendor.url });
  const { deps } = app;
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  connection = await NativeConnection.connect({ address: deps.config.temporal.address });
  worker = await Worker.create({
    connection,
    namespace: deps.config.temporal.namespace,
    taskQueue,
    workflowBundle: await workflowBundle(),
    activities: createBillerCodeActivities(deps),
    interceptors: { activity: [activityInterceptors(deps.log)] },
  });
  running = worker.run();
}, 60_000);
afterAll(async () => {
  worker.shutdown();
  await running;
  await connection.close();
  await app.close();
  await vendor.close();
});

it('makes a code through an outage of the biller, and switches it off', async () => {
  const { db, clock, temporal } = app.deps;
  const shop = await buildBillerShop(app.deps, 'polar', { apiKey: 'polar_oat_secret' });
  const { scope, program, participant } = shop;
  const context = () => ({ scope, actor: systemActor, requestId: newId(), now: clock.now() });
  const command = { programId: program.id, participantId: participant.id, code: 'ANNA10' };
  const discount = { percentOffBps: 1_000, months: 3 };
  await addPromoCode(db, context(), { ...command, discount });
  const row = await queryOne<{ id: string }>(
    db.manager,
    'SELECT id FROM biller_codes WHERE workspace_id = $1',
    [scope.workspaceId],
  );
  const codeId = row?.id ?? '';
  const start = () =>
    temporal.client.workflow.signalWithStart<typeof billerCode>('billerCode', {
      workflowId: workflowIds.billerCode(codeId),
      taskQueue,
      signal: changedSignalName,
      args: [{ codeId }],
    });
  const there = polarCode();
  let failures = 1;
  vendor.answers.set('GET /v1/discounts', () => {
    failures -= 1;
    return failures >= 0 ? { status: 429, body: {} } : { body: listed.polar() };
  });
  vendor.set('POST /v1/discounts', there);
  const made = await start();
  expect(await made.result()).toBe('made');
  expect(vendor.countOf('POST', '/v1/discounts')).toBe(1);
  const history = await saveHistory(made, 'biller-code');
  expect(history).not.toContain('ANNA10');
  expect(history).not.toContain('polar_oat');

  await removePromoCode(db, context(), command);
  vendor.set(`DELETE /v1/discounts/${there.id}`, {});
  expect(await (await start()).result()).toBe('deleted');
  expect(vendor.countOf('DELETE', `/v1/discounts/${there.id}`)).toBe(1);
});
