import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import type { Actor } from '../../entities/rules/values/actor';
import { keyPrefix, type KeyKind, type Mode } from '../../entities/rules/values/mode';
import {
  countFrom,
  type Db,
  execute,
  query,
  queryOne,
  transaction,
  type Tx,
} from '../../entities/database/sql';
import { recordAudit } from '../journal/audit';
import { notifyAdmins } from '../notifications/security';
import { newApiKey } from '../runtime/crypto/tokens';
import { tokenHash } from '../runtime/crypto/vault';

export interface ApiKeyRecord {
  id: string;
  kind: KeyKind;
  mode: Mode;
  name: string | null;
  prefix: string;
  last4: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  /** Whole, for public keys; null for secret ones, which are kept as a hash. */
  publicKey: string | null;
}

export interface KeyCommand {
  workspaceId: string;
  actor: Actor;
  requestId?: string | undefined;
}

const shownOfKey = 4;
/** Of a kind and mode. */
export const mostLiveKeys = 20;

/** Makes a key. `key` is the only time that a secret key can be read. */
export async function createApiKey(
  tx: Tx,
  command: { workspaceId: string; kind: KeyKind; mode: Mode; name: string | null },
  now: Date,
): Promise<ApiKeyRecord & { key: string }> {
  const { workspaceId, kind, mode, name } = command;
  const key = newApiKey(kind, mode);
  const record: ApiKeyRecord = {
    id: newId(),
    kind,
    mode,
    name,
    prefix: key.slice(0, keyPrefix(kind, mode).length + shownOfKey),
    last4: key.slice(-shownOfKey),
    createdAt: now,
    lastUsedAt: null,
    revokedAt: null,
    publicKey: kind === 'public' ? key : null,
  };
  await execute(
    tx,
    `INSERT INTO api_keys (id, workspace_id, kind, mode, name, key_hash, public_key, prefix, last4,
       created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      record.id,
      workspaceId,
      kind,
      mode,
      name,
      tokenHash(key),
      record.publicKey,
      record.prefix,
      record.last4,
      now,
    ],
  );
  return { ...record, key };
}

/**
 * A key that a member asks for: audited, and reported to every admin and owner.
 *
 * @throws AppError API_KEY_LIMIT
 */
export async function addApiKey(
  db: Db,
  command: KeyCommand & { kind: KeyKind; mode: Mode; name: string | null },
  now: Date,
): Promise<ApiKeyRecord & { key: string }> {
  return transaction(db, async (tx) => {
    await refuseTooMany(tx, command);
    const record = await createApiKey(tx, command, now);
    await announce(tx, command, { record, verb: 'created', now });
    return record;
  });
}

/** Each key has limits of its own: without a bound a workspace would have none. */
async function refuseTooMany(
  tx: Tx,
  { workspaceId, kind, mode }: { workspaceId: string; kind: KeyKind; mode: Mode },
): Promise<void> {
  // Two at once are counted one after the other.
  await execute(tx, 'SELECT 1 FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [workspaceId]);
  const live = await countFrom(
    tx,
    'api_keys WHERE workspace_id = $1 AND kind = $2 AND mode = $3 AND revoked_at IS NULL',
    [workspaceId, kind, mode],
  );
  if (live >= mostLiveKeys) throw new AppError('API_KEY_LIMIT');
}

/**
 * Ends a key for good; ending it again changes nothing.
 *
 * @throws AppError NOT_FOUND for another workspace's key too
 */
export async function revokeApiKey(
  db: Db,
  command: KeyCommand & { apiKeyId: string },
  now: Date,
): Promise<void> {
  await transaction(db, async (tx) => {
    const key = await queryOne<KeyRow>(
      tx,
      `SELECT id, kind, mode, name, prefix, revoked_at AS "revokedAt"
       FROM api_keys WHERE id = $1 AND workspace_id = $2 FOR UPDATE`,
      [command.apiKeyId, command.workspaceId],
    );
    if (!key) throw new AppError('NOT_FOUND');
    if (key.revokedAt) return;

    await query(tx, 'UPDATE api_keys SET revoked_at = $2 WHERE id = $1', [key.id, now]);
    await announce(tx, command, { record: key, verb: 'revoked', now });
  });
}

type KeyRow = Pick<ApiKeyRecord, 'id' | 'kind' | 'mode' | 'name' | 'prefix' | 'revokedAt'>;

async function announce(
  tx: Tx,
  { workspaceId, actor, requestId }: KeyCommand,
  { record, verb, now }: { record: KeyRow; verb: 'created' | 'revoked'; now: Date },
): Promise<void> {
  const { id, prefix, kind, mode, name } = record;
  await recordAudit(tx, {
    workspaceId,
    actor,
    action: `api_key.${verb}`,
    target: { type: 'api_key', id },
    requestId,
    at: now,
  });
  await notifyAdmins(
    tx,
    {
      type: `security.api_key_${verb}`,
      workspaceId,
      data: { apiKeyId: id },
      facts: { prefix, kind, mode, name },
    },
    now,
  );
}
