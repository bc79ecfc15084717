import { findById } from '../../entities/database/find';
import { PartnerAccount } from '../../entities/tables/accounts/partner-account.entity';
import { AppError } from '../../entities/errors';
import { maskedLabel, type PayoutMethod } from '../../entities/rules/payouts/method';
import { query, queryOne, transaction, type Db, type Tx } from '../../entities/database/sql';
import type { Vault } from '../../runtime/crypto/vault';
import { recordAccount } from '../journal/account-audit';
import { recordAudit } from '../journal/audit';
import type { Cause } from '../journal/cause';
import { notifyHolder } from '../notifications/security';
import { lockUnchanged, type AccountRow } from './accounts';
import { spendCode, type Proof } from './two-factor/codes';

/** How a partner is paid; null: they have not said. PARTNER_NOT_FOUND once the account is erased. */
export async function getPayoutMethod(
  { db, vault }: { db: Db; vault: Pick<Vault, 'decrypt'> },
  accountId: string,
): Promise<PayoutMethod | null> {
  const account = await findById(db, PartnerAccount, accountId);
  if (!account || account.erasedAt) throw new AppError('PARTNER_NOT_FOUND');
  const { payoutMethodEncrypted: box } = account;
  return box === null ? null : openMethod(vault, { box, accountId });
}

/** What a box of the account holds. */
export function openMethod(
  vault: Pick<Vault, 'decrypt'>,
  { box, accountId }: { box: string; accountId: string },
): PayoutMethod {
  const text = vault.decrypt(box, ['partner_accounts.payout_method', accountId]);
  return JSON.parse(text) as PayoutMethod;
}

/**
 * Sets how a partner is paid, or forgets it (null); the partner gets a mail. Payouts that were made
 * before pay as they were to. `seen` is the account whose password was confirmed, `proof` that of its
 * second factor: PASSWORD_INVALID, TWO_FACTOR_REQUIRED, TWO_FACTOR_INVALID for what changed meanwhile.
 */
export async function setPayoutMethod(
  { db, vault }: { db: Db; vault: Pick<Vault, 'encrypt'> },
  cause: Cause,
  { seen, proof, method }: { seen: AccountRow; proof?: Proof; method: PayoutMethod | null },
): Promise<void> {
  const { id } = seen;
  const box =
    method && vault.encrypt(JSON.stringify(method), ['partner_accounts.payout_method', id]);
  await transaction(db, async (tx) => {
    const account = await lockUnchanged(tx, seen);
    if (account.twoFactor && !proof) throw new AppError('TWO_FACTOR_REQUIRED');
    if (proof) await spendCode(tx, cause, { account, proof });
    await write(tx, cause, { account, box, method });
  });
}

/** Forgets how a partner is paid, which somebody else may have said; the account is locked. */
export function forgetPayoutMethod(tx: Tx, cause: Cause, account: AccountRow): Promise<void> {
  return write(tx, cause, { account, box: null, method: null });
}

/** Writes the method, and tells the person, unless there was none to forget. */
async function write(
  tx: Tx,
  cause: Cause,
  written: { account: AccountRow; box: string | null; method: PayoutMethod | null },
): Promise<void> {
  const { account, box, method } = written;
  const changed = await queryOne<{ isFirst: boolean }>(
    tx,
    `UPDATE partner_accounts a SET payout_method_encrypted = $2, payout_method_type = $3,
       payout_method_label = $4, payout_method_said_at = $5, updated_at = $5
      FROM (SELECT id, payout_method_encrypted AS box,
                   payout_method_encrypted IS NULL AND payout_method_said_at IS NULL AS "isFirst"
              FROM partner_accounts WHERE id = $1) before
     WHERE a.id = before.id AND ($2::text IS NOT NULL OR before.box IS NOT NULL)
     RETURNING before."isFirst"`,
    [account.id, box, method?.type ?? null, method && maskedLabel(method), cause.now],
  );
  if (!changed) return;
  const change = method ? 'payout_method_changed' : 'payout_method_deleted';
  await recordAccount(tx, cause, { account, action: `account.${change}` });
  await recordForMerchants(tx, cause, { accountId: account.id, action: `participant.${change}` });
  await notifyHolder(tx, cause, {
    ...{ type: 'security.payout_method_changed', account },
    facts: { isFirst: changed.isFirst },
  });
}

/**
 * Whoever pays this partner sees in the audit log that the money goes elsewhere from now on. Who only
 * named the address, or was only applied to, is not to learn what the account does.
 */
async function recordForMerchants(
  tx: Tx,
  { now: at, requestId }: Cause,
  { accountId, action }: { accountId: string; action: string },
): Promise<void> {
  const participations = await query<{ id: string; workspaceId: string }>(
    tx,
    `SELECT id, workspace_id AS "workspaceId" FROM participants
      WHERE partner_id = $1 AND erased_at IS NULL
        AND claimed_at IS NOT NULL AND approved_at IS NOT NULL ORDER BY id`,
    [accountId],
  );
  const actor = { type: 'partner', id: accountId } as const;
  const entries = participations.map(({ id, workspaceId }) => {
    return { workspaceId, actor, action, target: { type: 'participant', id }, requestId, at };
  });
  await recordAudit(tx, ...entries);
}
