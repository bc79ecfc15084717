import { AppError } from '../../entities/errors';
import { lifetimes, type Side } from '../../entities/rules/accounts/accounts';
import { type Db, execute, queryOne, transaction, type Tx } from '../../entities/database/sql';
import { auditAccount } from '../journal/account-audit';
import { findAccount, lockAccount, type AccountRow } from './accounts';
import { clearFailures } from './login';
import { deriveMailToken, isMailToken, mailTokenId } from '../runtime/crypto/mail-tokens';
import { queueMail } from '../journal/mail-queue';
import { notifyHolder } from '../notifications/security';
import { hashPassword } from '../runtime/crypto/passwords';
import type { Vault } from '../runtime/crypto/vault';
import { endSessionsOf } from '../credentials/sessions';

type Purpose = 'verify' | 'reset';

interface TokenRow {
  id: string;
  side: Side;
  accountId: string;
  email: string;
  generation: number;
  expiresAt: Date;
  spentAt: Date | null;
}

const tokenColumns = `id, side, account_id AS "accountId", email, generation,
  expires_at AS "expiresAt", spent_at AS "spentAt"`;

function generationOf(account: AccountRow, purpose: Purpose): number {
  return purpose === 'verify' ? account.emailGeneration : account.passwordGeneration;
}

/**
 * The token that a mail carries, made when the mail is rendered, under the mail's id: rendering it
 * again gives the same one. Undefined when the account has changed since, or time is up.
 */
export async function issueEmailToken(
  db: Db,
  vault: Pick<Vault, 'derive'>,
  mail: { id: string; purpose: Purpose; account: AccountRow; requestedAt: Date; now: Date },
): Promise<string | undefined> {
  const { id, purpose, account, requestedAt, now } = mail;
  const lifetime = purpose === 'verify' ? lifetimes.verificationToken : lifetimes.resetToken;
  const generation = generationOf(account, purpose);
  const expiresAt = new Date(requestedAt.getTime() + lifetime);
  await execute(
    db,
    `INSERT INTO email_tokens (id, purpose, side, account_id, email, generation, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (id) DO NOTHING`,
    [id, purpose, account.side, account.id, account.email, generation, requestedAt, expiresAt],
  );
  const row = await queryOne<TokenRow>(
    db,
    `SELECT ${tokenColumns} FROM email_tokens WHERE id = $1`,
    [id],
  );
  const current = row?.email === account.email && row.generation === generation;
  if (!current || row.expiresAt <= now) return undefined;
  return deriveMailToken(vault, { purpose, id, email: row.email, generation });
}

/**
 * Marks the address of a verification token as verified; again is fine while the token lives.
 *
 * @throws AppError EMAIL_TOKEN_INVALID: unknown, expired, or the address changed since
 */
export async function verifyEmail(
  db: Db,
  vault: Pick<Vault, 'derive'>,
  { token, now }: { token: string; now: Date },
): Promise<void> {
  await transaction(db, async (tx) => {
    const row = await findToken(tx, vault, { purpose: 'verify', token, now });
    if (!row) throw new AppError('EMAIL_TOKEN_INVALID');
    const account = await lockAccount(tx, row);
    const current = account?.email === row.email && account.emailGeneration === row.generation;
    if (!account || !current) throw new AppError('EMAIL_TOKEN_INVALID');
    if (account.emailVerified) return;

    await execute(
      tx,
      `UPDATE ${row.side}_accounts SET email_verified_at = $2, updated_at = $2 WHERE id = $1`,
      [account.id, now],
    );
    await auditAccount(tx, { account, action: 'account.email_verified' }, now);
  });
}

/** Queues another verification mail, unless the address is verified already. */
export async function resendVerification(
  db: Db,
  { side, accountId }: { side: Side; accountId: string },
  now: Date,
): Promise<void> {
  await transaction(db, async (tx) => {
    const account = await findAccount(tx, side, { id: accountId });
    if (!account || account.emailVerified) return;
    await queueMail(tx, { type: 'account.verify_email', to: { side, accountId }, at: now });
  });
}

/**
 * Queues a reset mail to an address without looking whether it has an account: that is found out
 * when the mail is rendered, so that neither the answer nor its time reveals an account
 * (docs/reference/accounts.md, Tokens in mails).
 */
export async function requestReset(
  db: Db,
  { side, email }: { side: Side; email: string },
  now: Date,
): Promise<void> {
  await transaction(db, (tx) =>
    queueMail(tx, { type: 'account.reset_password', to: { side, address: email }, at: now }),
  );
}

export interface PasswordReset {
  side: Side;
  token: string;
  password: string;
  requestId?: string | undefined;
  now: Date;
}

/**
 * Sets a new password by a reset token, which is spent, and ends every session of the account.
 *
 * @throws AppError RESET_TOKEN_INVALID: unknown, expired, spent, of the other side, or the password
 *   or address changed since
 */
export async function resetPassword(
  db: Db,
  vault: Pick<Vault, 'derive' | 'contactHash'>,
  command: PasswordReset,
): Promise<void> {
  const { side, token, now } = command;
  const seen = await findToken(db, vault, { purpose: 'reset', token, now });
  if (seen?.side !== side) throw new AppError('RESET_TOKEN_INVALID');
  const passwordHash = await hashPassword(command.password);

  await transaction(db, async (tx) => {
    const account = await lockAccount(tx, seen);
    const current = account?.email === seen.email && account.passwordGeneration === seen.generation;
    const spent = await execute(
      tx,
      'UPDATE email_tokens SET spent_at = $2 WHERE id = $1 AND spent_at IS NULL',
      [seen.id, now],
    );
    if (!account || !current || spent === 0) throw new AppError('RESET_TOKEN_INVALID');

    await setPassword(tx, { account, passwordHash }, now);
    await endSessionsOf(tx, { side, accountId: account.id }, now);
    await clearFailures(tx, vault, { side, email: account.email });
    const { requestId } = command;
    await auditAccount(tx, { account, action: 'account.password_reset', requestId }, now);
  });
}

/** Stores a password; a mail notifies the account, and reset tokens of the old one are dead. */
export async function setPassword(
  tx: Tx,
  { account, passwordHash }: { account: AccountRow; passwordHash: string },
  now: Date,
): Promise<void> {
  await execute(
    tx,
    `UPDATE ${account.side}_accounts SET password_hash = $2, password_generation = password_generation + 1,
       updated_at = $3 WHERE id = $1`,
    [account.id, passwordHash, now],
  );
  await notifyHolder(tx, { type: 'security.password_changed', account }, now);
}

/** Kills every token of an account for good, also should its address come back one day. */
export async function killTokensOf(
  tx: Tx,
  { side, accountId }: { side: Side; accountId: string },
  now: Date,
): Promise<void> {
  await execute(
    tx,
    `UPDATE email_tokens SET spent_at = $3
     WHERE side = $1 AND account_id = $2 AND spent_at IS NULL`,
    [side, accountId, now],
  );
}

/** The row of a genuine, unspent and unexpired token of this purpose. */
async function findToken(
  db: Db,
  vault: Pick<Vault, 'derive'>,
  { purpose, token, now }: { purpose: Purpose; token: string; now: Date },
): Promise<TokenRow | undefined> {
  const id = mailTokenId(token);
  const row =
    id &&
    (await queryOne<TokenRow>(
      db,
      `SELECT ${tokenColumns} FROM email_tokens WHERE id = $1 AND purpose = $2`,
      [id, purpose],
    ));
  if (!row || !isMailToken(vault, token, { ...row, purpose })) return undefined;
  return row.spentAt || row.expiresAt <= now ? undefined : row;
}
