import { setTimeout as pause } from 'node:timers/promises';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export { Counter, Gauge, Histogram, Registry };

/** One registry a process; labels hold route patterns and enums, never ids. */
export function createMetrics(process: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ process });
  collectDefaultMetrics({ register: registry });
  return registry;
}

export interface MetricSpec {
  name: string;
  help: string;
  labels?: string[];
}

/** A counter of this registry, made at first use. */
export function counter(registry: Registry, { name, help, labels = [] }: MetricSpec) {
  const known = registry.getSingleMetric(name) as Counter | undefined;
  return known ?? new Counter({ name, help, labelNames: labels, registers: [registry] });
}

export function gauge(registry: Registry, { name, help, labels = [] }: MetricSpec) {
  const known = registry.getSingleMetric(name) as Gauge | undefined;
  return known ?? new Gauge({ name, help, labelNames: labels, registers: [registry] });
}

const refreshMs = 15_000;
const longestWaitMs = 5_000;

/**
 * Reads figures of the database now and every few seconds, however often they are asked for. The
 * result resolves once they were read for the first time, or soon where the database does not answer.
 */
export function refreshed(read: () => Promise<void>): () => Promise<void> {
  let isReading = false;
  const refresh = async (): Promise<void> => {
    if (isReading) return;
    isReading = true;
    // Older figures stand until the database answers again.
    await read().catch(() => undefined);
    isReading = false;
  };
  const first = refresh();
  setInterval(() => void refresh(), refreshMs).unref();
  return () => Promise.race([first, pause(longestWaitMs, undefined, { ref: false })]);
}

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export function histogram(registry: Registry, { name, help, labels = [] }: MetricSpec) {
  const known = registry.getSingleMetric(name) as Histogram | undefined;
  return (
    known ??
    new Histogram({ name, help, labelNames: labels, buckets: seconds, registers: [registry] })
  );
}
