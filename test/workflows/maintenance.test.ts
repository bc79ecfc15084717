import { foldAll } from '../support/stored/fold-all';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import type { WorkflowHandle } from '@temporalio/client';
import { createActivities } from '../../activities';
import { systemCause } from '../../activities/journal/cause';
import { joinWaitlist } from '../../activities/waitlist/signups';
import { purgedTables } from '../../activities/maintenance/purges';
import { newId } from '../../entities/ids';
import { execute, query } from '../../entities/database/sql';
import { activityInterceptors } from '../../workers/interceptors';
import { openTestDeps, type TestDeps } from '../support/app';
import { asOwner } from '../support/database';
import { buildClick } from '../support/build/clicks';
import { buildCommission } from '../support/build/commissions';
import { saveHistory } from '../support/workers/histories';

let deps: TestDeps;
let connection: NativeConnection;
beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  deps = await openTestDeps();
  connection = await NativeConnection.connect({ address: deps.config.temporal.address });
}, 60_000);
afterAll(async () => {
  await connection.close();
  await deps.close();
});

async function run(type: string, ...args: unknown[]): Promise<WorkflowHandle> {
  const taskQueue = `maintenance-${newId()}`;
  const worker = await Worker.create({
    connection,
    taskQueue,
    workflowsPath: require.resolve('../../workflows'),
    activities: createActivities(deps),
    interceptors: { activity: [activityInterceptors(deps.log)] },
  });
  const workflowId = `${type}-${newId()}`;
  const handle = await deps.temporal.client.workflow.start(type, { taskQueue, workflowId, args });
  await worker.runUntil(handle.result());
  return handle;
}

describe('the scheduled workflows', () => {
  it('sweep wakes what has no workflow', async () => {
    const { id } = await buildCommission(deps.db.manager, {
      createdAt: new Date(Date.now() - 10 * 60_000),
    });
    await execute(deps.db.manager, 'DELETE FROM outbox');
    const handle = await run('sweep');
    expect(await handle.result()).toMatchObject({
      cursor: null,
      commissions: 1,
      stripeEvents: 0,
      resets: 0,
    });
    const work = await query(deps.db.manager, `SELECT ref FROM outbox WHERE topic = 'commission'`);
    expect(work).toEqual([{ ref: id }]);
    await saveHistory(handle, 'sweep.with-resets');
  }, 60_000);

  it('partitions makes the months ahead, once', async () => {
    await saveHistory(await run('partitions'), 'partitions');
    expect(await (await run('partitions')).result()).toBe(0);
  }, 60_000);

  it('waitlistPurge forgets signups after 12 months', async () => {
    const days = (count: number): Date => new Date(Date.now() - count * 86_400_000);
    await joinWaitlist(deps.db.manager, systemCause(days(367)), { email: 'old@example.com' });
    await joinWaitlist(deps.db.manager, systemCause(days(360)), { email: 'young@example.com' });
    const handle = await run('waitlistPurge');
    expect(await handle.result()).toBe(1);
    expect(await query(deps.db.manager, 'SELECT email FROM waitlist_signups')).toEqual([
      { email: 'young@example.com' },
    ]);
    expect(await saveHistory(handle, 'waitlist-purge')).not.toContain('example.com');
  }, 60_000);

  it('retention goes on until nothing is left', async () => {
    const handle = await run('retention', { tables: purgedTables.slice(0, 3) });
    expect(await handle.result()).toBe(0);
    await saveHistory(handle, 'retention.2');
  }, 60_000);

  it('repair wakes what has no workflow, part by part', async () => {
    await asOwner(deps.config.databaseUrl, 'DELETE FROM commissions');
    const { id } = await buildCommission(deps.db.manager, {
      createdAt: new Date(Date.now() - 10 * 60_000),
    });
    await execute(deps.db.manager, 'DELETE FROM outbox');
    const handle = await run('repair', { part: 'lifecycles' });
    expect(await handle.result()).toEqual({ cursor: null, repaired: 1 });
    const work = await query(deps.db.manager, `SELECT ref FROM outbox WHERE topic = 'commission'`);
    expect(work).toEqual([{ ref: id }]);
    await saveHistory(handle, 'repair');
  }, 60_000);

  it('reconcileAnalytics finds the sums of the last days right', async () => {
    const at = new Date(Date.now() - 2 * 24 * 3_600_000);
    const { manager } = deps.db;
    await buildClick(manager, { at });
    await foldAll(manager);
    const handle = await run('reconcileAnalytics');
    expect(await handle.result()).toBe(0);
    await saveHistory(handle, 'reconcile-analytics');

    await execute(deps.db.manager, 'UPDATE analytics_totals SET value = value + 1');
    expect(await (await run('reconcileAnalytics')).result()).toBe(1);
  }, 60_000);

  it('checkLedgers finds a commission whose owed sum is not that of its ledger', async () => {
    const { id } = await buildCommission(deps.db.manager);
    const handle = await run('checkLedgers');
    expect(await handle.result()).toBe(0);
    await saveHistory(handle, 'check-ledgers');

    await execute(deps.db.manager, 'UPDATE commissions SET owed_cents = 1 WHERE id = $1', [id]);
    expect(await (await run('checkLedgers')).result()).toBe(1);
    expect(await deps.metrics.metrics()).toMatch(/ledger_mismatches_total\S* 1/);
  }, 60_000);
});
