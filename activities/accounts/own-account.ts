import { AppError } from '../../entities/errors';
import type { Side } from '../../entities/rules/accounts/accounts';
import {
  type Db,
  execute,
  query,
  queryOne,
  transaction,
  type Tx,
} from '../../entities/database/sql';
import { auditAccount } from '../journal/account-audit';
import { findAccount, lockAccount, takenOr, type Account, type AccountRow } from './accounts';
import { killTokensOf, setPassword } from './email-tokens';
import { queueMail } from '../journal/mail-queue';
import { notifyHolder } from '../notifications/security';
import { hashPassword } from '../runtime/crypto/passwords';
import type { Vault } from '../runtime/crypto/vault';
import { endSessionsOf } from '../credentials/sessions';

export interface OwnAccount {
  side: Side;
  accountId: string;
  requestId?: string | undefined;
}

/**
 * Moves an account to another address: it is unverified again, tokens for the old address are dead,
 * the old address gets a notice and the new one a verification mail. `seen` is the account whose
 * password was confirmed.
 *
 * @throws AppError EMAIL_TAKEN; PASSWORD_INVALID when the password was changed meanwhile
 */
export async function changeEmail(
  db: Db,
  command: OwnAccount & { email: string; seen: AccountRow },
  now: Date,
): Promise<Account> {
  const { side, accountId, email, requestId, seen } = command;
  if (seen.email === email) return seen;

  await transaction(db, async (tx) => {
    const account = await lockUnchanged(tx, seen);
    try {
      await execute(
        tx,
        `UPDATE ${side}_accounts SET email = $2, email_generation = email_generation + 1,
           email_verified_at = NULL, updated_at = $3 WHERE id = $1`,
        [accountId, email, now],
      );
    } catch (error) {
      throw takenOr(error);
    }
    await killTokensOf(tx, { side, accountId }, now);
    if (side === 'partner') await copyToParticipants(tx, { accountId, email }, now);
    const mailTo = account.email;
    await notifyHolder(tx, { type: 'security.email_changed', account, mailTo }, now);
    await queueMail(tx, { type: 'account.verify_email', to: { side, accountId }, at: now });
    await auditAccount(tx, { account, action: 'account.email_changed', requestId }, now);
  });
  return getAccount(db, command);
}

/**
 * Sets a new password; the account's other sessions end and a mail reports it. `seen` is the account
 * whose password was confirmed.
 *
 * @throws AppError PASSWORD_INVALID when it was changed meanwhile
 */
export async function changePassword(
  db: Db,
  command: OwnAccount & { sessionId: string; seen: AccountRow; newPassword: string },
  now: Date,
): Promise<void> {
  const { side, accountId, sessionId, requestId, seen } = command;
  const passwordHash = await hashPassword(command.newPassword);

  await transaction(db, async (tx) => {
    const account = await lockUnchanged(tx, seen);
    await setPassword(tx, { account, passwordHash }, now);
    await endSessionsOf(tx, { side, accountId, except: sessionId }, now);
    await auditAccount(tx, { account, action: 'account.password_changed', requestId }, now);
  });
}

/** Renames a merchant's account. */
export async function renameAccount(
  db: Db,
  command: OwnAccount & { name: string },
  now: Date,
): Promise<Account> {
  await execute(db, 'UPDATE merchant_accounts SET name = $2, updated_at = $3 WHERE id = $1', [
    command.accountId,
    command.name,
    now,
  ]);
  return getAccount(db, command);
}

export interface PartnerDetails {
  id: string;
  email: string;
  name: string;
  emailVerified: boolean;
  vatId: string | null;
  payoutDetails: Record<string, unknown> | null;
  createdAt: Date;
  updatedAt: Date;
}

export interface PartnerPatch {
  name?: string;
  /** null clears it. */
  vatId?: string | null;
  payoutDetails?: Record<string, unknown> | null;
}

/** Changes what is given; VAT id and payout details are encrypted at rest. */
export async function updatePartner(
  db: Db,
  vault: Pick<Vault, 'encrypt'>,
  { accountId, patch, now }: { accountId: string; patch: PartnerPatch; now: Date },
): Promise<void> {
  if (Object.keys(patch).length === 0) return;
  const { name, vatId, payoutDetails } = patch;
  await transaction(db, async (tx) => {
    await execute(
      tx,
      `UPDATE partner_accounts SET name = coalesce($2, name),
         vat_id_encrypted = CASE WHEN $3 THEN $4 ELSE vat_id_encrypted END,
         payout_details_encrypted = CASE WHEN $5 THEN $6 ELSE payout_details_encrypted END,
         updated_at = $7
       WHERE id = $1`,
      [
        accountId,
        name ?? null,
        vatId !== undefined,
        vatId ? vault.encrypt(vatId, ['partner_accounts.vat_id', accountId]) : null,
        payoutDetails !== undefined,
        payoutDetails
          ? vault.encrypt(JSON.stringify(payoutDetails), [
              'partner_accounts.payout_details',
              accountId,
            ])
          : null,
        now,
      ],
    );
    if (name !== undefined) await copyToParticipants(tx, { accountId, name }, now);
  });
}

/** @throws AppError PARTNER_NOT_FOUND once the account is erased */
export async function getPartner(
  db: Db,
  vault: Pick<Vault, 'decrypt'>,
  accountId: string,
): Promise<PartnerDetails> {
  const row = await queryOne<{ vat: string | null; payout: string | null } & PartnerDetails>(
    db,
    `SELECT id, email, name, email_verified_at IS NOT NULL AS "emailVerified",
       vat_id_encrypted AS vat, payout_details_encrypted AS payout, created_at AS "createdAt",
       updated_at AS "updatedAt"
     FROM partner_accounts WHERE id = $1 AND erased_at IS NULL`,
    [accountId],
  );
  if (!row) throw new AppError('PARTNER_NOT_FOUND');
  const { vat, payout, ...account } = row;
  return {
    ...account,
    vatId: vat === null ? null : vault.decrypt(vat, ['partner_accounts.vat_id', accountId]),
    payoutDetails:
      payout === null
        ? null
        : (JSON.parse(
            vault.decrypt(payout, ['partner_accounts.payout_details', accountId]),
          ) as Record<string, unknown>),
  };
}

/**
 * Participants carry copies of the partner's name and address. They are locked in the order of
 * their ids; an erased one keeps its placeholder.
 */
async function copyToParticipants(
  tx: Tx,
  { accountId, name, email }: { accountId: string; name?: string; email?: string },
  now: Date,
): Promise<void> {
  const rows = await query<{ id: string }>(
    tx,
    'SELECT id FROM participants WHERE partner_id = $1 AND erased_at IS NULL ORDER BY id FOR UPDATE',
    [accountId],
  );
  await execute(
    tx,
    `UPDATE participants SET partner_name = coalesce($2, partner_name),
       partner_email = coalesce($3, partner_email), updated_at = $4
     WHERE id = ANY($1)`,
    [rows.map((row) => row.id), name ?? null, email ?? null, now],
  );
}

/** Two changes at once: the second one's password was the old one. */
async function lockUnchanged(tx: Tx, seen: AccountRow): Promise<AccountRow> {
  const account = await lockAccount(tx, { side: seen.side, accountId: seen.id });
  if (account?.passwordGeneration !== seen.passwordGeneration) {
    throw new AppError('PASSWORD_INVALID');
  }
  return account;
}

async function getAccount(db: Db, { side, accountId }: OwnAccount): Promise<Account> {
  const account = await findAccount(db, side, { id: accountId });
  if (!account) throw new AppError('UNAUTHORIZED');
  return account;
}
