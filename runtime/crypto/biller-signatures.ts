import { createHmac } from 'node:crypto';
import { toleranceSeconds } from './standard-webhook';
import { sameText } from './vault';

/**
 * Signatures of billers over raw bytes, at most 300 s off either way. Both are keyed with the secret's text as it
 * stands, prefix included. The vendors' own verifiers read one signature of several, or let any time to come pass.
 */
interface Signing {
  secret: string;
  now: Date;
}

/** `ts=1700000000;h1=<hex>`, with one or more `h1`: HMAC-SHA256 over `ts:body`. */
export function isSignedByPaddle(body: Buffer, header: string, { secret, now }: Signing): boolean {
  const parts = header
    .slice(0, longestHeader)
    .split(';')
    .map((part) => part.trim().split('='));
  const valuesOf = (name: string): string[] =>
    parts.flatMap(([key, value = '']) => (key === name ? [value] : []));
  const [timestamp = '', ...others] = valuesOf('ts');
  if (others.length > 0 || !isNear(timestamp, now)) return false;
  const expected = createHmac('sha256', secret).update(`${timestamp}:`).update(body).digest('hex');
  return valuesOf('h1').some((candidate) => sameText(candidate.toLowerCase(), expected));
}

export interface StandardHeaders {
  id: string;
  timestamp: string;
  /** Space-separated `v1,<base64>`; any good one is enough. */
  signature: string;
}

/** Standard Webhooks, keyed with the text of the secret. */
export function isSignedByPolar(
  body: Buffer,
  { id, timestamp, signature }: StandardHeaders,
  { secret, now }: Signing,
): boolean {
  if (id === '' || id.length > 255 || !isNear(timestamp, now)) return false;
  const signed = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body);
  const expected = `v1,${signed.digest('base64')}`;
  return signature
    .slice(0, longestHeader)
    .split(' ')
    .some((candidate) => sameText(candidate, expected));
}

const longestHeader = 4_096;

function isNear(timestamp: string, now: Date): boolean {
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  return Math.abs(Math.floor(now.getTime() / 1_000) - Number(timestamp)) <= toleranceSeconds;
}
