import { readFileSync } from 'node:fs';
import type { WorkflowHandle } from '@temporalio/client';
import { DefaultLogger, Runtime, Worker, makeTelemetryFilterString } from '@temporalio/worker';
import { createActivities } from '../../activities';
import { advanceCommission } from '../../activities/commissions/advance';
import type { CommissionRecord } from '../../activities/commissions/records';
import { execute, query, transaction } from '../../entities/database/sql';
import { newId } from '../../entities/ids';
import { relayHandlers } from '../../workers/relay/handlers';
import type { commissionLifecycle } from '../../workflows/commission-lifecycle';
import {
  approveOverrideUpdate,
  changedSignal,
  stateQuery,
} from '../../workflows/commission-lifecycle';
import { taskQueues, workflowIds } from '../../runtime/temporal/messages';
import { buildCommission } from '../support/build/commissions';
import { buildParticipant, buildProgram } from '../support/build/programs';
import { flagCommission } from '../support/build/review-flags';
import { eventually } from '../support/eventually';
import { openOwnNamespace, type OwnNamespace } from '../support/workers/own-namespace';
import { relayOnce } from '../support/workers/relay-once';

/** What the runbook says is run as it stands there. */
const runbook = readFileSync(require.resolve('../../docs/runbook-commissions.md'), 'utf8');
/** Its workers, of two releases, have the service's own queue. */
let own: OwnNamespace;
beforeAll(async () => {
  // Failing tasks are what one of the tests is about.
  const filter = makeTelemetryFilterString({ core: 'ERROR' });
  const logger = new DefaultLogger('ERROR');
  Runtime.install({ logger, telemetryOptions: { logging: { filter } } });
  own = await openOwnNamespace('runbook');
}, 120_000);
afterAll(() => own.close());

/** The block of SQL that begins so, for this programme. */
function sqlOf(beginning: string, { programId }: CommissionRecord): string {
  const blocks = [...runbook.matchAll(/```sql\n(.+?)```/gs)].map(([, sql = '']) => sql);
  const block = blocks.find((sql) => sql.startsWith(beginning));
  if (!block) throw new Error(`the runbook has no SQL that begins with ${beginning}`);
  return block.replaceAll('<id>', programId);
}

it('lists those that wait for a review now, whenever they were flagged', async () => {
  const { manager } = own.deps.db;
  const program = await buildProgram(manager);
  const participant = await buildParticipant(manager, { program });
  const build = (ageInDays: number) =>
    buildCommission(manager, {
      program,
      participant,
      externalTransactionId: newId(),
      createdAt: new Date(Date.now() - ageInDays * 86_400_000),
    });
  const [waits, isHeld, isApproved] = [await build(31), await build(1), await build(31)];
  await transaction(manager, async (tx) => {
    for (const { id } of [waits, isHeld]) {
      await flagCommission(tx, { commissionId: id, reason: 'FRAUD_SUSPECTED' }, new Date());
    }
  });
  for (const { id } of [waits, isHeld, isApproved]) {
    await advanceCommission(manager, { now: new Date() }, { commissionId: id });
  }

  const found = await query(manager, sqlOf('SELECT id, review_reasons', waits));
  expect(found).toEqual([
    { id: waits.id, review_reasons: ['FRAUD_SUSPECTED'], hold_until: waits.holdUntil },
  ]);
});

const lifecycleOf = ({ id }: CommissionRecord): WorkflowHandle<typeof commissionLifecycle> =>
  own.deps.temporal.client.workflow.getHandle(workflowIds.commission(id));

const describeRun = (commission: CommissionRecord) => lifecycleOf(commission).describe();

async function untilStatus(commission: CommissionRecord, status: string): Promise<void> {
  await eventually(
    async () => (await describeRun(commission)).status.name === status || undefined,
    60_000,
  );
}

/** Waits until the relay has started its workflow; it asks for the work again each time. */
async function untilStarted(commission: CommissionRecord, askForIt = nothing): Promise<void> {
  await eventually(async () => {
    await askForIt();
    await relayOnce(own.deps, 'commission', relayHandlers(own.deps).commission);
    const described = await describeRun(commission).catch(() => undefined);
    return described?.status.name === 'RUNNING' || undefined;
  }, 60_000);
}

