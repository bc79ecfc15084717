import {
  ScheduleAlreadyRunning,
  ScheduleOverlapPolicy,
  type Client,
  type ScheduleExecutionResult,
  type ScheduleOptions,
} from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { retry, waits, type RetryPolicy } from '../../runtime/load/retry';
import type { Deps } from '../../runtime/process/deps';
import { gauge, type Registry } from '../../runtime/observe/metrics';
import { repairName } from '../../activities/figures/upkeep';
import { noteSuccess } from '../../activities/maintenance/scheduled-work';
import { purgedTables } from '../../activities/maintenance/purges';
import { minuteMs } from '../../entities/rules/values/duration';
import { repairParts, taskQueues, type RepairPart } from '../../runtime/temporal/messages';
import { rest } from '../../runtime/load/rest';
import { runUntilStopped, type Stoppable } from '../../runtime/process/process';

interface Declared {
  id: string;
  workflow: string;
  every: string;
  offset?: string;
  args?: unknown[];
  /** A run that takes longer is ended: the next one begins with a clear head. */
  runTimeout: string;
}

/**
 * Each half of the time after which its work counts as lost, and a minute at least: what is repaired is
 * rare, and each run costs the server as much as a commission.
 */
const repairEvery: Readonly<Record<RepairPart, string>> = {
  overdue: '1m',
  lifecycles: '1m',
  webhooks: '1m',
  payout_batches: '5m',
  test_resets: '2m',
  imports: '5m',
  mails: '5m',
  requeues: '5m',
  erasures: '5m',
  // Lost after five minutes: with these ten, back within fifteen.
  stripe_events: '10m',
  biller_codes: '10m',
  // Each of them once a day, as many as a few seconds have room for in one batch.
  stripe_connections: '15m',
  closings: '15m',
};

/**
 * Five minutes, so that a run whose task was lost is over, and the next one through, within the quarter of an hour that
 * is promised. A round over all lifecycles lasts: a run hands its place on to the next before its time is over.
 */
const repairTimeout: Partial<Record<RepairPart, string>> = {
  lifecycles: '1h',
  stripe_connections: '15m',
  closings: '15m',
};

/** What recurs. Each repair has a schedule of its own, so that none waits for another. */
export const schedules: readonly Declared[] = [
  ...repairParts.map((part) => ({
    id: repairName(part),
    workflow: 'repair',
    every: repairEvery[part],
    args: [{ part }],
    runTimeout: repairTimeout[part] ?? '5m',
  })),
  { id: 'partitions', workflow: 'partitions', every: '12h', runTimeout: '1h' },
  { id: 'waitlist-purge', workflow: 'waitlistPurge', every: '24h', runTimeout: '12h' },
  {
    id: 'retention',
    workflow: 'retention',
    every: '1h',
    args: [{ tables: purgedTables }],
    runTimeout: '6h',
  },
  {
    id: 'reconcile-analytics',
    workflow: 'reconcileAnalytics',
    every: '24h',
    offset: '3h',
    runTimeout: '6h',
  },
  {
    id: 'check-ledgers',
    workflow: 'checkLedgers',
    every: '24h',
    offset: '2h',
    runTimeout: '6h',
  },
];

const seconds = { s: 1, m: 60, h: 3_600 } as const;

/** Seconds of an interval such as 30s, 5m or 12h. */
export function secondsOf(every: string): number {
  const [, count, unit] = /^(\d+)([smh])$/.exec(every) ?? [];
  if (unit === undefined) throw new Error(`no interval: ${every}`);
  return Number(count) * seconds[unit as keyof typeof seconds];
}

/** How often each is to run, for alarms on what is late; there from the start of every worker. */
export function showIntervals(metrics: Registry): void {
  const help = 'How often a schedule runs';
  const interval = gauge(metrics, {
    name: 'schedule_interval_seconds',
    help,
    labels: ['schedule'],
  });
  for (const { id, every } of schedules) interval.set({ schedule: id }, secondsOf(every));
}

/**
 * Creates or updates the schedules now and every ten minutes: a Temporal that lost its data has none,
 * one that an operator deleted by mistake comes back, and so does a run that was terminated.
 */
