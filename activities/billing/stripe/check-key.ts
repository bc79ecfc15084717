import { createHash } from 'node:crypto';
import { AppError } from '../../../entities/errors';
import { stripeEventTypes } from '../../../entities/rules/stripe/read-event';
import { stripeFailure, type StripeClient } from '../../../runtime/connections/stripe';
import { billerAway } from '../away';
import type { RegisteredEndpoint } from '../reader';
import { eventsApiVersion } from './endpoint';

/** What events need to be understood in full, and the permission of a restricted key for it. */
const reads: { what: string; permission: string; call(client: StripeClient): Promise<unknown> }[] =
  [
    {
      what: 'charges',
      permission: 'rak_charge_read',
      call: (client) => client.charges.list({ limit: 1 }),
    },
    {
      what: 'balance transactions',
      permission: 'rak_balance_transaction_source_read',
      call: (client) => client.balanceTransactions.list({ limit: 1 }),
    },
    {
      what: 'payment intents',
      permission: 'rak_payment_intent_read',
      call: (client) => client.paymentIntents.list({ limit: 1 }),
    },
    {
      what: 'invoices',
      permission: 'rak_invoice_read',
      call: (client) => client.invoices.list({ limit: 1 }),
    },
    {
      what: 'invoice payments',
      permission: 'rak_invoice_read',
      call: (client) => client.invoicePayments.list({ limit: 1 }),
    },
    {
      what: 'checkout sessions',
      permission: 'rak_checkout_session_read',
      call: (client) => client.checkout.sessions.list({ limit: 1 }),
    },
    {
      what: 'promotion codes',
      permission: 'rak_promotion_code_read',
      call: (client) => client.promotionCodes.list({ limit: 1 }),
    },
  ];

/**
 * Tries every read that processing needs. STRIPE_KEY_REJECTED names the first that Stripe refuses;
 * SERVICE_UNAVAILABLE when it does not answer.
 */
export async function checkStripeKey(client: StripeClient): Promise<void> {
  const failures = await Promise.all(
    reads.map(async ({ what, permission, call }) => {
      try {
        await call(client);
        return undefined;
      } catch (error) {
        return { what, permission, error };
      }
    }),
  );
  const refused = failures.find((failure) => failure && stripeFailure(failure.error) === 'refused');
  if (refused) throw rejection(refused.error, `read ${refused.what}`, refused.permission);
  // One answer is enough to know that the key is good; a 500 on one list is Stripe's own trouble.
  const isAway = failures.every((failure) => failure && stripeFailure(failure.error) === 'away');
  if (isAway) throw billerAway('stripe');
}

/** Registers our endpoint for the kinds that we act on; the same idempotency key, the same one. */
export async function registerEndpoint(
  client: StripeClient,
  { url, idempotencyKey }: { url: string; idempotencyKey: string },
): Promise<RegisteredEndpoint> {
  try {
    const { id, secret } = await client.webhookEndpoints.create(
      {
        url,
        enabled_events: [...stripeEventTypes],
        api_version: eventsApiVersion,
        description: 'Affiliate programme',
      },
      { idempotencyKey: keyFor(idempotencyKey, [eventsApiVersion, ...stripeEventTypes]) },
    );
    if (!secret) throw new AppError('STRIPE_KEY_REJECTED', { message: withoutSecret });
    return { id, secret, replaces: null };
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (stripeFailure(error) === 'away') throw billerAway('stripe');
    throw rejection(error, 'register the webhook endpoint', 'rak_webhook_write');
  }
}

/** Stripe refuses a known key with another request, as after an update that adds kinds of events. */
export function keyFor(idempotencyKey: string, types: readonly string[]): string {
  const hash = createHash('sha256').update(types.join()).digest('hex');
  return `${idempotencyKey}-${hash.slice(0, 12)}`;
}

const withoutSecret =
  'Stripe registered the endpoint without telling its secret: put the webhookSecret yourself.';

/** Removes the endpoint; one that is gone, or that the key may not touch any more, is left alone. */
export async function removeEndpoint(client: StripeClient, id: string): Promise<void> {
  try {
    await client.webhookEndpoints.del(id);
  } catch (error) {
    if (stripeFailure(error) === 'away') throw billerAway('stripe');
  }
}

/** Stripe's own message names a permission exactly; it may also hold parts of the key. */
function rejection(error: unknown, action: string, permission: string): AppError {
  const { statusCode, message = '' } = error as { statusCode?: number; message?: string };
  if (statusCode === 401) {
    return new AppError('STRIPE_KEY_REJECTED', {
      message: 'Stripe does not accept this restrictedKey: it is unknown, expired or revoked.',
    });
  }
  const named = /\brak_[a-z_]{1,60}\b/.exec(message)?.[0] ?? permission;
  return new AppError('STRIPE_KEY_REJECTED', {
    message: `Stripe does not let this restrictedKey ${action}: it needs the permission ${named}.`,
  });
}
