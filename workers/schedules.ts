import { setTimeout as pause } from 'node:timers/promises';
import {
  ScheduleAlreadyRunning,
  ScheduleOverlapPolicy,
  type ScheduleOptions,
} from '@temporalio/client';
import type { Deps } from '../activities/runtime/process/deps';
import { taskQueues } from '../workflows/messages';
import type { Stoppable } from './relay';

/** What recurs: id -> workflow and rhythm. */
export const schedules = [
  { id: 'sweep', workflow: 'sweep', spec: { intervals: [{ every: '30s' }] } },
  { id: 'partitions', workflow: 'partitions', spec: { intervals: [{ every: '12h' }] } },
  { id: 'waitlist-purge', workflow: 'waitlistPurge', spec: { intervals: [{ every: '24h' }] } },
  { id: 'retention', workflow: 'retention', spec: { intervals: [{ every: '1h' }] } },
  {
    id: 'reconcile-analytics',
    workflow: 'reconcileAnalytics',
    spec: { intervals: [{ every: '24h', offset: '3h' }] },
  },
] as const;

/** Creates or updates the schedules, as often as it takes until Temporal is there. */
export function startSchedules(deps: Deps): Stoppable {
  const stop = new AbortController();
  const running = (async () => {
    while (!stop.signal.aborted) {
      try {
        for (const schedule of schedules) await applySchedule(deps, schedule);
        return;
      } catch {
        await pause(2_000, undefined, { signal: stop.signal }).catch(() => undefined);
      }
    }
  })();
  return {
    async stop() {
      stop.abort();
      await running;
    },
  };
}

type Declared = (typeof schedules)[number];

async function applySchedule(deps: Deps, declared: Declared): Promise<void> {
  const options = scheduleOptions(declared);
  await deps.temporal.within(10_000, async (client) => {
    try {
      await client.schedule.create(options);
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      await client.schedule.getHandle(declared.id).update((known) => ({
        ...options,
        state: known.state,
      }));
    }
  });
}

function scheduleOptions({ id, workflow, spec }: Declared): ScheduleOptions {
  return {
    scheduleId: id,
    spec: { intervals: [...spec.intervals] },
    action: {
      type: 'startWorkflow',
      workflowType: workflow,
      workflowId: id,
      taskQueue: taskQueues.maintenance,
      args: [],
    },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 day' },
    // The first round at once: a process that starts may have something to repair.
    state: { triggerImmediately: true },
  } as ScheduleOptions;
}
