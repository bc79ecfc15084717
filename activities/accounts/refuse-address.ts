import { erasedEmail, erasedName } from '../../entities/rules/erasure/erasure';
import { countFrom, execute, transaction, type Db, type Tx } from '../../entities/database/sql';
import { revokeKeysOf } from '../credentials/api-keys';
import { endSessionsOf } from '../credentials/sessions';
import { recordAccount } from '../journal/account-audit';
import type { Cause } from '../journal/cause';
import type { Vault } from '../../runtime/crypto/vault';
import type { AccountRow, MerchantAccount } from './accounts';
import { leaveAddress } from './addresses';
import { killTokensOf } from './email-tokens';
import { endMember } from './end-member';
import { lockAccountOfMail } from './verify-email';

/**
 * "This was not me": who reads the mails of an address ends the account that somebody made with it, or
 * moved to it, confirmed by mistake or not. What servers made for the address stays with that.
 * EMAIL_TOKEN_INVALID as for a confirmation, and once the account has ended.
 */
export async function refuseAddress(
  { db, vault }: { db: Db; vault: Pick<Vault, 'derive'> },
  cause: Cause,
  { token }: { token: string },
): Promise<void> {
  await transaction(db, async (tx) => {
    const account = await lockAccountOfMail({ tx, vault }, cause, token);
    await recordAccount(tx, cause, { account, action: 'account.refused' });
    await killTokensOf(tx, cause, { side: account.side, accountId: account.id });
    if (account.side === 'merchant') await endMerchant(tx, cause, account);
    else await endPartner(tx, cause, account);
  });
}

/** Revokes the keys that the member made; all keys of the workspace when no member is left. */
async function endMerchant(
  tx: Tx,
  cause: Cause,
  account: AccountRow & MerchantAccount,
): Promise<void> {
  const { id, workspaceId } = account;
  await endMember(tx, cause, account);
  const left = await countFrom(
    tx,
    'merchant_accounts WHERE workspace_id = $1 AND removed_at IS NULL',
    [workspaceId],
  );
  const context = { ...cause, scope: { workspaceId } };
  await revokeKeysOf(tx, context, left > 0 ? { createdBy: id } : {});
}

/** Its own participations stay in the books, without the address, and earn nothing from now on. */
async function endPartner(tx: Tx, cause: Cause, { id, email }: AccountRow): Promise<void> {
  const { now } = cause;
  await endSessionsOf(tx, cause, { side: 'partner', accountId: id });
  await execute(tx, 'DELETE FROM two_factors WHERE account_id = $1', [id]);
  await execute(
    tx,
    `UPDATE partner_accounts
        SET email = $2, name = $3, password_hash = '!', email_verified_at = NULL,
            email_generation = email_generation + 1, password_generation = password_generation + 1,
            vat_id_encrypted = NULL, payout_method_encrypted = NULL, payout_method_type = NULL,
            payout_method_label = NULL, erased_at = $4, updated_at = $4
      WHERE id = $1`,
    [id, erasedEmail, erasedName, now],
  );
  await leaveAddress(tx, cause, { accountId: id, email, withProven: true });
  await execute(
    tx,
    `UPDATE participants
        SET partner_name = $2, partner_email = $3, bound_email = NULL, updated_at = $4,
            status = CASE WHEN status IN ('pending', 'approved') THEN 'left' ELSE status END
      WHERE id = ANY (ARRAY (SELECT id FROM participants
        WHERE partner_id = $1 AND erased_at IS NULL ORDER BY id FOR NO KEY UPDATE))`,
    [id, erasedName, erasedEmail, now],
  );
}
