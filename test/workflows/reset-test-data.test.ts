import { Context } from '@temporalio/activity';
import { newId } from '../../entities/ids';
import { repairPart } from '../../activities/maintenance/repair';
import { countFrom, execute, query } from '../../entities/database/sql';
import { changedSignal } from '../../workflows/commission-lifecycle';
import { changedSignalName, workflowIds } from '../../runtime/temporal/messages';
import type { OperatorNote } from '../../entities/rules/values/operator-note';
import {
  resetProgressQuery,
  stopResetUpdate,
  type resetTestData,
} from '../../workflows/reset-test-data';
import { openTestDeps, type TestDeps } from '../support/app';
import { buildCommission } from '../support/build/commissions';
import { buildConversion } from '../support/build/conversions';
import { buildParticipant, buildProgram } from '../support/build/programs';
import { asOwner } from '../support/database';
import { eventually } from '../support/eventually';
import { saveHistory } from '../support/workers/histories';
import { startLifecycleWorker, type LifecycleWorker } from '../support/workers/lifecycle';
import { startResetWorker } from '../support/workers/reset';
import { queueReset, rowCounts } from '../support/stored/test-data';

const taskQueue = `reset-${newId()}`;
/** The clock of a worker whose turns a test makes up. */
const ownQueue = `reset-${newId()}`;
let deps: TestDeps;
let lifecycles: LifecycleWorker;
let worker: { stop(): Promise<void> };
beforeAll(async () => {
  deps = await openTestDeps();
  lifecycles = await startLifecycleWorker(deps);
  worker = await startResetWorker(deps, taskQueue);
}, 60_000);
afterAll(async () => {
  await lifecycles.stop();
  await worker.stop();
  await deps.close();
});

const start = (workspaceId: string, { roundsPerRun = 100, queue = taskQueue } = {}) =>
  deps.temporal.client.workflow.signalWithStart<typeof resetTestData>('resetTestData', {
    workflowId: workflowIds.testReset(workspaceId),
    taskQueue: queue,
    args: [{ workspaceId, roundsPerRun }],
    signal: changedSignalName,
    signalArgs: [],
  });

const statusOf = async (resetId: string): Promise<string | undefined> =>
  (
    await query<{ status: string }>(
      deps.db.manager,
      'SELECT status FROM test_data_resets WHERE id = $1',
      [resetId],
    )
  )[0]?.status;