const nothing = (): Promise<unknown> => Promise.resolve();

async function buildStarted(): Promise<CommissionRecord> {
  const createdAt = new Date(Date.now() - 10 * 60_000);
  const commission = await buildCommission(own.deps.db.manager, { createdAt });
  await untilStarted(commission);
  return commission;
}

/** Waits until the former release waits for its activity. */
async function untilBegun(commission: CommissionRecord): Promise<void> {
  await eventually(async () => {
    const { pendingActivities } = (await describeRun(commission)).raw;
    return (pendingActivities?.length ?? 0) > 0 || undefined;
  }, 60_000);
}

async function untilTasksFail(commission: CommissionRecord): Promise<void> {
  await lifecycleOf(commission).signal(changedSignal);
  await eventually(async () => {
    const { pendingWorkflowTask } = (await describeRun(commission)).raw;
    return (pendingWorkflowTask?.attempt ?? 0) > 1 || undefined;
  }, 60_000);
}

const startWorker = (workflowsPath: string): Promise<Worker> =>
  Worker.create({
    connection: own.connection,
    namespace: own.namespace,
    taskQueue: taskQueues.commissions,
    workflowsPath,
    activities: createActivities(own.deps),
  });

function queryOfTermination(deployedAt: Date): string {
  const [, found = ''] = /terminate .+?--query "([^"]+)"/s.exec(runbook) ?? [];
  expect(found).toContain('<deployed at>');
  return found.replace('<deployed at>', deployedAt.toISOString());
}

async function untilFound(visibilityQuery: string, commission: CommissionRecord): Promise<void> {
  const { workflowId } = lifecycleOf(commission);
  const client = own.deps.temporal.client.workflow;
  await eventually(async () => {
    const found = await client.count(`WorkflowId = '${workflowId}' AND ${visibilityQuery}`);
    return found.count > 0 || undefined;
  }, 60_000);
}

/** Terminates runs as the Temporal CLI does. */
async function terminate(visibilityQuery: string): Promise<void> {
  await own.deps.temporal.client.workflowService.startBatchOperation({
    namespace: own.namespace,
    jobId: newId(),
    reason: 'start over',
    visibilityQuery,
    maxOperationsPerSecond: 50,
    terminationOperation: {},
  });
}

it('starts lifecycles over whose histories do not fit the code, and no others', async () => {
  const former = await startWorker(require.resolve('../support/workers/former-release'));
  const unfit = await former.runUntil(async () => {
    const begun = [await buildStarted(), await buildStarted()] as const;
    for (const one of begun) await untilBegun(one);
    return begun;
  });
  const [nudged, repaired] = unfit;
  const visibilityQuery = queryOfTermination(new Date());

  const worker = await startWorker(require.resolve('../../workflows'));
  await worker.runUntil(async () => {
    for (const one of unfit) await untilTasksFail(one);
    const fits = await buildStarted();
    const { runId } = await describeRun(fits);

    for (const one of unfit) await untilFound(visibilityQuery, one);
    await terminate(visibilityQuery);
    for (const one of unfit) await untilStatus(one, 'TERMINATED');

    const { repairBatch } = createActivities(own.deps);
    await execute(own.deps.db.manager, sqlOf('INSERT INTO outbox', nudged));
    await untilStarted(nudged);
    await untilStarted(repaired, () => repairBatch({ part: 'lifecycles', cursor: null }));

    for (const one of unfit) {
      const lifecycle = lifecycleOf(one);
      expect(await lifecycle.query(stateQuery)).toMatchObject({ waitsFor: 'hold' });
      await lifecycle.executeUpdate(approveOverrideUpdate, {
        args: [{ operator: 'op-17', reasonCode: 'MERCHANT_REQUEST' }],
      });
      expect(await lifecycle.result()).toBe('approved');
    }
    expect(await describeRun(fits)).toMatchObject({ runId, status: { name: 'RUNNING' } });
  });
}, 240_000);
