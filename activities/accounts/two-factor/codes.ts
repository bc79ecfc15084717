import { findOne } from '../../../entities/database/find';
import { TwoFactor } from '../../../entities/tables/accounts/two-factor.entity';
import { type Db, execute, transaction, type Tx } from '../../../entities/database/sql';
import { AppError } from '../../../entities/errors';
import { readCode, twoFactor, type TypedCode } from '../../../entities/rules/accounts/two-factor';
import { recoveryHash, stepOfCode } from '../../../runtime/crypto/two-factor';
import type { Vault } from '../../../runtime/crypto/vault';
import { recordAccount, workspaceOf } from '../../journal/account-audit';
import type { Cause } from '../../journal/cause';
import { record } from '../../journal/record';
import { notifyHolder } from '../../notifications/security';
import type { AccountRow } from '../accounts';
import { countFailure, guessFrom, refuseGuessInTurn, type GuessKeys } from '../guesses';

/** A code that was right when it was checked; it counts once it is spent. */
export interface Proof {
  /** The box of the secret that it was held against. */
  secretEncrypted: string;
  used: { step: number } | { recoveryHash: string };
}

export interface TypedBy {
  account: AccountRow;
  code: string;
  ip: string;
}

export type CodeKeys = GuessKeys & Pick<Vault, 'derive' | 'decrypt'>;

/** Which factor a code is for: that of a setup that waits, or the one that is enabled. */
export type Stage = 'setup' | 'enabled';

/**
 * Holds a code against the account's second factor. A wrong one is counted and audited however the
 * request ends: `db` is the pool. TWO_FACTOR_NOT_SET_UP, TWO_FACTOR_ALREADY_ENABLED,
 * TWO_FACTOR_INVALID, RATE_LIMIT_EXCEEDED with Retry-After.
 */
export async function confirmCode(
  { db, vault }: { db: Db; vault: CodeKeys },
  cause: Cause,
  { stage, ...typed }: TypedBy & { stage: Stage },
): Promise<Proof> {
  const row = await findOne(db, TwoFactor, { where: { accountId: typed.account.id } });
  if (!row || (stage === 'enabled' && !row.enabledAt)) throw new AppError('TWO_FACTOR_NOT_SET_UP');
  if (stage === 'setup' && row.enabledAt) throw new AppError('TWO_FACTOR_ALREADY_ENABLED');
  const proof = await transaction(db, (tx) => judgeCode({ db: tx, vault }, cause, typed));
  if (!proof) throw new AppError('TWO_FACTOR_INVALID');
  return proof;
}

/**
 * The proof that a code is; undefined for a wrong one, whose failure the transaction must keep.
 * RATE_LIMIT_EXCEEDED with Retry-After.
 */
export async function judgeCode(
  { db: tx, vault }: { db: Tx; vault: CodeKeys },
  cause: Cause,
  { account, code, ip }: TypedBy,
): Promise<Proof | undefined> {
  const { id: accountId, side } = account;
  const key = vault.contactHash(`two-factor:${side}:${accountId}`);
  const guess = guessFrom(vault, { key, accountId, ip });
  await refuseGuessInTurn(tx, cause, { guess, message: 'Too many wrong codes. Try again later.' });
  const row = await findOne(tx, TwoFactor, { where: { accountId } });
  const proof = row && prove({ row, vault, now: cause.now }, { accountId, typed: readCode(code) });
  if (proof) return proof;

  await countFailure(tx, cause, guess);
  const target = { type: `${side}_account`, id: accountId };
  const audit = { workspaceId: workspaceOf(account), action: 'two_factor.code_refused', target };
  await record(tx, cause, { audit });
  return undefined;
}

function prove(
  { row, vault, now }: { row: TwoFactor; vault: CodeKeys; now: Date },
  { accountId, typed: { kind, code } }: { accountId: string; typed: TypedCode },
): Proof | undefined {
  const { secretEncrypted } = row;
  if (kind === 'recovery') {
    const hash = recoveryHash(vault, accountId, code);
    const isLeft = row.recoveryHashes.includes(hash);
    return isLeft ? { secretEncrypted, used: { recoveryHash: hash } } : undefined;
  }
  const secret = vault.decrypt(secretEncrypted, ['two_factors.secret', accountId]);
  const step = stepOfCode(secret, code, now);
  if (step === undefined || row.usedSteps.includes(step)) return undefined;
  return { secretEncrypted, used: { step } };
}

/**
 * Uses a code up; of a recovery code the holder gets a mail. TWO_FACTOR_INVALID when it was used
 * since it was checked, or the secret is another one.
 */
export async function spendCode(
  tx: Tx,
  cause: Cause,
  { account, proof }: { account: AccountRow; proof: Proof },
): Promise<void> {
  const { used, secretEncrypted } = proof;
  const key = { accountId: account.id, secretEncrypted, now: cause.now };
  const spent =
    'step' in used ? await spendStep(tx, key, used.step) : await spendRecovery(tx, key, used);
  if (spent === 0) throw new AppError('TWO_FACTOR_INVALID');
  if ('step' in used) return;
  await recordAccount(tx, cause, { account, action: 'two_factor.recovery_code_used' });
  await notifyHolder(tx, cause, { type: 'security.recovery_code_used', account });
}

interface SpentOf {
  accountId: string;
  secretEncrypted: string;
  now: Date;
}

/** Steps that no code can be of any more are forgotten. */
function spendStep(tx: Tx, { accountId, secretEncrypted, now }: SpentOf, step: number) {
  const oldest = step - 2 * twoFactor.drift;
  return execute(
    tx,
    `UPDATE two_factors SET updated_at = $4,
       used_steps = ARRAY(SELECT u FROM unnest(used_steps) AS u WHERE u >= $5) || $3::int
     WHERE account_id = $1 AND secret_encrypted = $2 AND NOT $3 = ANY(used_steps)`,
    [accountId, secretEncrypted, step, now, oldest],
  );
}

function spendRecovery(
  tx: Tx,
  { accountId, secretEncrypted, now }: SpentOf,
  { recoveryHash: hash }: { recoveryHash: string },
) {
  return execute(
    tx,
    `UPDATE two_factors SET recovery_hashes = array_remove(recovery_hashes, $3), updated_at = $4
     WHERE account_id = $1 AND secret_encrypted = $2 AND $3 = ANY(recovery_hashes)`,
    [accountId, secretEncrypted, hash, now],
  );
}
