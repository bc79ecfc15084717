import type { Config } from '../process/config';
import { createDeliveryPlaces, type DeliveryPlaces, type PlaceBounds } from './delivery-places';
import { createOutboundHttp, type OutboundHttp } from './http';

/** Deliveries under way at the same time to one endpoint, over all processes. */
export const maxInFlightPerEndpoint = 8;

/**
 * Of one process. A workspace may have ten endpoints in a mode: all of them at work have a third of
 * what is young.
 */
const bounds: PlaceBounds = {
  perEndpoint: maxInFlightPerEndpoint,
  youngPerWorkspace: 80,
  youngInAll: 256,
  hangingPerWorkspace: 32,
  inAll: 4_096,
  youngMs: 1_000,
};

/** What sends webhooks: shared by the dispatcher, the retries and the test ping of a process. */
export interface WebhookRuntime {
  http: OutboundHttp;
  places: DeliveryPlaces;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

/** Room beside the attempt itself: to begin it, and to write its result down. */
const leaseMarginMs = 15_000;

/** A lease outlives any attempt, so that no other process sends what is still being sent. */
export function leaseMsFor({ timeoutMs }: Config['webhooks']): number {
  return timeoutMs + leaseMarginMs;
}

export function createWebhookRuntime(config: Config['webhooks']): WebhookRuntime {
  const http = createOutboundHttp({
    allowPrivate: config.allowPrivate,
    connectTimeoutMs: Math.max(config.timeoutMs, config.pingTimeoutMs),
  });
  const places = createDeliveryPlaces(bounds);
  return {
    http,
    places,
    async close() {
      await places.empty();
      await http.close();
    },
  };
}
