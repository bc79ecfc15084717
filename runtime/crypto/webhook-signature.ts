import { createHmac, randomBytes } from 'node:crypto';
import {
  formatSigningSecret,
  selgeoHeader,
  selgeoSigned,
  signingKeyTexts,
  standardHeader,
  standardSigned,
} from '../../entities/rules/webhooks/signature-input';

export interface SignedMessage {
  /** The event's id as receivers see it, the same at every attempt. */
  messageId: string;
  body: string;
  /** The time of this attempt. */
  at: Date;
  /** The current secret, then the previous one while a rotation overlaps. */
  secrets: readonly string[];
}

const userAgent = 'Selgeo-Webhooks/1.0';

export function newSigningSecret(): string {
  return formatSigningSecret(randomBytes(32).toString('hex'));
}

/**
 * All headers of one attempt, with both families of signatures (docs/reference/webhooks.md,
 * Secret).
 */
export function signedHeaders({
  messageId,
  body,
  at,
  secrets,
}: SignedMessage): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1_000);
  const keys = secrets.map(signingKeyTexts);
  const selgeo = keys.map(({ hex }) =>
    hmac(Buffer.from(hex, 'hex'), selgeoSigned(timestamp, body)).toString('hex'),
  );
  const standard = keys.map(({ base64 }) =>
    hmac(Buffer.from(base64, 'base64'), standardSigned(messageId, timestamp, body)).toString(
      'base64',
    ),
  );

  return {
    'content-type': 'application/json',
    'user-agent': userAgent,
    accept: '*/*',
    'accept-encoding': 'identity',
    'x-selgeo-signature': selgeoHeader(timestamp, selgeo),
    'webhook-id': messageId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standardHeader(standard),
  };
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
