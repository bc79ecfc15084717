import { newId } from '../../../entities/ids';
import type { Mode, Scope } from '../../../entities/rules/values/mode';
import { execute, queryOne, type Db } from '../../../entities/database/sql';
import type { Deps } from '../../runtime/process/deps';
import type { StripeRead } from '../events/asker';

export type StripeDeps = Pick<Deps, 'db' | 'config' | 'vault'>;

export interface ConnectionRecord {
  id: string;
  workspaceId: string;
  mode: Mode;
  /** Encrypted, as all secrets here. */
  restrictedKey: string | null;
  keyFingerprint: string | null;
  webhookSecret: string | null;
  registeredEndpointId: string | null;
  lastError: string | null;
}

export const connectionColumns = `id, workspace_id AS "workspaceId", mode, restricted_key AS "restrictedKey",
  key_fingerprint AS "keyFingerprint", webhook_secret AS "webhookSecret",
  registered_endpoint_id AS "registeredEndpointId", last_error AS "lastError"`;

/** The workspace's connection in this mode; undefined before the first request for it. */
export async function findConnection(db: Db, scope: Scope): Promise<ConnectionRecord | undefined> {
  return queryOne<ConnectionRecord>(
    db,
    `SELECT ${connectionColumns} FROM stripe_connections
      WHERE workspace_id = $1 AND mode = $2 AND deleted_at IS NULL`,
    [scope.workspaceId, scope.mode],
  );
}

/** By the id in its webhook path; undefined for an unknown or deleted one. */
export async function findConnectionById(
  db: Db,
  id: string,
): Promise<ConnectionRecord | undefined> {
  return queryOne<ConnectionRecord>(
    db,
    `SELECT ${connectionColumns} FROM stripe_connections WHERE id = $1 AND deleted_at IS NULL`,
    [id],
  );
}

/**
 * The connection, made when there is none: its URL is known before any secret is
 * (docs/reference/payments.md, Intake).
 */
export async function ensureConnection(db: Db, scope: Scope, now: Date): Promise<ConnectionRecord> {
  const existing = await findConnection(db, scope);
  if (existing) return existing;
  await execute(
    db,
    `INSERT INTO stripe_connections (id, workspace_id, mode, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $4) ON CONFLICT DO NOTHING`,
    [newId(), scope.workspaceId, scope.mode, now],
  );
  const made = await findConnection(db, scope);
  if (!made) throw new Error('a connection went away while it was made');
  return made;
}

/** Where Stripe sends this connection's events. */
export function connectionUrl(
  { publicBaseUrl }: Pick<Deps['config'], 'publicBaseUrl'>,
  connectionId: string,
): string {
  return `${publicBaseUrl}/webhooks/stripe/${connectionId}`;
}

const refusal = (read: StripeRead): string =>
  `Stripe refused the stored key when it read ${read}: put a key with the permissions needed.`;

/**
 * Remembers what Stripe did not let the key read. Only the same read, answered, shows that it is
 * mended: an event that asked for something else says nothing of it.
 */
export async function noteReads(
  db: Db,
  connectionId: string,
  { refused, answered }: { refused: StripeRead[]; answered: StripeRead[] },
): Promise<void> {
  const [first] = refused;
  const mended = answered.filter((read) => !refused.includes(read)).map(refusal);
  if (first === undefined && mended.length === 0) return;
  const error = first === undefined ? null : refusal(first);
  await execute(
    db,
    `UPDATE stripe_connections SET last_error = $2
      WHERE id = $1 AND last_error IS DISTINCT FROM $2
        AND ($2::text IS NOT NULL OR last_error = ANY ($3::text[]))`,
    [connectionId, error, mended],
  );
}
