import { MetricsBuffer } from '@temporalio/worker';
import {
  counter,
  gauge,
  histogram,
  type MetricSpec,
  type Registry,
} from '../../runtime/observe/metrics';
import { taskQueues } from '../../runtime/temporal/messages';

/** All labels that the SDK gives; those that a figure does not have are left out. */
const labels = [
  'namespace',
  'task_queue',
  'workflow_type',
  'activity_type',
  'worker_type',
  'poller_type',
  'eager',
  'failure_reason',
  'operation',
  'status_code',
];

const queues = Object.values(taskQueues).map((queue) => ({ task_queue: queue }));

/** The metrics of alarms are there, at zero, from the start. */
const zeros: Readonly<Record<string, 'counter' | 'histogram'>> = {
  temporal_workflow_task_execution_failed: 'counter',
  temporal_workflow_task_schedule_to_start_latency: 'histogram',
  temporal_activity_schedule_to_start_latency: 'histogram',
};

/** The SDK's own buckets end at a minute, as do these; queues that are behind wait longer. */
const buckets = [0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/**
 * The figures of the Temporal SDK, in the registry of the process: they outlive the SDK's runtime,
 * which ends whenever Temporal is away. Times are seconds. The result goes to the runtime's options.
 */
export function collectSdkMetrics(registry: Registry): MetricsBuffer {
  // Several seconds of a storm: beyond it the SDK drops figures.
  const buffer = new MetricsBuffer({ maxBufferSize: 100_000, useSecondsForDurations: true });
  for (const [name, kind] of Object.entries(zeros)) add(registry, { name, kind }, undefined);
  setInterval(() => drain(registry, buffer), 1_000).unref();
  return buffer;
}

function drain(registry: Registry, buffer: MetricsBuffer): void {
  for (const { metric, value, attributes } of buffer.retrieveUpdates()) {
    const found = labels.flatMap((label) => {
      const text = attributes[label];
      return text === undefined ? [] : [[label, String(text)] as const];
    });
    add(registry, metric, { value, of: Object.fromEntries(found) });
  }
}

interface Update {
  value: number;
  of: Record<string, string>;
}

function add(
  registry: Registry,
  metric: { name: string; kind: string; description?: string },
  update: Update | undefined,
): void {
  const { name } = metric;
  const help = metric.description ?? 'Of the Temporal SDK';
  const spec = { name, help, labels, zeros: name in zeros ? queues : [] };
  if (metric.kind === 'counter') return toCounter(registry, spec, update);
  if (metric.kind === 'histogram') return toHistogram(registry, spec, update);
  if (update) toGauge(registry, spec, { ...update, isStep: metric.kind !== 'gauge' });
}

function toGauge(
  registry: Registry,
  spec: MetricSpec,
  { of, value, isStep }: Update & { isStep: boolean },
): void {
  const made = gauge(registry, spec);
  if (isStep) made.inc(of, value);
  else made.set(of, value);
}

function toCounter(registry: Registry, spec: MetricSpec, update: Update | undefined): void {
  const made = counter(registry, spec);
  if (update) made.inc(update.of, update.value);
}

function toHistogram(registry: Registry, spec: MetricSpec, update: Update | undefined): void {
  const made = histogram(registry, { ...spec, buckets });
  if (update) made.observe(update.of, update.value);
}
