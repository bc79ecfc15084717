import type { WebhookEvent } from './generated/resources.ts';

/** A delivery that is not ours, is too old, or was changed on the way. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

type HeaderValue = string | readonly string[] | undefined;

export interface Delivery {
  /** As it came: before any parser. */
  body: string | Uint8Array;
  headers: Headers | Record<string, HeaderValue>;
  /** The signing secret, `whsec_...`; two while it is being rotated. */
  secrets: string | readonly string[];
  /** How far its time may be from this machine's clock: 300. */
  toleranceSeconds?: number;
}

interface Hmac {
  update(data: string | Uint8Array): Hmac;
  digest(form: 'base64'): string;
}
interface NodeCrypto {
  createHmac(name: string, key: Uint8Array): Hmac;
  timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean;
}

/**
 * Verifies a webhook by Standard Webhooks and returns its event. Throws WebhookVerificationError
 * for a signature of none of the secrets, or a time beyond the tolerance. On servers only.
 */
export function verifyWebhook({
  body,
  headers,
  secrets,
  toleranceSeconds = 300,
}: Delivery): WebhookEvent {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  );
  if (!id || !timestamp || !signatures) throw refused('headers are missing');
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || age > toleranceSeconds) throw refused('the time is not now');

  const { createHmac, timingSafeEqual } = nodeCrypto();
  const bytes = (text: string) => new TextEncoder().encode(text);
  const given = signatures.split(' ').map(bytes);
  const isOurs = [secrets].flat().some((secret) => {
    const hmac = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body);
    const expected = bytes(`v1,${hmac.digest('base64')}`);
    return given.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
  });
  if (!isOurs) throw refused('no signature matches');
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  return JSON.parse(text) as WebhookEvent;
}

const refused = (why: string) =>
  new WebhookVerificationError(`The webhook is not verified: ${why}`);

function headerOf(headers: Delivery['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : found?.join(' ');
}

function keyOf(secret: string): Uint8Array {
  const key = atob(secret.replace(/^whsec_/, ''));
  // Anybody could sign with that.
  if (key === '') throw new TypeError('A secret of the webhook is empty');
  return Uint8Array.from(key, (character) => character.charCodeAt(0));
}

/** No import, so that a bundle for browsers, which verify nothing, needs nothing of Node. */
function nodeCrypto(): NodeCrypto {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
  const found = process?.getBuiltinModule?.('node:crypto');
  if (!found) throw new Error('verifyWebhook needs Node 20.16 or newer');
  return found as NodeCrypto;
}
