import { setTimeout as pause } from 'node:timers/promises';
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
  /**
   * Waits for what is under way, but not for long: what still hangs then counts as not sent, and is
   * sent again when its lease has run out.
   */
  drain(ms: number): Promise<void>;
  /** Whether that was the end of something, so that results which come now do not count. */
  isLeft(): boolean;
}

export function createWebhookRuntime(config: Config['webhooks']): WebhookRuntime {
  const http = createOutboundHttp({
    allowPrivate: config.allowPrivate,
    connectTimeoutMs: Math.max(config.timeoutMs, config.pingTimeoutMs),
  });
  const places = createDeliveryPlaces(bounds);
  let isLeft = false;
  return {
    http,
    places,
    async drain(ms) {
      const patience = new AbortController();
      const late = pause(ms, true, { signal: patience.signal }).catch(() => true);
      isLeft = await Promise.race([places.empty().then(() => false), late]);
      patience.abort();
    },
    isLeft: () => isLeft,
  };
}
