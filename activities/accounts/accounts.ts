import { violatedConstraint } from '../../entities/database/errors';
import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import type { Side } from '../../entities/rules/accounts/accounts';
import type { Mode, KeyKind } from '../../entities/rules/values/mode';
import type { Role } from '../../entities/rules/values/roles';
import { type Db, execute, queryOne, transaction, type Tx } from '../../entities/database/sql';
import { auditAccount } from '../journal/account-audit';
import { createApiKey } from '../credentials/api-keys';
import { queueMail } from '../journal/mail-queue';
import type { Deps } from '../runtime/process/deps';
import { hashPassword } from '../runtime/crypto/passwords';
import {
  openSession,
  type AccountRef,
  type OpenedSession,
  type Origin,
} from '../credentials/sessions';

export interface MerchantAccount {
  side: 'merchant';
  id: string;
  email: string;
  name: string;
  emailVerified: boolean;
  workspaceId: string;
  workspaceName: string;
  role: Role;
}

export interface PartnerAccount {
  side: 'partner';
  /** The gpaId. */
  id: string;
  email: string;
  name: string;
  emailVerified: boolean;
}

export type Account = MerchantAccount | PartnerAccount;

/** What only the account functions may see of an account. */
export interface AccountSecrets {
  passwordHash: string;
  passwordGeneration: number;
  emailGeneration: number;
}

export type AccountRow = Account & AccountSecrets;

type Key = { id: string } | { email: string };

const secretColumns = `a.password_hash AS "passwordHash",
  a.password_generation AS "passwordGeneration", a.email_generation AS "emailGeneration"`;

const selects = {
  merchant: `SELECT 'merchant' AS side, a.id, a.email, a.name,
      a.email_verified_at IS NOT NULL AS "emailVerified", a.workspace_id AS "workspaceId",
      w.name AS "workspaceName", a.role, ${secretColumns}
    FROM merchant_accounts a JOIN workspaces w ON w.id = a.workspace_id
    WHERE a.removed_at IS NULL`,
  partner: `SELECT 'partner' AS side, a.id, a.email, a.name,
      a.email_verified_at IS NOT NULL AS "emailVerified", ${secretColumns}
    FROM partner_accounts a WHERE a.erased_at IS NULL`,
} as const;

/** A live account of one side, by its id or its normalised address. */
export async function findAccount(db: Db, side: Side, key: Key): Promise<AccountRow | undefined> {
  const column = 'id' in key ? 'id' : 'email';
  const value = 'id' in key ? key.id : key.email;
  return queryOne<AccountRow>(db, `${selects[side]} AND a.${column} = $1`, [value]);
}

/** The same, locked until the transaction ends; `share` lets readers of its state wait only for writers. */
export async function lockAccount(
  tx: Tx,
  { side, accountId }: AccountRef,
  strength: 'UPDATE' | 'SHARE' = 'UPDATE',
): Promise<AccountRow | undefined> {
  return queryOne<AccountRow>(tx, `${selects[side]} AND a.id = $1 FOR ${strength} OF a`, [
    accountId,
  ]);
}

export interface Registration {
  email: string;
  password: string;
  name: string;
  origin: Origin;
  requestId?: string | undefined;
}

export interface Registered<A extends Account> extends OpenedSession {
  account: A;
}

export interface NewKey {
  kind: KeyKind;
  mode: Mode;
  key: string;
}

/**
 * A merchant account with its workspace, four API keys, a session, and the verification mail.
 *
 * @throws AppError EMAIL_TAKEN
 */
