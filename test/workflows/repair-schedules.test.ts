import { activityInfo } from '@temporalio/activity';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { WorkflowFailedError, type ScheduleHandle, type WorkflowHandle } from '@temporalio/client';
import { createActivities } from '../../activities';
import { AppError } from '../../entities/errors';
import { activityInterceptors } from '../../workers/temporal/interceptors';
import { startSchedules } from '../../workers/temporal/schedules';
import { repairParts, taskQueues, type RepairPart } from '../../runtime/temporal/messages';
import { eventually } from '../support/eventually';
import { openOwnNamespace, type OwnNamespace } from '../support/workers/own-namespace';
import { workflowBundle } from '../support/workers/workflow-bundle';

const broken: RepairPart = 'mails';
const others = repairParts.filter((part) => part !== broken);

let own: OwnNamespace;
beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  own = await openOwnNamespace('repairs');
}, 120_000);
afterAll(() => own.close());

const rounds = new Map<RepairPart, number>();
const runs = new Map<RepairPart, string>();
let failure: Error | undefined;

/** What the schedules run, but for one that fails as it is asked to. */
const repairBatch = ({ part }: { part: RepairPart }) => {
  rounds.set(part, (rounds.get(part) ?? 0) + 1);
  runs.set(part, activityInfo().workflowExecution?.workflowId ?? '');
  if (part === broken && failure) return Promise.reject(failure);
  return Promise.resolve({ cursor: null, repaired: 0, more: false });
};

const scheduleOf = (part: RepairPart): ScheduleHandle =>
  own.deps.temporal.client.schedule.getHandle(`repair-${part}`);

const untilRounds = (part: RepairPart, count: number): Promise<true> =>
  eventually(() => Promise.resolve((rounds.get(part) ?? 0) >= count || undefined), 60_000);

/** Seconds that a run has, and that all attempts of its activity have. */
async function boundsOf(run: WorkflowHandle): Promise<{ run: number; attempts: number }> {
  const { events } = await run.fetchHistory();
  const started = events?.[0]?.workflowExecutionStartedEventAttributes;
  const scheduled = events
    ?.map(({ activityTaskScheduledEventAttributes: attributes }) => attributes)
    .find((attributes) => attributes);
  return {
    run: Number(started?.workflowExecutionTimeout?.seconds ?? 0),
    attempts: Number(scheduled?.scheduleToCloseTimeout?.seconds ?? 0),
  };
}

it('a repair that fails ends its run in time, and the other repairs go on meanwhile', async () => {
  const worker = await Worker.create({
    connection: own.connection,
    namespace: own.namespace,
    taskQueue: taskQueues.maintenance,
    workflowBundle: await workflowBundle(),
    activities: { ...createActivities(own.deps), repairBatch },
    interceptors: { activity: [activityInterceptors(own.deps.log)] },
  });
  await worker.runUntil(async () => {
    failure = new Error('broken');
    const schedules = startSchedules(own.deps);
    await untilRounds(broken, 2);
    await Promise.all(others.map((part) => untilRounds(part, 1)));

    // It is tried again; the others have had their run and get another.
    const run = own.deps.temporal.client.workflow.getHandle(runs.get(broken) ?? '');
    for (const part of others) {
      const before = rounds.get(part) ?? 0;
      await eventually(async () => {
        await scheduleOf(part).trigger();
        return (rounds.get(part) ?? 0) > before || undefined;
      });
    }
    expect((await run.describe()).status.name).toBe('RUNNING');
    expect(await boundsOf(run)).toEqual({ run: 5 * 60, attempts: 3 * 60 });

    // What ends its attempts ends its run, and the next one begins with a clear head.
    failure = new AppError('NOT_FOUND');
    await expect(run.result()).rejects.toThrow(WorkflowFailedError);
    failure = undefined;
    await scheduleOf(broken).trigger();
    await untilRounds(broken, (rounds.get(broken) ?? 0) + 1);
    await schedules.stop();
  });
}, 180_000);
