import type { Config } from '../process/config';
import { createLanes, type Lanes } from './bulkhead';
import { createOutboundHttp, type OutboundHttp } from './http';

/** Deliveries under way at the same time to one endpoint, per process. */
export const maxInFlightPerEndpoint = 8;

/** What sends webhooks: shared by the dispatcher, the retries and the test ping of a process. */
export interface WebhookRuntime {
  http: OutboundHttp;
  lanes: Lanes;
}

/** Room beside the attempt itself: to begin it, and to write its result down. */
const leaseMarginMs = 15_000;

/** A lease outlives any attempt, so that no other process sends what is still being sent. */
export function leaseMsFor({ timeoutMs }: Config['webhooks']): number {
  return timeoutMs + leaseMarginMs;
}

export function createWebhookRuntime(config: Config['webhooks']): WebhookRuntime {
  return {
    http: createOutboundHttp({
      allowPrivate: config.allowPrivate,
      connectTimeoutMs: Math.max(config.timeoutMs, config.pingTimeoutMs),
    }),
    lanes: createLanes(maxInFlightPerEndpoint),
  };
}
