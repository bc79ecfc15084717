import { openSession } from '../../../activities/credentials/sessions';
import type { Deps } from '../../../runtime/process/deps';
import { newApiKey } from '../../../runtime/crypto/tokens';
import { tokenHash } from '../../../runtime/crypto/vault';
import { newId } from '../../../entities/ids';
import type { Side } from '../../../entities/rules/accounts/accounts';
import type { KeyKind, Mode } from '../../../entities/rules/values/mode';
import type { KeyRole } from '../../../entities/rules/values/roles';
import type { Role } from '../../../entities/rules/values/roles';
import { execute, queryOne, type Db, transaction } from '../../../entities/database/sql';

/** The password of every account built here. */
export const testPassword = 'correct horse battery';
/** argon2id of it, at next to no cost: signing in through the API works and is quick. */
const testPasswordHash =
  '$argon2id$v=19$m=8,t=1,p=1$JiOZ4bTspYWj5BuGKBd6jQ$vXxHi2+JPccYaA6QxZ5J8GfN4mnqHKgqrIZ28QjZgPQ';

let counter = 0;

function uniqueEmail(word: string): string {
  counter += 1;
  return `${word}-${process.pid}-${Date.now()}-${counter}@example.test`;
}

export interface BuiltWorkspace {
  id: string;
  name: string;
}

export async function buildWorkspace(
  db: Db,
  overrides: Partial<BuiltWorkspace & { testEmailRedirect: string | null; createdAt: Date }> = {},
): Promise<BuiltWorkspace> {
  const id = overrides.id ?? newId();
  const name = overrides.name ?? 'Acme Shop';
  await execute(
    db,
    `INSERT INTO workspaces (id, name, test_email_redirect, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $4)`,
    [id, name, overrides.testEmailRedirect ?? null, overrides.createdAt ?? new Date()],
  );
  return { id, name };
}

export interface BuiltMember {
  side: 'merchant';
  id: string;
  workspaceId: string;
  role: Role;
  email: string;
  name: string;
}

/** A merchant account; without `workspaceId` it gets a workspace of its own. Owner by default. */
export async function buildMember(
  db: Db,
  overrides: Partial<Omit<BuiltMember, 'side'> & { verifiedAt: Date | null; createdAt: Date }> = {},
): Promise<BuiltMember> {
  const workspaceId = overrides.workspaceId ?? (await buildWorkspace(db)).id;
  const member: BuiltMember = {
    side: 'merchant',
    id: overrides.id ?? newId(),
    workspaceId,
    role: overrides.role ?? 'owner',
    email: overrides.email ?? uniqueEmail('member'),
    name: overrides.name ?? 'Mia Merchant',
  };
  const createdAt = overrides.createdAt ?? new Date();
  await execute(
    db,
    `INSERT INTO merchant_accounts (id, workspace_id, role, email, email_verified_at, name,
       password_hash, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
    [
      member.id,
      workspaceId,
      member.role,
      member.email,
      overrides.verifiedAt === undefined ? createdAt : overrides.verifiedAt,
      member.name,
      testPasswordHash,
      createdAt,
    ],
  );
  return member;
}

export interface BuiltPartner {
  side: 'partner';
  /** The gpaId. */
  id: string;
  email: string;
  name: string;
}

export async function buildPartner(
  db: Db,
  overrides: Partial<
    Omit<BuiltPartner, 'side'> & { verifiedAt: Date | null; createdAt: Date }
  > = {},
): Promise<BuiltPartner> {
  const partner: BuiltPartner = {
    side: 'partner',
    id: overrides.id ?? newId(),
    email: overrides.email ?? uniqueEmail('partner'),
    name: overrides.name ?? 'Pat Partner',
  };
  const createdAt = overrides.createdAt ?? new Date();
  await execute(
    db,
    `INSERT INTO partner_accounts (id, email, email_verified_at, name, password_hash, created_at,
       updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6)`,
    [
      partner.id,
      partner.email,
      overrides.verifiedAt === undefined ? createdAt : overrides.verifiedAt,
      partner.name,
      testPasswordHash,
      createdAt,
    ],
  );
  return partner;
}

export interface BuiltApiKey {
  id: string;
  /** The whole key, as a client sends it. */
  key: string;
  workspaceId: string;
  kind: KeyKind;
  mode: Mode;
  /** A management key's role: an admin's unless told. */
  role: KeyRole | null;
  programId: string | null;
}

/** A secret test key by default. */
export async function buildApiKey(
  db: Db,
  overrides: Partial<Omit<BuiltApiKey, 'key'>> = {},
): Promise<BuiltApiKey> {
  const kind = overrides.kind ?? 'secret';
  const mode = overrides.mode ?? 'test';
  const built: BuiltApiKey = {
    id: overrides.id ?? newId(),
    key: newApiKey(kind, mode),
    workspaceId: overrides.workspaceId ?? (await buildWorkspace(db)).id,
    kind,
    mode,
    role: kind === 'management' ? (overrides.role ?? 'admin') : null,
    programId: overrides.programId ?? null,
  };
  await execute(
    db,
    `INSERT INTO api_keys (id, workspace_id, kind, mode, key_hash, public_key, prefix, last4,
       created_at, role, program_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      built.id,
      built.workspaceId,
      kind,
      mode,
      tokenHash(built.key),
      kind === 'public' ? built.key : null,
      built.key.slice(0, 12),
      built.key.slice(-4),
      new Date(),
      built.role,
      built.programId,
    ],
  );
  return built;
}

/** Signs an account in without its password: a session row and a real access token. */
export async function signIn(
  deps: Pick<Deps, 'db' | 'vault' | 'accessTokens' | 'clock'>,
  account: { side: Side; id: string },
): Promise<{ accessToken: string; refreshToken: string; sessionId: string }> {
  const now = deps.clock.now();
  const { side, id: accountId } = account;
  const opening = { side, accountId, origin: { ip: '192.0.2.1', userAgent: 'test' } };
  const session = await transaction(deps.db, (tx) =>
    openSession({ db: tx, vault: deps.vault }, { now }, opening),
  );
  const accessToken = await deps.accessTokens.sign(
    { side, accountId, sessionId: session.sessionId },
    now,
  );
  return { accessToken, ...session };
}

/** What the database says of an account now. */
export async function accountRow(
  db: Db,
  account: { side: Side; id: string },
): Promise<Record<string, unknown> | undefined> {
  return queryOne(db, `SELECT * FROM ${account.side}_accounts WHERE id = $1`, [account.id]);
}
