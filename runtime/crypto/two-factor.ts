import { randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { twoFactor } from '../../entities/rules/accounts/two-factor';
import type { Vault } from './vault';

const issuer = 'Affiliate Programme';

/** Digits and letters, without those that are taken for digits. */
const alphabet = '23456789abcdefghjkmnpqrstvwxyz';

/** A new secret for an authenticator app: 160 bits in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** What a QR code for the app holds: `otpauth://totp/...`. */
export function otpauthUrl(secret: string, email: string): string {
  return totpOf(secret, email).toString();
}

/** The step of the clock that a code of six digits belongs to; undefined when it is not one of now. */
export function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  const totp = totpOf(secret);
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code, timestamp, window: twoFactor.drift });
  return delta === null ? undefined : totp.counter({ timestamp }) + delta;
}

function totpOf(secret: string, label = ''): TOTP {
  return new TOTP({
    issuer,
    label,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: twoFactor.digits,
    period: twoFactor.stepSeconds,
  });
}

/** Recovery codes, each of 58 bits, such as `k3vd-8xqm-t2hz`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: twoFactor.recoveryCodes }, () => {
    const characters = Array.from({ length: 12 }, () => alphabet[randomInt(30)]);
    return characters.join('').replace(/(.{4})(?=.)/g, '$1-');
  });
}

/** What is kept of a recovery code: without the service's key, nothing to try codes against. */
export function recoveryHash(
  vault: Pick<Vault, 'derive'>,
  accountId: string,
  code: string,
): string {
  return vault.derive('recovery code', accountId, code);
}
