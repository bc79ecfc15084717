import { ScheduleNotFoundError } from '@temporalio/client';
import type { Stoppable } from '../../../../runtime/process/process';
import { startWebhookDispatcher } from '../../../../workers/dispatcher/dispatcher';
import { startFolder } from '../../../../workers/relay/fold-sums';
import { relayHandlers } from '../../../../workers/relay/handlers';
import { startRelay } from '../../../../workers/relay/relay';
import { schedules, secondsOf, startSchedules } from '../../../../workers/temporal/schedules';
import { startWorkers } from '../../../../workers/temporal/worker';
import { taskQueues, type TaskQueue } from '../../../../runtime/temporal/messages';
import { newId } from '../../../../entities/ids';
import type { TestDeps } from '../../app';
import { workflowBundle } from '../../workers/workflow-bundle';

/** A worker process in parts, whose queues and clock a test moves. */
export interface MovedService {
  /** Has its workers serve these queues and no other from now on. */
  serve(queues: TaskQueue[] | 'all'): Promise<void>;
  /** Applies the schedules as a worker that serves `maintenance` does at its start, and every ten minutes. */
  applySchedules(): Promise<void>;
  /** Fifteen minutes of the service's clock, with all that recurs within them. */
  passFifteenMinutes(): Promise<void>;
  stop(): Promise<void>;
}

type Declared = (typeof schedules)[number];

const minutes = 15;
const minuteMs = 60_000;
/** The service recreates lost schedules every ten minutes. */
const appliedAfter = 10;

export function startMovedService(deps: TestDeps): MovedService {
  const always = [
    startRelay(deps, relayHandlers(deps)),
    startFolder(deps),
    startWebhookDispatcher(deps, { pollMs: 100 }),
  ];
  let workers: Stoppable | undefined;
  const service: MovedService = {
    async serve(queues) {
      await workers?.stop();
      const serving = { ...deps, config: { ...deps.config, workerQueues: queues } };
      workers = startWorkers(serving, undefined, { workflowBundle: await workflowBundle() });
    },
    async applySchedules() {
      // Stopped at once it makes one round, whole.
      await startSchedules(deps).stop();
      if (!(await haveSchedules(deps))) throw new Error('the schedules could not be applied');
    },
    async passFifteenMinutes() {
      let isThere = await haveSchedules(deps);
      for (let minute = 1; minute <= minutes; minute += 1) {
        deps.clock.advance(minuteMs);
        if (minute === appliedAfter) await service.applySchedules();
        isThere ||= minute === appliedAfter;
        const due = schedules.filter(({ every }) => (minute * 60) % secondsOf(every) === 0);
        if (isThere) await Promise.all(due.map((declared) => runOf(deps, declared)));
      }
    },
    async stop() {
      await workers?.stop();
      await Promise.all(always.map((part) => part.stop()));
    },
  };
  return service;
}

/** False while at least one schedule is missing. */
async function haveSchedules({ temporal }: TestDeps): Promise<boolean> {
  for (const { id } of schedules) {
    try {
      await temporal.client.schedule.getHandle(id).describe();
    } catch (error) {
      if (error instanceof ScheduleNotFoundError) return false;
      throw error;
    }
  }
  return true;
}

/** A run as the schedule starts it, to its end. */
async function runOf({ temporal }: TestDeps, declared: Declared): Promise<void> {
  const { id, workflow, args = [] } = declared;
  const workflowId = `${id}-${newId()}`;
  const taskQueue = taskQueues.maintenance;
  await temporal.client.workflow.execute(workflow, { workflowId, taskQueue, args });
}
