import { processorActor } from '../../entities/rules/values/actor';
import { receiveEvent } from '../../activities/billing/events/receive';
import { EmptyDto } from '../auth/auth.dto';
import { open } from '../http/contract/credential';
import { maxProcessorBytes } from '../http/contract/body/body';
import { routesOf, type Route } from '../http/contract/route';

const route = routesOf('Inbound');

/**
 * Where Stripe sends its events: stored before they are acknowledged (docs/reference/payments.md,
 * Intake).
 */
export const stripeEventRoutes: Route[] = [
  route.post(
    '/webhooks/stripe/:connectionId',
    {
      name: 'receiveStripeEvent',
      summary: 'Receive an event from Stripe',
      description:
        "Signed in Stripe-Signature over the raw bytes with the connection's webhook secret, at most 300 seconds off either way; up to 1 MiB. 200 means stored: processing follows. An event that came before, of an unknown type, or of the other livemode (stored as ignored) is 200 too.",
      auth: open(null),
      params: { connectionId: 'NOT_FOUND' },
      raw: maxProcessorBytes,
      rawJson: true,
      idempotency: 'none',
      responses: { 200: { type: EmptyDto } },
      errors: ['NOT_FOUND', 'INVALID_SIGNATURE', 'PAYLOAD_TOO_LARGE', 'VALIDATION_ERROR'],
    },
    async (ctx) => {
      const { connectionId } = ctx.input.params;
      const delivery = {
        connectionId,
        body: ctx.rawBody,
        biller: 'stripe' as const,
        header: (name: string) => ctx.get(name),
      };
      const cause = { actor: processorActor, requestId: ctx.requestId, now: ctx.now };
      await receiveEvent({ db: ctx.db, vault: ctx.deps.vault }, cause, delivery);
      ctx.body = {};
    },
  ),
];
