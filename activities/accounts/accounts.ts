import { violatedConstraint } from '../../entities/database/errors';
import { AppError } from '../../entities/errors';
import type { Side } from '../../entities/rules/accounts/accounts';
import type { Role } from '../../entities/rules/values/roles';
import { type Db, queryOne, type Tx } from '../../entities/database/sql';
import type { AccountRef } from '../credentials/sessions';

interface Person {
  /** A partner's is its gpaId. */
  id: string;
  email: string;
  name: string;
  emailVerified: boolean;
  twoFactor: boolean;
}

export interface MerchantAccount extends Person {
  side: 'merchant';
  workspaceId: string;
  workspaceName: string;
  role: Role;
}

export interface PartnerAccount extends Person {
  side: 'partner';
}

export type Account = MerchantAccount | PartnerAccount;

/** What only the account functions may see of an account. */
interface AccountSecrets {
  /** Null: nobody has claimed the account. */
  passwordHash: string | null;
  passwordGeneration: number;
  emailGeneration: number;
  /** The workspace whose test mode a partner of a sandbox belongs to. */
  heldIn: string | null;
}

export type AccountRow = Account & AccountSecrets;

type Key = { id: string } | { email: string };

const secretColumns = `a.password_hash AS "passwordHash",
  a.password_generation AS "passwordGeneration", a.email_generation AS "emailGeneration",
  EXISTS (SELECT 1 FROM two_factors t WHERE t.account_id = a.id AND t.enabled_at IS NOT NULL)
    AS "twoFactor"`;

const selects = {
  merchant: `SELECT 'merchant' AS side, a.id, a.email, a.name,
      a.email_verified_at IS NOT NULL AS "emailVerified", a.workspace_id AS "workspaceId",
      w.name AS "workspaceName", a.role, NULL AS "heldIn", ${secretColumns}
    FROM merchant_accounts a JOIN workspaces w ON w.id = a.workspace_id
    WHERE a.removed_at IS NULL`,
  partner: `SELECT 'partner' AS side, a.id, coalesce(a.held_email, a.email) AS email, a.name,
      a.email_verified_at IS NOT NULL AS "emailVerified", a.held_workspace_id AS "heldIn",
      ${secretColumns}
    FROM partner_accounts a WHERE a.erased_at IS NULL`,
} as const;

/** A live account of one side, by its id or its normalised address. */
export async function findAccount(db: Db, side: Side, key: Key): Promise<AccountRow | undefined> {
  const column = 'id' in key ? 'id' : 'email';
  const value = 'id' in key ? key.id : key.email;
  return queryOne<AccountRow>(db, `${selects[side]} AND a.${column} = $1`, [value]);
}

/** The account that a mail of test mode opened for an address: the one of several that came last. */
export async function findSandbox(db: Db, email: string): Promise<AccountRow | undefined> {
  return queryOne<AccountRow>(
    db,
    `${selects.partner} AND a.held_email = $1 AND a.password_hash IS NOT NULL
      ORDER BY a.updated_at DESC, a.id DESC LIMIT 1`,
    [email],
  );
}

/** A live account, locked until the transaction ends; `share` lets readers of its state wait only for writers. */
export async function lockAccount(
  tx: Tx,
  { side, accountId }: AccountRef,
  strength: 'UPDATE' | 'SHARE' = 'UPDATE',
): Promise<AccountRow | undefined> {
  return queryOne<AccountRow>(tx, `${selects[side]} AND a.id = $1 FOR ${strength} OF a`, [
    accountId,
  ]);
}

/** PASSWORD_INVALID when the password was changed since: of two changes at once the second one's was the old one. */
export async function lockUnchanged(tx: Tx, seen: AccountRow): Promise<AccountRow> {
  const account = await lockAccount(tx, { side: seen.side, accountId: seen.id });
  if (account?.passwordGeneration !== seen.passwordGeneration) {
    throw new AppError('PASSWORD_INVALID');
  }
  return account;
}

/** EMAIL_TAKEN when that is why a statement failed, else the failure itself. */
export function takenOr(error: unknown): unknown {
  return violatedConstraint(error)?.endsWith('_account_email')
    ? new AppError('EMAIL_TAKEN')
    : error;
}