describe('resetTestData', () => {
  it('deletes, tells how far it is, and the workflows of deleted commissions end', async () => {
    const program = await buildProgram(deps.db.manager, { mode: 'test', name: 'Personal Shop' });
    const participant = await buildParticipant(deps.db.manager, { program });
    for (let n = 0; n < 5; n += 1) await buildConversion(deps.db.manager, { participant });
    const commission = await buildCommission(deps.db.manager, { participant, program });
    const lifecycle = await lifecycles.start(commission);

    const { workspaceId } = program;
    await queueReset(deps, workspaceId);
    const handle = await start(workspaceId);
    const progress = await handle.result();
    // Signalled at its start, it looks once more: nothing is left to do then.
    expect(progress).toMatchObject({ status: expect.stringMatching(/completed|none/) as string });
    expect(await handle.query(resetProgressQuery)).toEqual(progress);
    expect(await rowCounts(deps.db.manager, { workspaceId, mode: 'test' })).toEqual({});
    expect(await saveHistory(handle, 'reset-test-data')).not.toContain('Personal');

    const woken = await query<{ ref: string }>(
      deps.db.manager,
      `SELECT ref FROM outbox WHERE topic = 'commission'`,
    );
    expect(woken.map(({ ref }) => ref)).toContain(commission.id);
    await lifecycle.signal(changedSignal);
    expect(await lifecycle.result()).toBe('gone');
  }, 60_000);

  it('takes a closed workspace apart, both modes, and live lifecycles end', async () => {
    const db = deps.db.manager;
    const program = await buildProgram(db, { mode: 'live', name: 'Personal Shop' });
    const { workspaceId } = program;
    const participant = await buildParticipant(db, { program });
    const commission = await buildCommission(db, { participant, program });
    const lifecycle = await lifecycles.start(commission);
    const past = new Date(deps.clock.now().getTime() - 1_000);
    await execute(db, 'UPDATE workspaces SET closes_at = $2 WHERE id = $1', [workspaceId, past]);
    await repairPart(deps, 'closings', null);
    deps.clock.advance(120_000);
    await repairPart(deps, 'closings', null);
    await asOwner(
      deps.config.databaseUrl,
      `UPDATE workspaces SET closing_since = now() - interval '30 days' WHERE id = $1`,
      [workspaceId],
    );

    const handle = await start(workspaceId);
    await handle.result();
    expect(await rowCounts(db, { workspaceId, mode: 'live' })).toEqual({});
    expect(await countFrom(db, 'closed_ledger_sums WHERE workspace_id = $1', [workspaceId])).toBe(
      1,
    );
    await lifecycle.signal(changedSignal);
    expect(await lifecycle.result()).toBe('gone');
    deps.clock.set(undefined);
  }, 60_000);

  it('begins a new history after its rounds, and loses none of them', async () => {
    const { workspaceId } = await buildProgram(deps.db.manager, { mode: 'test' });
    let turns = 0;
    const own = await startResetWorker(deps, ownQueue, {
      resetTestDataTurn: () => {
        turns += 1;
        const status = turns < 5 ? 'running' : 'completed';
        return Promise.resolve({ resetId: workspaceId, status, step: null, deleted: {} });
      },
    });
    const handle = await start(workspaceId, { roundsPerRun: 2, queue: ownQueue });
    expect(await handle.result()).toMatchObject({ status: 'completed' });
    await own.stop();

    const { workflow } = deps.temporal.client;
    const first = workflow.getHandle(handle.workflowId, handle.signaledRunId);
    expect((await first.describe()).status.name).toBe('CONTINUED_AS_NEW');
    expect(turns).toBe(5);
  }, 60_000);

  it('ends when its reset was taken back before it began', async () => {
    const { workspaceId } = await buildProgram(deps.db.manager, { mode: 'test' });
    expect(await (await start(workspaceId)).result()).toMatchObject({ status: 'none' });
    expect(
      await countFrom(deps.db.manager, 'programs WHERE workspace_id = $1', [workspaceId]),
    ).toBe(1);
  }, 60_000);

  it('stops when an operator says so, and refuses for the end of a closed workspace', async () => {
    const { workspaceId } = await buildProgram(deps.db.manager, { mode: 'test' });
    const resetId = await queueReset(deps, workspaceId);
    let turns = 0;
    const own = await startResetWorker(deps, ownQueue, {
      resetTestDataTurn: async () => {
        turns += 1;
        for (;;) {
          Context.current().heartbeat();
          await Context.current().sleep(100);
        }
      },
    });
    const handle = await start(workspaceId, { queue: ownQueue });
    await eventually(() => Promise.resolve(turns > 0 || undefined));
    const args: { args: [OperatorNote] } = {
      args: [{ operator: 'op-17', reasonCode: 'MERCHANT_REQUEST' }],
    };
    await execute(
      deps.db.manager,
      `UPDATE test_data_resets SET scope = 'workspace' WHERE id = $1`,
      [resetId],
    );
    const refused = handle.executeUpdate(stopResetUpdate, args);
    await expect(refused).rejects.toMatchObject({ cause: { type: 'FORBIDDEN' } });
    await execute(
      deps.db.manager,
      `UPDATE test_data_resets SET scope = 'test_data' WHERE id = $1`,
      [resetId],
    );
    await handle.executeUpdate(stopResetUpdate, args);
    expect(await handle.result()).toMatchObject({ status: 'none' });
    await saveHistory(handle, 'reset-test-data.stopped');
    await own.stop();
    expect(await statusOf(resetId)).toBe('failed');
    expect(
      await query(deps.db.manager, 'SELECT action, operator FROM audit_log WHERE target_id = $1', [
        resetId,
      ]),
    ).toEqual([{ action: 'test_data.reset_stopped', operator: 'op-17' }]);
  }, 60_000);

  it('counts as failed when an operator cancels it, so that another can begin', async () => {
    const { workspaceId } = await buildProgram(deps.db.manager, { mode: 'test' });
    const resetId = await queueReset(deps, workspaceId);
    let hasBegun = false;
    const own = await startResetWorker(deps, ownQueue, {
      // A turn that does not end by itself.
      resetTestDataTurn: async () => {
        hasBegun = true;
        for (;;) {
          Context.current().heartbeat();
          await Context.current().sleep(100);
        }
      },
    });
    const handle = await start(workspaceId, { queue: ownQueue });
    await eventually(() => Promise.resolve(hasBegun || undefined));
    await handle.cancel();
    await expect(handle.result()).rejects.toThrow('cancelled');
    await own.stop();
    expect(await statusOf(resetId)).toBe('failed');
    await queueReset(deps, workspaceId);
    await (await start(workspaceId)).result();
    expect(
      await countFrom(deps.db.manager, 'programs WHERE workspace_id = $1', [workspaceId]),
    ).toBe(0);
  }, 60_000);
});
