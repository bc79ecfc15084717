import { Secret, TOTP } from 'otpauth';
import { findAccount } from '../../../activities/accounts/accounts';
import { enableTwoFactor, setUpTwoFactor } from '../../../activities/accounts/two-factor/changes';
import { confirmCode } from '../../../activities/accounts/two-factor/codes';
import type { Side } from '../../../entities/rules/accounts/accounts';
import { systemActor } from '../../../entities/rules/values/actor';
import type { Deps } from '../../../runtime/process/deps';

/** What an authenticator app shows at this time. */
export function codeAt(secret: string, at: Date): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() });
}

/** A second factor of an account, up to this stage; its first code was of the step before this one. */
export async function buildTwoFactor(
  { db: source, vault, clock }: Pick<Deps, 'db' | 'vault' | 'clock'>,
  { side, id }: { side: Side; id: string },
  stage: 'setup' | 'enabled' = 'enabled',
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const db = source.manager;
  const now = clock.now();
  const cause = { actor: systemActor, now };
  const account = await findAccount(db, side, { id });
  if (!account) throw new Error('there is no account');
  const { secret } = await setUpTwoFactor({ db, vault }, cause, account);
  if (stage === 'setup') return { secret, recoveryCodes: [] };
  const code = codeAt(secret, new Date(now.getTime() - 30_000));
  const typed = { account, code, ip: '192.0.2.1', stage: 'setup' } as const;
  const proof = await confirmCode({ db, vault }, cause, typed);
  const recoveryCodes = await enableTwoFactor({ db, vault }, cause, { account, proof });
  return { secret, recoveryCodes };
}
