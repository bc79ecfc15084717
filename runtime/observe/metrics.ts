import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { codeVersion } from '../../entities/database/schema-version';
import { release } from './release';

export { Registry };

/** One registry a process; labels hold route patterns and enums, never ids. */
export function createMetrics(process: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ process });
  collectDefaultMetrics({ register: registry });
  const help = 'Always 1: the release of the process, and the schema that it was written for';
  const labels = { version: release(), schema: String(codeVersion) };
  gauge(registry, { name: 'build_info', help, labels: Object.keys(labels) }).set(labels, 1);
  return registry;
}

export interface MetricSpec {
  name: string;
  help: string;
  labels?: string[];
  /** Labels that are there from the start, at 0: an alarm sees the first of a kind, and its absence. */
  zeros?: readonly Record<string, string>[];
}

/** A counter of this registry, made at first use. */
export function counter(registry: Registry, { name, help, labels = [], zeros = [] }: MetricSpec) {
  const known = registry.getSingleMetric(name) as Counter | undefined;
  if (known) return known;
  const made = new Counter({ name, help, labelNames: labels, registers: [registry] });
  for (const one of zeros) made.inc(one, 0);
  return made;
}

export function gauge(registry: Registry, { name, help, labels = [], zeros = [] }: MetricSpec) {
  const known = registry.getSingleMetric(name) as Gauge | undefined;
  if (known) return known;
  const made = new Gauge({ name, help, labelNames: labels, registers: [registry] });
  for (const one of zeros) made.set(one, 0);
  return made;
}

/** Seconds, of requests and statements. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Seconds, of work that follows a commit: it may wait for an hour. */
export const waitBuckets = [0.05, 0.25, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600];

export function histogram(
  registry: Registry,
  { name, help, labels = [], zeros = [], ...spec }: MetricSpec & { buckets?: number[] },
) {
  const known = registry.getSingleMetric(name) as Histogram | undefined;
  if (known) return known;
  const bounds = spec.buckets ?? buckets;
  const made = new Histogram({
    ...{ name, help, labelNames: labels, buckets: bounds },
    registers: [registry],
  });
  for (const one of zeros) made.zero(one);
  return made;
}
