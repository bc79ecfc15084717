import { holdEnds } from '../activities/commissions/metrics';
import { mailAttempts, mailServerOpen, mailWaits } from '../activities/mail/metrics';
import { lostLifecycles } from '../activities/maintenance/lifecycles';
import { webhookMetrics } from '../activities/webhooks/metrics';
import type { Registry } from '../runtime/observe/metrics';
import { relayMetrics } from './relay/process-claim';
import { showIntervals } from './temporal/schedules';

/**
 * What a worker counts, at 0 before there is anything to count: of a figure that comes with the first
 * failure an alarm does not see the step.
 */
export function declareMetrics(metrics: Registry): void {
  relayMetrics(metrics);
  webhookMetrics(metrics);
  mailAttempts(metrics);
  mailServerOpen(metrics);
  mailWaits(metrics);
  lostLifecycles(metrics);
  holdEnds(metrics);
  showIntervals(metrics);
}
