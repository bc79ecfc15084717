import { update } from '../../entities/database/update';
import { PartnerAccount as PartnerAccountRow } from '../../entities/tables/accounts/partner-account.entity';
import { AppError } from '../../entities/errors';
import {
  execute,
  query,
  queryOne,
  transaction,
  type Db,
  type Tx,
} from '../../entities/database/sql';
import type { Cause } from '../journal/cause';
import type { PartnerAccount } from './accounts';
import type { Vault } from '../../runtime/crypto/vault';

export interface PartnerDetails extends Omit<PartnerAccount, 'side'> {
  vatId: string | null;
  createdAt: Date;
  updatedAt: Date;
}

export interface PartnerPatch {
  name?: string;
  /** null clears it. */
  vatId?: string | null;
}

/** Changes what is given; the VAT id is encrypted at rest. */
export async function updatePartner(
  { db, vault }: { db: Db; vault: Pick<Vault, 'encrypt'> },
  cause: Cause,
  { accountId, patch }: { accountId: string; patch: PartnerPatch },
): Promise<void> {
  if (Object.keys(patch).length === 0) return;
  const { name, vatId } = patch;
  await transaction(db, async (tx) => {
    const box = vatId ? vault.encrypt(vatId, ['partner_accounts.vat_id', accountId]) : null;
    const set = {
      ...(name === undefined ? {} : { name }),
      ...(vatId === undefined ? {} : { vatIdEncrypted: box }),
      updatedAt: cause.now,
    };
    await update(tx, PartnerAccountRow, { set, where: { id: accountId } });
    if (name !== undefined) await copyToParticipants(tx, cause, { accountId, name });
  });
}

/** PARTNER_NOT_FOUND once the account is erased. */
export async function getPartner(
  { db, vault }: { db: Db; vault: Pick<Vault, 'decrypt'> },
  accountId: string,
): Promise<PartnerDetails> {
  const row = await queryOne<{ vat: string | null } & PartnerDetails>(
    db,
    `SELECT id, coalesce(held_email, email) AS email, name, email_verified_at IS NOT NULL AS "emailVerified",
       EXISTS (SELECT 1 FROM two_factors t
         WHERE t.account_id = partner_accounts.id AND t.enabled_at IS NOT NULL) AS "twoFactor",
       vat_id_encrypted AS vat, created_at AS "createdAt",
       updated_at AS "updatedAt"
     FROM partner_accounts WHERE id = $1 AND erased_at IS NULL`,
    [accountId],
  );
  if (!row) throw new AppError('PARTNER_NOT_FOUND');
  const { vat, ...account } = row;
  return {
    ...account,
    vatId: vat === null ? null : vault.decrypt(vat, ['partner_accounts.vat_id', accountId]),
  };
}

/**
 * Participants carry copies of the partner's name and address. They are locked in the order of
 * their ids; an erased one keeps its placeholder.
 */
export async function copyToParticipants(
  tx: Tx,
  { now }: Cause,
  { accountId, name, email }: { accountId: string; name?: string; email?: string },
): Promise<void> {
  const rows = await query<{ id: string }>(
    tx,
    // NO KEY UPDATE suffices: a name need not wait for a payout that only holds the participation.
    // A participation that is not claimed stays as the merchant gave it.
    `SELECT id FROM participants
      WHERE partner_id = $1 AND erased_at IS NULL AND claimed_at IS NOT NULL
      ORDER BY id FOR NO KEY UPDATE`,
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
