import { findById, findOne } from '../../entities/database/find';
import { insertAll } from '../../entities/database/insert-all';
import { lifetimes } from '../../entities/rules/accounts/accounts';
import { type Db, execute, type Tx } from '../../entities/database/sql';
import { EmailToken } from '../../entities/tables/accounts/email-token.entity';
import type { AccountRef } from '../credentials/sessions';
import type { Cause } from '../journal/cause';
import { deriveMailToken, isMailToken, mailTokenId } from '../../runtime/crypto/mail-tokens';
import type { Vault } from '../../runtime/crypto/vault';
import type { AccountRow } from './accounts';

type Purpose = EmailToken['purpose'];

interface TokenDeps {
  db: Db;
  vault: Pick<Vault, 'derive'>;
}

function generationOf(account: AccountRow, purpose: Purpose): number {
  return purpose === 'verify' ? account.emailGeneration : account.passwordGeneration;
}

/**
 * The token that a mail carries, made when the mail is rendered, under the mail's id: rendering it
 * again gives the same one. Undefined when the account has changed since, or time is up.
 */
export async function issueEmailToken(
  { db, vault }: TokenDeps,
  { now }: Pick<Cause, 'now'>,
  mail: { id: string; purpose: Purpose; account: AccountRow; requestedAt: Date },
): Promise<string | undefined> {
  const { id, purpose, account, requestedAt } = mail;
  const lifetime = purpose === 'verify' ? lifetimes.verificationToken : lifetimes.resetToken;
  const generation = generationOf(account, purpose);
  const expiresAt = new Date(requestedAt.getTime() + lifetime);
  const { side, id: accountId, email } = account;
  const times = { createdAt: requestedAt, expiresAt };
  await insertAll(db, {
    into: EmailToken,
    rows: [{ id, purpose, side, accountId, email, generation, ...times }],
    onConflict: 'ON CONFLICT (id) DO NOTHING',
  });
  const row = await findById(db, EmailToken, id);
  const current = row?.email === account.email && row.generation === generation;
  if (!current || row.expiresAt <= now) return undefined;
  return deriveMailToken(vault, { purpose, id, email: row.email, generation });
}

/** The row of a genuine, unspent and unexpired token of this purpose. */
export async function findToken(
  { db, vault }: TokenDeps,
  { now }: Pick<Cause, 'now'>,
  { purpose, token }: { purpose: Purpose; token: string },
): Promise<EmailToken | undefined> {
  const id = mailTokenId(token);
  const row = id && (await findOne(db, EmailToken, { where: { id, purpose } }));
  if (!row || !isMailToken(vault, token, { ...row, purpose })) return undefined;
  return row.spentAt || row.expiresAt <= now ? undefined : row;
}

/** Kills every token of an account for good, also should its address come back one day. */
export async function killTokensOf(
  tx: Tx,
  { now }: Pick<Cause, 'now'>,
  { side, accountId }: AccountRef,
): Promise<void> {
  await execute(
    tx,
    `UPDATE email_tokens SET spent_at = $3
     WHERE side = $1 AND account_id = $2 AND spent_at IS NULL`,
    [side, accountId, now],
  );
}
