import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { createCommissionActivities } from '../../activities/commissions/activities';
import { createSendingActivities } from '../../activities/sending/activities';
import { execute, query } from '../../entities/database/sql';
import { newId } from '../../entities/ids';
import { activityInterceptors } from '../../workers/temporal/interceptors';
import { changedSignalName, workflowIds } from '../../runtime/temporal/messages';
import { askNowUpdate, type payoutBatch } from '../../workflows/payout-batch';
import { startTestApp, type TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { buildPayPalShop, compareBooks, statusesOf } from '../support/paypal/shop';
import { startPayPalStandIn, type PayPalStandIn } from '../support/paypal/stand-in';
import { firstRunOf, saveHistory } from '../support/workers/histories';
import { workflowBundle } from '../support/workers/workflow-bundle';

const day = 24 * 3_600_000;
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

/** A workflow that is started as the relay starts it. */
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
  const { shop, payout, handle, batchId } = await started();
  await eventually(() => Promise.resolve(paypal.books.batches.size > 0 || undefined));
  paypal.books.payAll();

  await eventually(async () => (await statusesOf(shop, payout))[0] === 'paid' || undefined, 30_000);

  expect(await compareBooks(app, paypal)).toEqual([]);
  const asked = paypal.countOf('ask');
  await handle.executeUpdate(askNowUpdate, {
    args: [{ operator: 'op-1', reasonCode: 'SYSTEM_FAULT' }],
  });
  await eventually(() => Promise.resolve(paypal.countOf('ask') > asked || undefined));
  expect(await handle.query('state')).toMatchObject({ status: 'ended' });
  const seen = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  for (const words of [batchId, 'Each payment has come to an end', 'askNow', 'Looks again at']) {
    expect(seen.currentDetails).toContain(words);
  }
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

it('says nothing of a batch whose row is gone before the first byte', async () => {
  const sent = paypal.countOf('send');
  const { workflow } = app.deps.temporal.client;
  const batchId = newId();
  const handle = await workflow.start<typeof payoutBatch>('payoutBatch', {
    workflowId: workflowIds.payoutBatch(batchId),
    taskQueue,
    args: [{ batchId }],
  });
  await handle.result();
  expect(paypal.countOf('send')).toBe(sent);
});

it('asks for half a year, by runs that follow each other, and then ends by itself', async () => {
  const { shop, payout, handle } = await started(2);
  const [first] = payout.items;
  await eventually(() => Promise.resolve(paypal.books.itemsOf(first?.reference ?? '')[0]));
  paypal.books.payAll();
  await eventually(async () => (await statusesOf(shop, payout))[0] === 'paid' || undefined);
  const months = 6;
  for (let month = 1; month <= months; month += 1) {
    const asked = paypal.countOf('ask');
    app.deps.clock.advance(29 * day);
    await handle.signal(changedSignalName);
    await eventually(() => Promise.resolve(paypal.countOf('ask') > asked || undefined));
  }
  app.deps.clock.advance(29 * day);
  const asked = paypal.countOf('ask');
  await handle.signal(changedSignalName);

  await handle.result();

  expect(paypal.countOf('ask')).toBe(asked);
  expect((await handle.describe()).runId).not.toBe(handle.signaledRunId);
});
