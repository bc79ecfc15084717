import type { WebhookEvent } from './generated/resources.ts';
import { hmacNow, hmacSoon, isSame, type Hmac } from './hmac.ts';

/** A delivery that is not ours, is too old, or was changed on the way. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

/** What no delivery is to blame for: a secret that is none, or a parser that took the bytes. */
export class WebhookSetupError extends Error {
  override readonly name = 'WebhookSetupError';
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

/** An event that was verified; `isTest` for a ping, whose object is an example. */
export type VerifiedEvent = WebhookEvent & { isTest: boolean };

/**
 * Verifies a webhook by Standard Webhooks and returns its event. Throws WebhookVerificationError
 * for a signature of none of the secrets, or a time beyond the tolerance, and WebhookSetupError for a
 * secret that is none. On servers: Node from 20.16, Bun, Deno; elsewhere verifyWebhookAsync.
 */
export function verifyWebhook(delivery: Delivery): VerifiedEvent {
  const { signed, given } = checkHeaders(delivery);
  const expected = keysOf(delivery.secrets).map((key) => hmacNow(key, signed, delivery.body));
  return eventOf(delivery, given, expected);
}

/** The same by WebCrypto: on Workers and other edge runtimes too. */
export async function verifyWebhookAsync(delivery: Delivery): Promise<VerifiedEvent> {
  const { signed, given } = checkHeaders(delivery);
  const keys = keysOf(delivery.secrets);
  const expected = await Promise.all(keys.map((key) => hmacSoon(key, signed, delivery.body)));
  return eventOf(delivery, given, expected);
}

export type Signed = Pick<Delivery, 'headers' | 'toleranceSeconds'>;

/** What can be told of a delivery before its body is read. Throws WebhookVerificationError. */
export function checkHeaders({ headers, toleranceSeconds = 300 }: Signed) {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  );
  if (!id || !timestamp || !signatures) throw refused('headers are missing');
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || age > toleranceSeconds) throw refused('the time is not now');
  return { signed: `${id}.${timestamp}.`, given: signatures.split(' ') };
}

/** The keys of all secrets. Throws WebhookSetupError for one that is none, and does not show it. */
export function keysOf(secrets: Delivery['secrets']): Uint8Array<ArrayBuffer>[] {
  const list = [secrets].flat();
  return list.map((secret: unknown, i) => {
    const place = list.length === 1 ? "The webhook's secret" : `secrets[${i}] of the webhook`;
    const text = typeof secret === 'string' ? secret.replace(/^whsec_/, '') : '';
    if (text === '') throw new WebhookSetupError(`${place} is empty: is its variable set?`);
    if (!/^[\w+/-]+=*$/.test(text)) {
      const reason = 'has characters that no secret has, such as quotes, commas or white space';
      throw new WebhookSetupError(`${place} ${reason}: give each as it was shown, whsec_ and all.`);
    }
    return keyOf(text, place);
  });
}

function keyOf(text: string, place: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    throw new WebhookSetupError(`${place} is not whole: give it as it was shown, whsec_ and all.`);
  }
}

function eventOf({ body }: Delivery, given: string[], expected: Hmac[]): VerifiedEvent {
  const isOurs = expected.some((one) => given.some((signature) => isSame(signature, `v1,${one}`)));
  if (!isOurs) throw refused('no signature matches');
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const event = JSON.parse(text) as WebhookEvent & { test?: boolean };
  return { ...event, isTest: event.test === true || event.type === 'webhook.test' };
}

export interface TestDelivery {
  /** A secret of your own for the test, `whsec_...`. */
  secret: string;
  /** What is missing of it is made up, but for its type and object. */
  event: { type: WebhookEvent['type']; data: { object: object }; id?: string; test?: boolean };
  /** When it is signed: now. */
  at?: Date;
}

/** A delivery as the service sends it, for tests of a receiver: its body and headers. */
export function signForTest({ secret, event, at = new Date() }: TestDelivery) {
  const id = event.id ?? `evt_${crypto.randomUUID()}`;
  const envelope = { id, api_version: 'v1', mode: 'test', created_at: at.toISOString() };
  const body = JSON.stringify({ ...envelope, sequence: 1, ...event });
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatures = keysOf(secret).map((key) => `v1,${hmacNow(key, `${id}.${timestamp}.`, body)}`);
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures.join(' '),
    },
  };
}

const refused = (why: string) =>
  new WebhookVerificationError(`The webhook is not verified: ${why}`);

function headerOf(headers: Delivery['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : found?.join(' ');
}
