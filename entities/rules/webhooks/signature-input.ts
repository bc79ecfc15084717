/**
 * The texts that are signed and the headers that carry the signatures (docs/reference/webhooks.md,
 * Secret).
 */

const signingSecretPrefix = 'whsec_';

/** A secret as it is shown: the prefix and 64 hex characters. */
export function formatSigningSecret(hex: string): string {
  return `${signingSecretPrefix}${hex}`;
}

/**
 * The two keys that one secret stands for. `X-Selgeo-Signature` is keyed with the 32 bytes of the
 * hex text; Standard Webhooks libraries read the very same characters as base64, which gives 48
 * other bytes. A receiver must be able to hand the secret to either unchanged.
 */
export function signingKeyTexts(secret: string): {
  hex: string;
  base64: string;
} {
  const text = secret.slice(signingSecretPrefix.length);
  return { hex: text, base64: text };
}

/** What `X-Selgeo-Signature` signs. `timestamp` in whole seconds. */
export function selgeoSigned(timestamp: number, body: string): string {
  return `${timestamp}.${body}`;
}

/** What `webhook-signature` signs. */
export function standardSigned(messageId: string, timestamp: number, body: string): string {
  return `${messageId}.${timestamp}.${body}`;
}

/** `t=<unix>,v1=<hex>`, one `v1` per secret that is valid now. */
export function selgeoHeader(timestamp: number, hexSignatures: readonly string[]): string {
  return [`t=${timestamp}`, ...hexSignatures.map((signature) => `v1=${signature}`)].join(',');
}

/** `v1,<base64>`, space-separated, one per secret that is valid now. */
export function standardHeader(base64Signatures: readonly string[]): string {
  return base64Signatures.map((signature) => `v1,${signature}`).join(' ');
}