export async function registerMerchant(
  deps: Pick<Deps, 'db' | 'vault'>,
  command: Registration & { workspaceName: string },
  now: Date,
): Promise<Registered<MerchantAccount> & { apiKeys: NewKey[] }> {
  const passwordHash = await hashPassword(command.password);
  return transaction(deps.db.manager, async (tx) => {
    const workspaceId = newId();
    await execute(
      tx,
      'INSERT INTO workspaces (id, name, created_at, updated_at) VALUES ($1, $2, $3, $3)',
      [workspaceId, command.workspaceName, now],
    );
    const account = await insertMerchant(
      tx,
      { ...command, workspaceId, role: 'owner', passwordHash },
      now,
    );
    const apiKeys = await createFirstKeys(tx, workspaceId, now);
    return { ...(await welcome(tx, deps.vault, { account, ...command, now })), apiKeys };
  });
}

/**
 * A partner account (its id is the gpaId) with a session and the verification mail.
 *
 * @throws AppError EMAIL_TAKEN
 */
export async function registerPartner(
  deps: Pick<Deps, 'db' | 'vault'>,
  command: Registration,
  now: Date,
): Promise<Registered<PartnerAccount>> {
  const passwordHash = await hashPassword(command.password);
  return transaction(deps.db.manager, async (tx) => {
    const { email, name } = command;
    const id = newId();
    await insertOrTaken(
      tx,
      `INSERT INTO partner_accounts (id, email, name, password_hash, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $5)`,
      [id, email, name, passwordHash, now],
    );
    const account: PartnerAccount = { side: 'partner', id, email, name, emailVerified: false };
    return welcome(tx, deps.vault, { account, ...command, now });
  });
}

export interface NewMember {
  workspaceId: string;
  role: Role;
  email: string;
  name: string;
  passwordHash: string;
}

/** @throws AppError EMAIL_TAKEN */
export async function insertMerchant(
  tx: Tx,
  member: NewMember,
  now: Date,
): Promise<MerchantAccount> {
  const id = newId();
  const { workspaceId, role, email, name, passwordHash } = member;
  await insertOrTaken(
    tx,
    `INSERT INTO merchant_accounts (id, workspace_id, role, email, name, password_hash, created_at,
       updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $7)`,
    [id, workspaceId, role, email, name, passwordHash, now],
  );
  const workspace = await queryOne<{ name: string }>(
    tx,
    'SELECT name FROM workspaces WHERE id = $1',
    [workspaceId],
  );
  return {
    side: 'merchant',
    id,
    email,
    name,
    emailVerified: false,
    workspaceId,
    workspaceName: workspace?.name ?? '',
    role,
  };
}

async function insertOrTaken(tx: Tx, text: string, params: unknown[]): Promise<void> {
  try {
    await execute(tx, text, params);
  } catch (error) {
    throw takenOr(error);
  }
}

/** EMAIL_TAKEN when that is why a statement failed, else the failure itself. */
export function takenOr(error: unknown): unknown {
  return violatedConstraint(error)?.endsWith('_account_email')
    ? new AppError('EMAIL_TAKEN')
    : error;
}

interface Welcome<A extends Account> {
  account: A;
  origin: Origin;
  requestId?: string | undefined;
  now: Date;
}

/** What every new account gets: a session, the verification mail, a line in the audit log. */
export async function welcome<A extends Account>(
  tx: Tx,
  vault: Pick<Deps['vault'], 'ipHashes'>,
  { account, origin, requestId, now }: Welcome<A>,
): Promise<Registered<A>> {
  const { side, id: accountId } = account;
  const session = await openSession(tx, vault, { side, accountId, origin, now });
  await queueMail(tx, { type: 'account.verify_email', to: { side, accountId }, at: now });
  await auditAccount(tx, { account, action: 'account.registered', requestId }, now);
  return { account, ...session };
}

async function createFirstKeys(tx: Tx, workspaceId: string, now: Date): Promise<NewKey[]> {
  const keys: NewKey[] = [];
  for (const mode of ['test', 'live'] as const) {
    for (const kind of ['public', 'secret'] as const) {
      const { key } = await createApiKey(tx, { workspaceId, kind, mode, name: null }, now);
      keys.push({ kind, mode, key });
    }
  }
  return keys;
}
