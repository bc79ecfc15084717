import { update } from '../../../entities/database/update';
import { insertAll } from '../../../entities/database/insert-all';
import { type Db, execute, transaction, type Tx } from '../../../entities/database/sql';
import { AppError } from '../../../entities/errors';
import { systemActor } from '../../../entities/rules/values/actor';
import { TwoFactor } from '../../../entities/tables/accounts/two-factor.entity';
import {
  newRecoveryCodes,
  newTotpSecret,
  otpauthUrl,
  recoveryHash,
} from '../../../runtime/crypto/two-factor';
import { readCode } from '../../../entities/rules/accounts/two-factor';
import type { Vault } from '../../../runtime/crypto/vault';
import { endSessionsOf, type AccountRef } from '../../credentials/sessions';
import { recordAccount, workspaceOf } from '../../journal/account-audit';
import type { Cause } from '../../journal/cause';
import { record } from '../../journal/record';
import { notifyHolder } from '../../notifications/security';
import { lockAccount, type AccountRow } from '../accounts';
import { spendCode, type Proof } from './codes';

export interface TwoFactorSetup {
  /** Base32, shown this once. */
  secret: string;
  /** The text of the QR code: `otpauth://totp/...`. */
  otpauthUrl: string;
}

/** A code that was confirmed, and whose it is. */
export interface Confirmed {
  account: AccountRow;
  proof: Proof;
}

/**
 * Begins with a new secret; nothing changes at the sign-in until a code of it comes. A setup that
 * was not finished is replaced. TWO_FACTOR_ALREADY_ENABLED.
 */
export async function setUpTwoFactor(
  { db, vault }: { db: Db; vault: Pick<Vault, 'encrypt'> },
  cause: Cause,
  account: AccountRow,
): Promise<TwoFactorSetup> {
  const { id: accountId, side, email } = account;
  const secret = newTotpSecret();
  const secretEncrypted = vault.encrypt(secret, ['two_factors.secret', accountId]);
  const times = { createdAt: cause.now, updatedAt: cause.now };
  await transaction(db, async (tx) => {
    const written = await insertAll(tx, {
      into: TwoFactor,
      rows: [{ accountId, side, secretEncrypted, ...times }],
      onConflict: `ON CONFLICT (account_id) DO UPDATE
        SET secret_encrypted = EXCLUDED.secret_encrypted, used_steps = '{}',
            updated_at = EXCLUDED.updated_at
        WHERE two_factors.enabled_at IS NULL`,
    });
    if (written === 0) throw new AppError('TWO_FACTOR_ALREADY_ENABLED');
    await recordAccount(tx, cause, { account, action: 'two_factor.setup_started' });
  });
  return { secret, otpauthUrl: otpauthUrl(secret, email) };
}

/**
 * Switches the second factor on by the first code of the app; answers the recovery codes, this once.
 * TWO_FACTOR_INVALID, TWO_FACTOR_ALREADY_ENABLED for what happened meanwhile.
 */
export function enableTwoFactor(
  { db, vault }: { db: Db; vault: Pick<Vault, 'derive'> },
  cause: Cause,
  confirmed: Confirmed,
): Promise<string[]> {
  const { account } = confirmed;
  return transaction(db, async (tx) => {
    await spendCode(tx, cause, confirmed);
    const enabled = await execute(
      tx,
      'UPDATE two_factors SET enabled_at = $2 WHERE account_id = $1 AND enabled_at IS NULL',
      [account.id, cause.now],
    );
    if (enabled === 0) throw new AppError('TWO_FACTOR_ALREADY_ENABLED');
    const codes = await replaceRecoveryCodes({ db: tx, vault }, cause, account);
    await tell(tx, cause, { account, change: 'enabled' });
    return codes;
  });
}

/** Switches it off. TWO_FACTOR_INVALID when the code was used meanwhile. */
export async function disableTwoFactor(db: Db, cause: Cause, confirmed: Confirmed): Promise<void> {
  const { account } = confirmed;
  await transaction(db, async (tx) => {
    await spendCode(tx, cause, confirmed);
    await execute(tx, 'DELETE FROM two_factors WHERE account_id = $1', [account.id]);
    await tell(tx, cause, { account, change: 'disabled' });
  });
}

/** New recovery codes; those before are void. TWO_FACTOR_INVALID when the code was used meanwhile. */
export function renewRecoveryCodes(
  { db, vault }: { db: Db; vault: Pick<Vault, 'derive'> },
  cause: Cause,
  confirmed: Confirmed,
): Promise<string[]> {
  const { account } = confirmed;
  return transaction(db, async (tx) => {
    await spendCode(tx, cause, confirmed);
    const codes = await replaceRecoveryCodes({ db: tx, vault }, cause, account);
    await recordAccount(tx, cause, { account, action: 'two_factor.recovery_codes_renewed' });
    await notifyHolder(tx, cause, { type: 'security.recovery_codes_renewed', account });
    return codes;
  });
}

/**
 * An operator takes the second factor off an account whose holder has lost it: sessions end, the
 * holder gets a mail, the audit log a line. NOT_FOUND, TWO_FACTOR_NOT_SET_UP.
 */
export async function resetTwoFactor(
  db: Db,
  { now }: Pick<Cause, 'now'>,
  ref: AccountRef,
): Promise<void> {
  const cause = { now, actor: systemActor };
  await transaction(db, async (tx) => {
    const account = await lockAccount(tx, ref);
    if (!account) throw new AppError('NOT_FOUND');
    const removed = await execute(tx, 'DELETE FROM two_factors WHERE account_id = $1', [
      account.id,
    ]);
    if (removed === 0) throw new AppError('TWO_FACTOR_NOT_SET_UP');
    await endSessionsOf(tx, cause, ref);
    const target = { type: `${account.side}_account`, id: account.id };
    const audit = { workspaceId: workspaceOf(account), action: 'two_factor.reset', target };
    await record(tx, cause, { audit });
    await notifyHolder(tx, cause, { type: 'security.two_factor_reset', account });
  });
}

async function replaceRecoveryCodes(
  { db: tx, vault }: { db: Tx; vault: Pick<Vault, 'derive'> },
  { now }: Cause,
  { id }: AccountRow,
): Promise<string[]> {
  const codes = newRecoveryCodes();
  const recoveryHashes = codes.map((code) => recoveryHash(vault, id, readCode(code).code));
  await update(tx, TwoFactor, {
    set: { recoveryHashes, updatedAt: now },
    where: { accountId: id },
  });
  return codes;
}

async function tell(
  tx: Tx,
  cause: Cause,
  { account, change }: { account: AccountRow; change: 'enabled' | 'disabled' },
): Promise<void> {
  await recordAccount(tx, cause, { account, action: `two_factor.${change}` });
  await notifyHolder(tx, cause, { type: `security.two_factor_${change}`, account });
}
