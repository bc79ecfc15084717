import { createHmac } from 'node:crypto';
import { standardSigned } from '../../entities/rules/webhooks/signature-input';
import { sameText } from './vault';

export interface SignedRequest {
  id: string;
  timestamp: string;
  /** Space-separated `v1,<base64>`; any good one is enough. */
  signature: string;
  body: Buffer;
}

/** Tolerance of a signature's time, either way. */
export const toleranceSeconds = 300;

/** Whether a Standard Webhooks request is genuine and at most five minutes off our clock, either way. */
export function isGenuineWebhook(secret: string, request: SignedRequest, now: Date): boolean {
  const { id, timestamp, signature, body } = request;
  if (id === '' || !/^\d{1,12}$/.test(timestamp)) return false;
  const offset = Math.floor(now.getTime() / 1000) - Number(timestamp);
  if (Math.abs(offset) > toleranceSeconds) return false;

  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key)
    .update(standardSigned(id, Number(timestamp), ''))
    .update(body)
    .digest('base64');
  return signature.split(' ').some((candidate) => sameText(candidate, `v1,${expected}`));
}
