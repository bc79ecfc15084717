import { randomInt, randomBytes } from 'node:crypto';
import { keyPrefix, type KeyKind, type Mode } from '../../entities/rules/values/mode';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `sk_test_` and so on, and 32 base62 characters (190 bits). */
export function newApiKey(kind: KeyKind, mode: Mode): string {
  const characters = Array.from({ length: 32 }, () => base62[randomInt(base62.length)]);
  return `${keyPrefix(kind, mode)}${characters.join('')}`;
}

/** An opaque token of 256 bits, base64url. */
export function newOpaqueToken(): string {
  return randomBytes(32).toString('base64url');
}

const lowerBase36 = '0123456789abcdefghijklmnopqrstuvwxyz';

/** `po` and 20 of a-z and 0-9 (103 bits): what a bank knows an item of a payout by. */
export function newItemReference(): string {
  const characters = Array.from({ length: 20 }, () => lowerBase36[randomInt(lowerBase36.length)]);
  return `po${characters.join('')}`;
}