export function startSchedules(deps: Deps, { everyMs = 10 * minuteMs } = {}): Stoppable {
  return runUntilStopped(async (signal) => {
    const untilStopped: RetryPolicy = {
      waitsMs: waits(2_000),
      isWorthIt: () => !signal.aborted,
      onRetry(error, attempt) {
        if (attempt > 1) return;
        deps.log.warn({ err: error }, 'the schedules could not be applied; this is tried again');
      },
      signal,
    };
    while (!signal.aborted) {
      await retry(untilStopped, () => applySchedules(deps)).catch(() => undefined);
      await rest(everyMs, signal);
    }
  });
}

async function applySchedules(deps: Deps): Promise<void> {
  for (const schedule of schedules) {
    const next = await deps.temporal.within(10_000, (client) => apply(client, schedule));
    watch(deps, schedule, next);
  }
  // The older times stand when the lists cannot be read.
  await noteSuccesses(deps).catch(() => undefined);
}

/** Gives when the schedule runs next; undefined for one that is paused. */
async function apply(client: Client, declared: Declared): Promise<Date | undefined> {
  const options = scheduleOptions(declared);
  const handle = client.schedule.getHandle(declared.id);
  try {
    await client.schedule.create(options);
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await handle.update((known) => ({ ...options, state: known.state }));
  }
  const { info, state } = await handle.describe();
  if (state.paused) return undefined;
  if (await wasTerminated(client, info.recentActions.at(-1))) {
    await handle.trigger(ScheduleOverlapPolicy.SKIP);
  }
  return info.nextActionTimes[0];
}

/**
 * Whether somebody terminated the last run. That is a slip: what runs once a day does not wait for
 * the next one. Cancelling it means to stop it.
 */
async function wasTerminated(
  client: Client,
  last: ScheduleExecutionResult | undefined,
): Promise<boolean> {
  if (last === undefined) return false;
  const run = client.workflow.getHandle(last.action.workflow.workflowId);
  try {
    return (await run.describe()).status.name === 'TERMINATED';
  } catch (error) {
    // The run is past Temporal's retention.
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

function watch({ metrics }: Deps, { id }: Declared, next: Date | undefined): void {
  const help = 'When a schedule runs next, as last read; 0 for a paused one';
  const time = gauge(metrics, {
    name: 'schedule_next_run_timestamp_seconds',
    help,
    labels: ['schedule'],
  });
  time.set({ schedule: id }, (next?.getTime() ?? 0) / 1_000);
}

/** Notes successes of the schedules whose work does not note them by itself. */
async function noteSuccesses({ temporal, db }: Deps): Promise<void> {
  const others = schedules.filter(({ workflow }) => workflow !== 'repair');
  const times = await temporal.within(10_000, (client) =>
    Promise.all(others.map(({ workflow }) => lastSuccess(client, workflow))),
  );
  for (const [place, { id }] of others.entries()) {
    const at = times[place];
    if (at) await noteSuccess(db.manager, id, at);
  }
}

/** When a workflow of that type last succeeded: Temporal lists the latest end first. */
export async function lastSuccess(client: Client, type: string): Promise<Date | undefined> {
  const query = `WorkflowType = '${type}' AND ExecutionStatus = 'Completed'`;
  for await (const { closeTime } of client.workflow.list({ query, pageSize: 1 })) return closeTime;
  return undefined;
}

function scheduleOptions(declared: Declared): ScheduleOptions {
  const { id, workflow, every, offset, args, runTimeout } = declared;
  return {
    scheduleId: id,
    spec: { intervals: [{ every, ...(offset ? { offset } : {}) }] },
    action: {
      type: 'startWorkflow',
      workflowType: workflow,
      workflowId: id,
      taskQueue: taskQueues.maintenance,
      args: args ?? [],
      staticSummary: `Scheduled each ${every}: ${id}`,
      workflowExecutionTimeout: runTimeout,
    },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 day' },
    // The first round at once: a process that starts may have something to repair.
    state: { triggerImmediately: true },
  } as ScheduleOptions;
}
