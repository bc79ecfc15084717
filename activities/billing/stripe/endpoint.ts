import { stripeEventTypes } from '../../../entities/rules/stripe/read-event';
import type { EndpointState } from '../reader';
import { stripeFailure, type StripeClient } from '../../../runtime/connections/stripe';

/** The newest version of Stripe's API whose events the tests read. */
export const eventsApiVersion = '2025-08-27.basil';

/**
 * Brings an endpoint that we registered to what we ask for now: further kinds of events, its
 * address, and on again when Stripe disabled it after failures.
 */
export async function keepEndpoint(
  client: StripeClient,
  { id, url }: { id: string; url: string },
): Promise<EndpointState> {
  try {
    const endpoint = await client.webhookEndpoints.retrieve(id);
    if (endpoint.api_version !== eventsApiVersion) return 'outdated';
    const lacks = stripeEventTypes.some((type) => !endpoint.enabled_events.includes(type));
    if (lacks || endpoint.status !== 'enabled' || endpoint.url !== url) {
      await client.webhookEndpoints.update(id, {
        url,
        enabled_events: [...stripeEventTypes],
        disabled: false,
      });
    }
    return 'kept';
  } catch (error) {
    return stripeFailure(error) === 'missing' ? 'gone' : 'kept';
  }
}
