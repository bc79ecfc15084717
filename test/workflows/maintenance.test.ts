import { foldAll } from '../support/stored/fold-all';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { ApplicationFailure, type WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createActivities, type Activities } from '../../activities';
import { systemCause } from '../../activities/journal/cause';
import { joinWaitlist } from '../../activities/waitlist/signups';
import { purgedTables } from '../../activities/maintenance/purges';
import { newId } from '../../entities/ids';
import { execute, query } from '../../entities/database/sql';
import { activityInterceptors } from '../../workers/temporal/interceptors';
import { lastSuccess } from '../../workers/temporal/schedules';
import { openTestDeps, type TestDeps } from '../support/app';
import { asOwner } from '../support/database';
import { buildClick } from '../support/build/clicks';
import { buildCommission } from '../support/build/commissions';
import { eventually } from '../support/eventually';
import { carriedOn, firstRunOf, saveHistory } from '../support/workers/histories';
import { workflowBundle } from '../support/workers/workflow-bundle';

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

const run = (type: string, ...args: unknown[]): Promise<WorkflowHandleWithFirstExecutionRunId> =>
  runWith({}, type, ...args);

const isFinal = (): Promise<number> => {
  throw ApplicationFailure.nonRetryable('broken', 'BROKEN');
};

/** Runs a workflow with other activities than the real ones. It may fail. */
async function runWith(
  others: Partial<Activities>,
  type: string,
  ...args: unknown[]
): Promise<WorkflowHandleWithFirstExecutionRunId> {
  const taskQueue = `maintenance-${newId()}`;
  const worker = await Worker.create({
    connection,
    taskQueue,
    workflowBundle: await workflowBundle(),
    activities: { ...createActivities(deps), ...others },
    interceptors: { activity: [activityInterceptors(deps.log)] },
  });
  const workflowId = `${type}-${newId()}`;
  const handle = await deps.temporal.client.workflow.start(type, { taskQueue, workflowId, args });
  await worker.runUntil(handle.result().catch(() => undefined));
  return handle;
}

function addCounts(counter: string, age: string, count: number): Promise<number> {
  return execute(
    deps.db.manager,
    `INSERT INTO mail_counts (counter, mail_id, counted_at)
     SELECT $1, uuidv7(), now() - $2::interval FROM generate_series(1, $3::int)`,
    [counter, age, count],
  );
}

const countsLeft = (): Promise<unknown[]> =>
  query(
    deps.db.manager,
    'SELECT counter, count(*)::int AS n FROM mail_counts GROUP BY counter ORDER BY counter',
  );

