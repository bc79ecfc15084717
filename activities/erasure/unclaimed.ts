import { execute, query, queryOne, type Tx } from '../../entities/database/sql';
import { erasedEmail, erasedName, erasedText } from '../../entities/rules/erasure/erasure';
import { isConfirmation, mailIsOver } from '../../entities/rules/erasure/treatments';
import type { Cause } from '../journal/cause';

/**
 * Clears the person from an account that a server made and nobody claimed, or that a mail of test mode
 * did, when its last participation is erased: nobody else could ask for that. The receipt does not count it, because
 * merchants must not learn whether a person has an account. The caller has erased the participations.
 * Lock order: the account, then its participations.
 */
export async function clearUnclaimedAccount(
  tx: Tx,
  { now }: Pick<Cause, 'now'>,
  partnerId: string,
): Promise<void> {
  // A server that adds the person elsewhere at this moment comes wholly before it or makes another.
  await query(tx, 'SELECT 1 FROM partner_accounts WHERE id = $1 FOR UPDATE', [partnerId]);
  await execute(
    tx,
    `UPDATE partner_accounts
        SET email = $2, name = $3, held_email = NULL, password_hash = NULL,
            email_generation = email_generation + 1, erased_at = $4, updated_at = $4
      WHERE id = $1 AND (password_hash IS NULL OR held_email IS NOT NULL) AND erased_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM participants WHERE partner_id = $1 AND erased_at IS NULL)`,
    [partnerId, erasedEmail, erasedName, now],
  );
}

/** What was kept of such an account beside it: reset links that were asked for, and their mails. */
export async function clearTracesOfUnclaimed(
  tx: Tx,
  { partnerId, emails, at }: { partnerId: string; emails: readonly string[]; at: Date },
): Promise<void> {
  const cleared = await queryOne(
    tx,
    `SELECT 1 FROM partner_accounts
      WHERE id = $1 AND erased_at IS NOT NULL AND password_hash IS NULL`,
    [partnerId],
  );
  if (!cleared) return;
  await execute(tx, `DELETE FROM email_tokens WHERE side = 'partner' AND account_id = $1`, [
    partnerId,
  ]);
  await execute(
    tx,
    `UPDATE mails SET recipient = $3, subject = $4, params = '{}', account_id = NULL, ${mailIsOver}
      WHERE side = 'partner' AND workspace_id IS NULL AND NOT ${isConfirmation}
        AND (account_id = $1 OR recipient = ANY($2) AND created_at <= $5)`,
    [partnerId, emails, erasedEmail, erasedText, at],
  );
}
