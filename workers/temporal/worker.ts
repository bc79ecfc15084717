import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  DefaultLogger,
  makeTelemetryFilterString,
  NativeConnection,
  Runtime,
  Worker,
  type WorkerOptions,
} from '@temporalio/worker';
import { createActivities } from '../../activities';
import type { MailServer } from '../../activities/mail/server';
import { inParallel } from '../../runtime/load/in-parallel';
import { retry, waits, type RetryPolicy } from '../../runtime/load/retry';
import type { Config } from '../../runtime/config/config';
import type { Deps } from '../../runtime/process/deps';
import { taskQueues, type TaskQueue } from '../../runtime/temporal/messages';
import { activityInterceptors } from './interceptors';
import { fieldsOf } from './sdk-log';
import { collectSdkMetrics } from './sdk-metrics';
import { toUnreachable } from './unreachable';
import { runUntilStopped, type Stoppable } from '../../runtime/process/process';

/**
 * The work that one process takes on at a time, by queue. A sleeping workflow costs some half a
 * megabyte in the cache and is hardly ever needed again before it falls out of it.
 */
export const capacity: Record<
  TaskQueue,
  { maxConcurrentActivityTaskExecutions: number; maxCachedWorkflows: number }
> = {
  commissions: { maxConcurrentActivityTaskExecutions: 50, maxCachedWorkflows: 300 },
  stripe: { maxConcurrentActivityTaskExecutions: 20, maxCachedWorkflows: 200 },
  webhooks: { maxConcurrentActivityTaskExecutions: 50, maxCachedWorkflows: 200 },
  payouts: { maxConcurrentActivityTaskExecutions: 20, maxCachedWorkflows: 24 },
  mail: { maxConcurrentActivityTaskExecutions: 20, maxCachedWorkflows: 200 },
  erasure: { maxConcurrentActivityTaskExecutions: 10, maxCachedWorkflows: 25 },
  bulk: { maxConcurrentActivityTaskExecutions: 5, maxCachedWorkflows: 25 },
  maintenance: { maxConcurrentActivityTaskExecutions: 5, maxCachedWorkflows: 50 },
};

/**
 * One worker a task queue. Temporal may be away at the start and come back at any time. Who sends mails
 * in the same process shares the mail server.
 */
export function startWorkers(
  deps: Deps,
  mailServer?: MailServer,
  source: WorkflowSource = workflowSource(),
): Stoppable {
  installRuntime(deps);
  const queues = (Object.keys(taskQueues) as TaskQueue[]).filter(
    (queue) => deps.config.workerQueues === 'all' || deps.config.workerQueues.includes(queue),
  );
  return runUntilStopped(async (signal) => {
    if (queues.length > 0) await keepRunning(deps, { queues, mailServer, source, signal });
  });
}

function installRuntime({ log, metrics }: Pick<Deps, 'log' | 'metrics'>): void {
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
      // The interceptor logs it with its cause.
      if (message === 'Activity failed') return;
      log[level === 'ERROR' ? 'error' : 'warn'](fieldsOf(meta), message);
    }),
    telemetryOptions: {
      logging: { filter: makeTelemetryFilterString({ core: 'WARN' }), forward: {} },
      metrics: { buffer: collectSdkMetrics(metrics) },
    },
  });
}

interface Served {
  queues: TaskQueue[];
  mailServer: MailServer | undefined;
  source: WorkflowSource;
  signal: AbortSignal;
}

async function keepRunning(deps: Deps, served: Served): Promise<void> {
  const { signal } = served;
  const untilStopped: RetryPolicy = {
    waitsMs: waits(1_000),
    isWorthIt(error) {
      if (signal.aborted) deps.log.warn({ err: error }, 'the workers did not stop in time');
      return !signal.aborted;
    },
    onRetry(error, attempt) {
      if (attempt > 1) return;
      deps.log.warn({ err: error }, 'Temporal is away; the worker keeps trying');
    },
    signal,
  };
  while (!signal.aborted) {
    await retry(untilStopped, () => runWorkers(deps, served)).catch(() => undefined);
  }
}

async function runWorkers(deps: Deps, served: Served): Promise<void> {
  const { queues, mailServer, source, signal } = served;
  const { address, namespace, apiKey, tls } = deps.config.temporal;
  const connection = await NativeConnection.connect({
    address,
    tls,
    ...(apiKey === undefined ? {} : { apiKey }),
  }).catch(async (error: unknown) => {
    throw await toUnreachable(deps.config.temporal, error);
  });
  try {
    const options = {
      ...source,
      connection,
      namespace,
      activities: createActivities(deps, mailServer),
      interceptors: {
        activity: [activityInterceptors(deps.log)],
        // A bundle holds those of workflows already.
        ...(source.workflowsPath !== undefined && {
          workflowModules: [join(source.workflowsPath, 'request-trail')],
        }),
      },
      maxHeartbeatThrottleInterval: '5s',
      ...stopTimes(deps.config),
    };
    const create = (queue: TaskQueue): Promise<Worker> =>
      Worker.create({ ...options, ...capacity[queue], taskQueue: taskQueues[queue] });
    await runEach(queues, { create, signal });
  } finally {
    await connection.close().catch(() => undefined);
  }
}

/** Activities under way have half of the time for a stop, and then some to take notice. */
export function stopTimes({ shutdownTimeoutMs }: Pick<Config, 'shutdownTimeoutMs'>) {
  return {
    shutdownGraceTime: shutdownTimeoutMs * 0.5,
    shutdownForceTime: shutdownTimeoutMs * 0.8,
  };
}

interface Running {
  create(queue: TaskQueue): Promise<Worker>;
  signal: AbortSignal;
}

/**
 * Each works as soon as it is made, two at a time: to make one takes a third of a second of a processor,
 * and those of commissions and webhooks come first. When one ends, of itself or on request, all do.
 */
async function runEach(queues: readonly TaskQueue[], { create, signal }: Running): Promise<void> {
  const made: Worker[] = [];
  const runs: Promise<void>[] = [];
  let isOver = signal.aborted;
  const endAll = (): void => {
    isOver = true;
    for (const worker of made) {
      if (worker.getState() === 'RUNNING') worker.shutdown();
    }
  };
  signal.addEventListener('abort', endAll, { once: true });
  /** It is awaited below, once all are made. */
  const keep = (run: Promise<void>): void => {
    run.catch(() => undefined);
    runs.push(run);
  };
  const named = queues.map((queue) => ({ queue }));
  await inParallel(named, { atOnce: 2, isEnough: () => isOver }, async ({ queue }) => {
    try {
      const worker = await create(queue);
      made.push(worker);
      keep(worker.run().finally(endAll));
      if (isOver) setImmediate(endAll);
    } catch (error) {
      keep(Promise.reject(error as Error));
      endAll();
    }
  });
  try {
    await Promise.all(runs);
  } finally {
    signal.removeEventListener('abort', endAll);
  }
}

type WorkflowSource = Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath'>;

/** The prebuilt bundle where there is one; from source (tests) it is built on the spot. */
function workflowSource(): WorkflowSource {
  const codePath = join(__dirname, '../..', 'workflow-bundle.js');
  if (existsSync(codePath)) return { workflowBundle: { codePath } };
  return { workflowsPath: join(__dirname, '../..', 'workflows') };
}
