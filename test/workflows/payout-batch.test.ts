import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { createCommissionActivities } from '../../activities/commissions/activities';
import { createSendingActivities } from '../../activities/sending/activities';
import { execute, query } from '../../entities/database/sql';
import { activityInterceptors } from '../../workers/temporal/interceptors';
import { changedSignalName, workflowIds } from '../../runtime/temporal/messages';
import { askNowUpdate, type payoutBatch } from '../../workflows/payout-batch';
import { startTestApp, type TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { buildPayPalShop, compareBooks, statusesOf } from '../support/paypal/shop';
import { startPayPalStandIn, type PayPalStandIn } from '../support/paypal/stand-in';
import { firstRunOf, saveHistory } from '../support/workers/histories';
import { workflowBundle } from '../support/workers/workflow-bundle';

let app: TestApp;
let paypal: PayPalStandIn;
let worker: Worker;
let running: Promise<void>;
let connection: NativeConnection;
const taskQueue = `payouts-${process.pid}-${Date.now()}`;

beforeAll(async () => {
  paypal = await startPayPalStandIn(() => app.deps.clock.now());
  app = await startTestApp({ PAYPAL_API_BASE: paypal.url, PAYOUT_ASK_SCHEDULE: '1s,1s,1h' });
  const { deps } = app;
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  connection = await NativeConnection.connect({ address: deps.config.temporal.address });
  worker = await Worker.create({
    connection,
    namespace: deps.config.temporal.namespace,
    taskQueue,
    workflowBundle: await workflowBundle(),
    activities: { ...createCommissionActivities(deps), ...createSendingActivities(deps) },
    interceptors: { activity: [activityInterceptors(deps.log)] },
  });
  running = worker.run();
}, 60_000);
afterAll(async () => {
  worker.shutdown();
  await running;
  await connection.close();
  await app.close();
  await paypal.close();
});

/** As the relay starts it. */
async function started(roundsPerRun?: number) {
  const shop = await buildPayPalShop(app);
  const payout = await shop.payout();
  expect((await shop.send(payout)).status).toBe(202);
  const [row] = await query<{ id: string }>(
    app.deps.db.manager,
    'SELECT id FROM payout_batches WHERE payout_id = $1',
    [payout.id],
  );
  const batchId = row?.id ?? '';
  const handle = await app.deps.temporal.client.workflow.signalWithStart<typeof payoutBatch>(
    'payoutBatch',
    {
      workflowId: workflowIds.payoutBatch(batchId),
      taskQueue,
      signal: changedSignalName,
      args: [{ batchId, ...(roundsPerRun && { roundsPerRun }) }],
    },
  );
  return { shop, payout, handle, batchId };
}

it('says a batch, asks until it is paid, and keeps ids alone in its history', async () => {
  const { shop, payout, handle } = await started();
  await eventually(() => Promise.resolve(paypal.books.batches.size > 0 || undefined));
  paypal.books.payAll();

  await eventually(async () => (await statusesOf(shop, payout))[0] === 'paid' || undefined, 30_000);

  expect(await compareBooks(app, paypal)).toEqual([]);
  await handle.executeUpdate(askNowUpdate, {
    args: [{ operator: 'op-1', reasonCode: 'SYSTEM_FAULT' }],
  });
  expect(await handle.query('state')).toMatchObject({ status: 'ended' });
  const text = await saveHistory(handle, 'payout-batch');
  expect(text).not.toContain('partner.test');
  expect(text).not.toContain(payout.items[0]?.reference);
  await handle.terminate();
});

it('goes on as new, and ends without a word when its row is gone', async () => {
  const { payout, handle, batchId } = await started(1);
  await eventually(() => Promise.resolve(paypal.books.batches.size > 1 || undefined));
  paypal.books.payAll();
  await execute(app.deps.db.manager, 'DELETE FROM payout_batch_items WHERE batch_id = $1', [
    batchId,
  ]);
  await execute(app.deps.db.manager, 'DELETE FROM payout_batches WHERE id = $1', [batchId]);
  const sent = paypal.countOf('send');

  await handle.result();

  expect(paypal.countOf('send')).toBe(sent);
  await saveHistory(
    firstRunOf(
      app.deps.temporal.client,
      Object.assign(handle, { firstExecutionRunId: handle.signaledRunId }),
    ),
    'payout-batch.continued',
  );
  await execute(
    app.deps.db.manager,
    `UPDATE payout_items SET attention_reason = 'vanished' WHERE payout_id = $1`,
    [payout.id],
  );
});
