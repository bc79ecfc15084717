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

interface NodeCrypto {
  createHmac(name: string, key: Uint8Array): { update(data: Uint8Array): { digest(): Uint8Array } };
  timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean;
}
interface NodeProcess {
  getBuiltinModule?(name: string): unknown;
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

  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const { createHmac, timingSafeEqual } = nodeCrypto();
  const given = signatures.split(' ').flatMap((text) => {
    const [version, signature = ''] = text.split(',');
    return version === 'v1' ? [bytesOf(signature)] : [];
  });
  const isOurs = [secrets].flat().some((secret) => {
    const key = bytesOf(secret.replace(/^whsec_/, ''));
    const expected = createHmac('sha256', key).update(signed).digest();
    return given.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
  });
  if (!isOurs) throw refused('no signature matches');
  return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
}

const refused = (why: string) =>
  new WebhookVerificationError(`The webhook is not verified: ${why}`);

function headerOf(headers: Delivery['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : found?.join(' ');
}

function bytesOf(base64: string): Uint8Array {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** No import, so that a bundle for browsers, which verify nothing, needs nothing of Node. */
function nodeCrypto(): NodeCrypto {
  const { process } = globalThis as { process?: NodeProcess };
  const found = process?.getBuiltinModule?.('node:crypto');
  if (!found) throw new Error('verifyWebhook needs Node 20.16 or newer');
  return found as NodeCrypto;
}
