import { histogram, waitBuckets, type Registry } from '../../runtime/observe/metrics';

/** How late holds are ended, by their lifecycles or the repair; there from the start of a worker. */
export function holdEnds(metrics: Registry) {
  return histogram(metrics, {
    name: 'hold_end_late_seconds',
    help: 'How long after its time a hold was ended',
    zeros: [{}],
    buckets: waitBuckets,
  });
}