describe('the scheduled workflows', () => {
  it('partitions makes the months ahead, once', async () => {
    const handle = await run('partitions');
    await saveHistory(handle, 'partitions');
    const { closeTime } = await handle.describe();
    await eventually(async () => {
      const last = await lastSuccess(deps.temporal.client, 'partitions');
      return last && closeTime && last >= closeTime ? last : undefined;
    });
    expect(await (await run('partitions')).result()).toBe(0);
  }, 60_000);

  it('waitlistPurge forgets signups after 12 months (running.md, Waitlist)', async () => {
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

  it('retention deletes what is past its time until nothing is left, and no more', async () => {
    await addCounts('old', '2 days', 1_100);
    await addCounts('young', '1 hour', 10);
    const handle = await run('retention', { tables: ['login_failures', 'mail_counts'] });
    expect(await handle.result()).toBe(1_100);
    expect(await countsLeft()).toEqual([{ counter: 'young', n: 10 }]);
    await saveHistory(handle, 'retention');
  }, 60_000);

  it('retention purges all tables but one that fails, and fails in the end', async () => {
    const { purgeTable } = createActivities(deps);
    await addCounts('old', '2 days', 3);
    const failing: Partial<Activities> = {
      purgeTable: (input) => (input.table === 'stripe_events' ? isFinal() : purgeTable(input)),
    };
    const handle = await runWith(failing, 'retention', { tables: purgedTables });
    await expect(handle.result()).rejects.toMatchObject({
      cause: { type: 'NOT_PURGED', message: 'not purged: stripe_events' },
    });
    expect(await countsLeft()).toEqual([{ counter: 'young', n: 10 }]);
    await saveHistory(handle, 'retention.one-fails');
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

    // The tally of this click only: around midnight other tests' rows lie in an earlier day, too.
    await execute(
      manager,
      `UPDATE analytics_totals SET value = value + 1 WHERE measure = 'clicks'`,
    );
    expect(await (await run('reconcileAnalytics')).result()).toBe(1);
  }, 60_000);

  it('reconcileAnalytics compares all days but one that fails, and fails in the end', async () => {
    const { reconcileAnalytics } = createActivities(deps);
    deps.metrics.getSingleMetric('analytics_drift')?.reset();
    const failing: Partial<Activities> = {
      dropAnalyticsOrphans: isFinal,
      reconcileAnalytics: (input) => (input.daysAgo === 1 ? isFinal() : reconcileAnalytics(input)),
    };
    const handle = await runWith(failing, 'reconcileAnalytics');
    await expect(handle.result()).rejects.toMatchObject({
      cause: {
        type: 'NOT_RECONCILED',
        message: 'not reconciled: 1 days ago, sums of deleted programmes',
      },
    });
    const figures = await deps.metrics.metrics();
    expect(figures).toMatch(/analytics_drift\{days_ago="2"\S* 1/);
    expect(figures).toMatch(/analytics_drift\{days_ago="7"\S* 0/);
    await saveHistory(handle, 'reconcile-analytics.some-fail');
  }, 60_000);

  it('reconcileAnalytics goes on at the hour that an attempt came to', async () => {
    const beats: unknown[] = [];
    const again = new MockActivityEnvironment({ heartbeatDetails: { hour: 22, drift: 5 } });
    again.on('heartbeat', (details) => beats.push(details));
    const { reconcileAnalytics } = createActivities(deps);
    expect(await again.run(reconcileAnalytics, { daysAgo: 5 })).toBe(5);
    expect(beats).toEqual([
      { hour: 22, drift: 5 },
      { hour: 23, drift: 5 },
    ]);
  });

  it('checkLedgers finds a commission whose owed sum is not that of its ledger', async () => {
    const { id, owedCents } = await buildCommission(deps.db.manager);
    const handle = await run('checkLedgers');
    expect(await handle.result()).toBe(0);
    await saveHistory(handle, 'check-ledgers');

    await execute(deps.db.manager, 'UPDATE commissions SET owed_cents = 1 WHERE id = $1', [id]);
    expect(await (await run('checkLedgers')).result()).toBe(1);
    const known = (): Promise<unknown> =>
      query(deps.db.manager, 'SELECT commission_id AS id FROM ledger_mismatches');
    expect(await known()).toEqual([{ id }]);

    await execute(deps.db.manager, 'UPDATE commissions SET owed_cents = $2 WHERE id = $1', [
      id,
      owedCents,
    ]);
    expect(await (await run('checkLedgers')).result()).toBe(0);
    expect(await known()).toEqual([]);
  }, 60_000);

  it('checkLedgers goes on in a new history, with where it is and what it has found', async () => {
    const asked: (string | null)[] = [];
    const checkLedger: Activities['checkLedger'] = ({ after }) => {
      asked.push(after);
      const next = asked.length < 5 ? `after-${asked.length}` : null;
      return Promise.resolve({ after: next, wrong: 1 });
    };
    const from = { after: null, wrong: 0, batchesPerRun: 2 };
    const handle = await runWith({ checkLedger }, 'checkLedgers', from);
    expect(await handle.result()).toBe(5);
    expect(asked).toEqual([null, 'after-1', 'after-2', 'after-3', 'after-4']);
    const first = firstRunOf(deps.temporal.client, handle);
    expect(await carriedOn(first)).toEqual({ after: 'after-2', wrong: 2, batchesPerRun: 2 });
    await saveHistory(first, 'check-ledgers.continued');
  }, 60_000);
});
