import { isUtf8 } from 'node:buffer';
import { createHmac } from 'node:crypto';
import Stripe from 'stripe';
import { toleranceSeconds } from '../crypto/standard-webhook';
import type { Config } from '../config/config';

export type StripeClient = InstanceType<typeof Stripe>;

/** The library, pointed at STRIPE_API_BASE when that is set. Its connections are shared. */
export function createStripeClient(
  { stripeApiBase }: Pick<Config, 'stripeApiBase'>,
  key: string,
): StripeClient {
  return new Stripe(key, {
    timeout: 10_000,
    telemetry: false,
    ...(stripeApiBase === undefined ? {} : hostOf(stripeApiBase)),
  });
}

function hostOf(base: string): { protocol: 'http' | 'https'; host: string; port: number } {
  const { protocol, hostname, port } = new URL(base);
  const isPlain = protocol === 'http:';
  return {
    protocol: isPlain ? 'http' : 'https',
    host: hostname,
    port: port === '' ? (isPlain ? 80 : 443) : Number(port),
  };
}

/**
 * Why a call failed: `refused` (the key is not valid or lacks a permission), `missing` (Stripe knows
 * no such thing, or not in this form), `away` (no answer, or not now: try again).
 */
export type StripeFailure = 'refused' | 'missing' | 'away';

/** What a thrown value of the Stripe library means; one that is not its own counts as `away`. */
export function stripeFailure(error: unknown): StripeFailure {
  const status = error instanceof Stripe.errors.StripeError ? error.statusCode : undefined;
  if (status === 401 || status === 403) return 'refused';
  const isTransient = status === undefined || status === 409 || status === 429 || status >= 500;
  return isTransient ? 'away' : 'missing';
}

/**
 * Whether the raw bytes were signed with this secret, no more than 300 s ago by `now`, nor as far
 * ahead: the library itself lets times to come pass.
 */
export function isSignedByStripe(
  body: Buffer,
  header: string,
  { secret, now }: { secret: string; now: Date },
): boolean {
  const webhooks = Stripe.webhooks;
  if (!webhooks.signature) return false;
  try {
    webhooks.signature.verifyHeader(
      body,
      header,
      secret,
      toleranceSeconds,
      isUtf8(body) ? undefined : hmacOfBytes(body),
      now.getTime(),
    );
  } catch {
    return false;
  }
  return signedAt(header) - Math.floor(now.getTime() / 1_000) <= toleranceSeconds;
}

/** The library signs the bytes as text, which is other bytes where they are no UTF-8. */
function hmacOfBytes(body: Buffer): Stripe.CryptoProvider {
  // The class is made in here, so that the library is loaded by its first use and not by a start (.swcrc).
  class HmacOfBytes extends Stripe.CryptoProvider {
    override computeHMACSignature(payload: string, secret: string): string {
      const time = payload.slice(0, payload.indexOf('.') + 1);
      return createHmac('sha256', secret).update(time).update(body).digest('hex');
    }
  }
  return new HmacOfBytes();
}

/** The library takes the last `t` of a header; so do we. */
function signedAt(header: string): number {
  const times = header.split(',').flatMap((part) => {
    const [name, value] = part.split('=');
    return name === 't' ? [Number.parseInt(value ?? '', 10)] : [];
  });
  return times.at(-1) ?? Number.POSITIVE_INFINITY;
}
