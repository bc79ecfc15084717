import { findById, findOne } from '../../entities/database/find';
import { insertAll } from '../../entities/database/insert-all';
import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import { keyPrefix, type KeyKind, type Mode } from '../../entities/rules/values/mode';
import type { KeyRole } from '../../entities/rules/values/roles';
import { selectList } from '../../entities/database/columns';
import {
  countFrom,
  type Db,
  execute,
  query,
  transaction,
  type Tx,
} from '../../entities/database/sql';
import { MerchantAccount } from '../../entities/tables/accounts/merchant-account.entity';
import { ApiKey } from '../../entities/tables/workspace/api-key.entity';
import type { WorkspaceContext } from '../journal/cause';
import { record } from '../journal/record';
import { notifyAdmins } from '../notifications/security';
import { newApiKey } from '../../runtime/crypto/tokens';
import { tokenHash } from '../../runtime/crypto/vault';
import { update } from '../../entities/database/update';

/** A key without its hash; `publicKey` is null for the others, which are kept as a hash only. */
export type ApiKeyRecord = Omit<ApiKey, 'workspaceId' | 'keyHash'> & {
  /** The address of who made it; null once they have left. */
  makerEmail: string | null;
};

export interface NewApiKey {
  kind: KeyKind;
  mode: Mode;
  name: string | null;
  /** A management key's role; no other key has one. */
  role?: KeyRole | null;
  /** A management key reaches this programme of its mode only. */
  programId?: string | null;
  /** The member who makes it. */
  createdBy: string;
}

const shownOfKey = 4;

const ownColumns = selectList(ApiKey, 'k', [
  'id',
  'kind',
  'mode',
  'name',
  'role',
  'programId',
  'publicKey',
  'prefix',
  'last4',
  'createdAt',
  'lastUsedAt',
  'revokedAt',
  'createdBy',
]);

/** Select list of an ApiKeyRecord; the table's alias is `k`. */
export const apiKeyColumns = `${ownColumns}, (SELECT m.email FROM merchant_accounts AS m
  WHERE m.id = k.created_by AND m.removed_at IS NULL) AS "makerEmail"`;

/** Live keys of one kind and mode in a workspace. */
export const maxLiveKeys = 20;

/** Makes a key. `key` is the only time that it can be read, unless it is public. */
export async function createApiKey(
  tx: Tx,
  { scope, now }: Pick<WorkspaceContext, 'scope' | 'now'>,
  { kind, mode, name, role = null, programId = null, createdBy }: NewApiKey,
): Promise<ApiKeyRecord & { key: string }> {
  const key = newApiKey(kind, mode);
  const shown = {
    id: newId(),
    kind,
    mode,
    name,
    role,
    programId,
    createdBy,
    prefix: key.slice(0, keyPrefix(kind, mode).length + shownOfKey),
    last4: key.slice(-shownOfKey),
    createdAt: now,
    lastUsedAt: null,
    revokedAt: null,
    publicKey: kind === 'public' ? key : null,
  };
  const row = { ...shown, workspaceId: scope.workspaceId, keyHash: tokenHash(key) };
  await insertAll(tx, { into: ApiKey, rows: [row] });
  const maker = await findById(tx, MerchantAccount, createdBy);
  return { ...shown, makerEmail: maker?.email ?? null, key };
}

/** A key that a member asks for: audited, and reported to every admin and owner. API_KEY_LIMIT. */
export async function addApiKey(
  db: Db,
  context: WorkspaceContext,
  command: NewApiKey,
): Promise<ApiKeyRecord & { key: string }> {
  return transaction(db, async (tx) => {
    await refuseTooMany(tx, context, command);
    const key = await createApiKey(tx, context, command);
    await recordKeyChange(tx, context, { key, verb: 'created' });
    return key;
  });
}

/** Each key has limits of its own: without a bound a workspace would have none. */
async function refuseTooMany(
  tx: Tx,
  { scope: { workspaceId } }: WorkspaceContext,
  { kind, mode }: NewApiKey,
): Promise<void> {
  // Two at once are counted one after the other.
  await execute(tx, 'SELECT 1 FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [workspaceId]);
  const live = await countFrom(
    tx,
    'api_keys WHERE workspace_id = $1 AND kind = $2 AND mode = $3 AND revoked_at IS NULL',
    [workspaceId, kind, mode],
  );
  if (live >= maxLiveKeys) throw new AppError('API_KEY_LIMIT');
}

/** Ends a key for good; ending it again changes nothing. NOT_FOUND for another workspace's key too. */
export async function revokeApiKey(
  db: Db,
  context: WorkspaceContext,
  { apiKeyId }: { apiKeyId: string },
): Promise<void> {
  await transaction(db, async (tx) => {
    const where = { id: apiKeyId, workspaceId: context.scope.workspaceId };
    const key = await findOne(tx, ApiKey, { where, lock: 'UPDATE' });
    if (!key) throw new AppError('NOT_FOUND');
    if (key.revokedAt) return;

    await update(tx, ApiKey, { set: { revokedAt: context.now }, where: { id: key.id } });
    await recordKeyChange(tx, context, { key, verb: 'revoked' });
  });
}

/** Live keys that a member made, as mails name them. */
export async function namesOfKeysBy(
  tx: Tx,
  { workspaceId, createdBy }: { workspaceId: string; createdBy: string },
): Promise<string[]> {
  const keys = await query<{ prefix: string; last4: string; name: string | null }>(
    tx,
    `SELECT prefix, last4, name FROM api_keys
      WHERE workspace_id = $1 AND created_by = $2 AND revoked_at IS NULL ORDER BY created_at, id`,
    [workspaceId, createdBy],
  );
  return keys.map(({ prefix, last4, name }) => `${prefix}...${last4}${name ? ` (${name})` : ''}`);
}

/** Ends live keys of a workspace: those that one member made, or all. Each is in the audit log. */
export async function revokeKeysOf(
  tx: Tx,
  context: WorkspaceContext,
  { createdBy }: { createdBy?: string } = {},
): Promise<void> {
  const { scope, now } = context;
  const ended = await query<{ id: string }>(
    tx,
    `UPDATE api_keys SET revoked_at = $3
      WHERE workspace_id = $1 AND revoked_at IS NULL AND ($2::uuid IS NULL OR created_by = $2)
      RETURNING id`,
    [scope.workspaceId, createdBy ?? null, now],
  );
  for (const { id } of ended) {
    const target = { type: 'api_key', id };
    await record(tx, context, { audit: { action: 'api_key.revoked', target } });
  }
}

async function recordKeyChange(
  tx: Tx,
  context: WorkspaceContext,
  {
    key,
    verb,
  }: { key: Pick<ApiKey, 'id' | 'prefix' | 'kind' | 'mode' | 'name'>; verb: 'created' | 'revoked' },
): Promise<void> {
  const { id, prefix, kind, mode, name } = key;
  await record(tx, context, {
    audit: { action: `api_key.${verb}`, target: { type: 'api_key', id } },
  });
  await notifyAdmins(tx, context, {
    type: `security.api_key_${verb}`,
    data: { apiKeyId: id },
    facts: { prefix, kind, mode, name },
  });
}
