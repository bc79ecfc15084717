import { findById } from '../../entities/database/find';
import { insertAll, type Insertion } from '../../entities/database/insert-all';
import { MerchantAccount as MerchantAccountRow } from '../../entities/tables/accounts/merchant-account.entity';
import { PartnerAccount as PartnerAccountRow } from '../../entities/tables/accounts/partner-account.entity';
import { Workspace } from '../../entities/tables/workspace/workspace.entity';
import { newId } from '../../entities/ids';
import { firstKeyKinds, type FirstKeyKind, type Mode } from '../../entities/rules/values/mode';
import { type Db, transaction, type Tx } from '../../entities/database/sql';
import { createApiKey } from '../credentials/api-keys';
import { openSession, type OpenedSession, type Origin } from '../credentials/sessions';
import { recordAccount } from '../journal/account-audit';
import type { Cause } from '../journal/cause';
import type { Passwords } from '../../runtime/crypto/passwords';
import type { Vault } from '../../runtime/crypto/vault';
import { lockAddress } from './addresses';
import { takenOr, type Account, type MerchantAccount, type PartnerAccount } from './accounts';

interface RegisterDeps {
  db: Db;
  vault: Pick<Vault, 'ipHashes' | 'derive'>;
}

interface Hashing {
  passwords: Pick<Passwords, 'hash'>;
}

export interface RegisterPartner {
  email: string;
  password: string;
  name: string;
  origin: Origin;
}

export interface RegisterMerchant extends RegisterPartner {
  workspaceName: string;
}

export interface Registered<A extends Account> extends OpenedSession {
  account: A;
}

export interface NewKey {
  kind: FirstKeyKind;
  mode: Mode;
  key: string;
}

/** A merchant account with its workspace, four API keys and all that a new account gets. EMAIL_TAKEN. */
export async function registerMerchant(
  { db, vault, passwords }: RegisterDeps & Hashing,
  cause: Cause,
  command: RegisterMerchant,
): Promise<Registered<MerchantAccount> & { apiKeys: NewKey[] }> {
  const { email, name, workspaceName, origin } = command;
  const passwordHash = await passwords.hash(command.password);
  return transaction(db, async (tx) => {
    const workspaceId = newId();
    const times = { createdAt: cause.now, updatedAt: cause.now };
    await insertAll(tx, {
      into: Workspace,
      rows: [{ id: workspaceId, name: workspaceName, ...times }],
    });
    const member = { workspaceId, role: 'owner', email, name, passwordHash } as const;
    const account = await insertMerchant(tx, cause, member);
    const apiKeys = await createFirstKeys(tx, cause, account);
    const opened = await openFirstSession({ db: tx, vault }, cause, { account, origin });
    return { ...opened, apiKeys };
  });
}

/** A partner account (its id is the gpaId) with all that a new account gets. EMAIL_TAKEN. */
export async function registerPartner(
  { db, vault, passwords }: RegisterDeps & Hashing,
  cause: Cause,
  command: RegisterPartner,
): Promise<Registered<PartnerAccount>> {
  const { email, name, origin } = command;
  const passwordHash = await passwords.hash(command.password);
  return transaction(db, async (tx) => {
    await lockAddress(tx, email);
    const id = newId();
    const times = { createdAt: cause.now, updatedAt: cause.now };
    const row = { id, email, name, passwordHash, ...times };
    await insertOrTaken(tx, { into: PartnerAccountRow, rows: [row] });
    const states = { emailVerified: false, twoFactor: false };
    const account: PartnerAccount = { side: 'partner', id, email, name, ...states };
    return openFirstSession({ db: tx, vault }, cause, { account, origin });
  });
}

type NewMember = Pick<
  MerchantAccountRow,
  'workspaceId' | 'role' | 'email' | 'name' | 'passwordHash'
>;

/** A merchant account of a workspace. EMAIL_TAKEN. */
export async function insertMerchant(
  tx: Tx,
  { now }: Pick<Cause, 'now'>,
  { workspaceId, role, email, name, passwordHash }: NewMember,
): Promise<MerchantAccount> {
  const id = newId();
  const row = { id, workspaceId, role, email, name, passwordHash, createdAt: now, updatedAt: now };
  await insertOrTaken(tx, { into: MerchantAccountRow, rows: [row] });
  const workspace = await findById(tx, Workspace, workspaceId);
  const workspaceName = workspace?.name ?? '';
  const states = { emailVerified: false, twoFactor: false };
  return { side: 'merchant', id, email, name, ...states, workspaceId, workspaceName, role };
}

async function insertOrTaken<T extends object>(tx: Tx, row: Insertion<T>): Promise<void> {
  try {
    await insertAll(tx, row);
  } catch (error) {
    throw takenOr(error);
  }
}

/** What every new account gets: a session, the verification mail, a line in the audit log. */
export async function openFirstSession<A extends Account>(
  { db: tx, vault }: RegisterDeps & { db: Tx },
  cause: Cause,
  { account, origin }: { account: A; origin: Origin },
): Promise<Registered<A>> {
  const { side, id: accountId } = account;
  const session = await openSession({ db: tx, vault }, cause, { side, accountId, origin });
  await recordAccount(tx, cause, {
    account,
    action: 'account.registered',
    mails: [{ type: 'account.verify_email', to: { side, accountId } }],
  });
  return { account, ...session };
}

async function createFirstKeys(
  tx: Tx,
  cause: Cause,
  { id: createdBy, workspaceId }: MerchantAccount,
): Promise<NewKey[]> {
  const context = { ...cause, scope: { workspaceId } };
  const keys: NewKey[] = [];
  for (const mode of ['test', 'live'] as const) {
    for (const kind of firstKeyKinds) {
      const { key } = await createApiKey(tx, context, { kind, mode, name: null, createdBy });
      keys.push({ kind, mode, key });
    }
  }
  return keys;
}
