import { AppError, validationError } from '../entities/errors';
import { newId } from '../entities/ids';
import type { Mode, Scope } from '../entities/rules/mode';
import { execute, queryOne, type Db } from '../entities/sql';
import { recordAudit } from './audit.activities';
import type { Cause } from './cause';
import type { Deps } from './runtime/deps';
import { createStripeClient } from './runtime/stripe';
import {
  checkStripeKey,
  endpointExists,
  registerEndpoint,
  removeEndpoint,
  type RegisteredEndpoint,
} from './stripe-account.activities';

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

const columns = `id, workspace_id AS "workspaceId", mode, restricted_key AS "restrictedKey",
  key_fingerprint AS "keyFingerprint", webhook_secret AS "webhookSecret",
  registered_endpoint_id AS "registeredEndpointId", last_error AS "lastError"`;

/** The workspace's connection in this mode; undefined before anybody asked for one. */
export async function findConnection(db: Db, scope: Scope): Promise<ConnectionRecord | undefined> {
  return queryOne<ConnectionRecord>(
    db,
    `SELECT ${columns} FROM stripe_connections
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
    `SELECT ${columns} FROM stripe_connections WHERE id = $1 AND deleted_at IS NULL`,
    [id],
  );
}

/** The connection, made when there is none: its URL is known before any secret is (contract, 7). */
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

export interface ConnectCommand extends Cause {
  scope: Scope;
  /** Plain; undefined leaves the stored one. */
  restrictedKey?: string | undefined;
  webhookSecret?: string | undefined;
}

/**
 * Stores a key, a secret or both. A key is tried at Stripe first: STRIPE_KEY_REJECTED names what is
 * missing and nothing changes; SERVICE_UNAVAILABLE when Stripe cannot be asked. A key without any
 * secret registers our endpoint at Stripe, once, and uses its secret. Talks to the network: never
 * inside a transaction.
 */
export async function connectStripe(deps: StripeDeps, command: ConnectCommand): Promise<void> {
  assertSecrets(command);
  const connection = await ensureConnection(deps.db.manager, command.scope, command.now);
  const key = command.restrictedKey;
  const fingerprint = key === undefined ? null : deps.vault.derive('stripe key', key);
  const registered =
    key === undefined ? null : await tryKey(deps, connection, { ...command, key, fingerprint });
  const secret = command.webhookSecret ?? registered?.secret;

  await deps.db.transaction(async (tx) => {
    const changed = await execute(
      tx,
      `UPDATE stripe_connections
          SET restricted_key = coalesce($2, restricted_key),
              key_fingerprint = coalesce($3, key_fingerprint),
              webhook_secret = coalesce($4, webhook_secret),
              registered_endpoint_id = coalesce($5, registered_endpoint_id),
              last_error = NULL, updated_at = $6
        WHERE id = $1 AND deleted_at IS NULL`,
      [
        connection.id,
        key === undefined ? null : deps.vault.encrypt(key),
        fingerprint,
        secret === undefined ? null : deps.vault.encrypt(secret),
        registered?.id ?? null,
        command.now,
      ],
    );
    if (changed === 0) throw new AppError('NOT_FOUND');
    await audit(tx, command, { action: 'stripe.connected', id: connection.id });
  });
}

function assertSecrets({ scope, restrictedKey, webhookSecret }: ConnectCommand): void {
  if (restrictedKey === undefined && webhookSecret === undefined) {
    throw validationError('body', 'give restrictedKey, webhookSecret or both');
  }
  const key = new RegExp(`^(rk|sk)_${scope.mode}_[A-Za-z0-9_]{1,400}$`);
  if (restrictedKey !== undefined && !key.test(restrictedKey)) {
    throw validationError('restrictedKey', `must be an rk_${scope.mode}_ or sk_${scope.mode}_ key`);
  }
  if (webhookSecret !== undefined && !/^whsec_[\x21-\x7e]{1,400}$/.test(webhookSecret)) {
    throw validationError('webhookSecret', 'must begin with whsec_');
  }
}

/** Tries the key, and registers our endpoint with it when nothing else gives us a secret. */
async function tryKey(
  deps: StripeDeps,
  connection: ConnectionRecord,
  { key, fingerprint, webhookSecret }: ConnectCommand & { key: string; fingerprint: string | null },
): Promise<RegisteredEndpoint | null> {
  const client = createStripeClient(deps.config, key);
  await checkStripeKey(client);
  if (webhookSecret !== undefined) return null;

  const { registeredEndpointId: ours } = connection;
  if (connection.webhookSecret !== null) {
    const isTheirs = ours === null || connection.keyFingerprint === fingerprint;
    if (isTheirs || (await endpointExists(client, ours))) return null;
  }
  return registerEndpoint(client, {
    url: connectionUrl(deps.config, connection.id),
    // The same key asks for the same endpoint, also when two requests ask at once.
    idempotencyKey: `connect-${connection.id}-${fingerprint ?? ''}`,
  });
}

/** Where Stripe sends this connection's events. */
export function connectionUrl(
  { publicBaseUrl }: Pick<Deps['config'], 'publicBaseUrl'>,
  connectionId: string,
): string {
  return `${publicBaseUrl}/webhooks/stripe/${connectionId}`;
}

/**
 * Ends the connection: its path answers 404 from now on and its secrets are gone. The endpoint that
 * we registered is removed at Stripe first; SERVICE_UNAVAILABLE, and nothing changed, when Stripe
 * cannot be asked. Without a connection there is nothing to do.
 */
export async function disconnectStripe(
  deps: StripeDeps,
  command: Cause & { scope: Scope },
): Promise<void> {
  const connection = await findConnection(deps.db.manager, command.scope);
  if (!connection) return;
  const { registeredEndpointId: ours, restrictedKey } = connection;
  if (ours !== null && restrictedKey !== null) {
    await removeEndpoint(createStripeClient(deps.config, deps.vault.decrypt(restrictedKey)), ours);
  }

  await deps.db.transaction(async (tx) => {
    const ended = await execute(
      tx,
      `UPDATE stripe_connections
          SET deleted_at = $2, updated_at = $2, restricted_key = NULL, key_fingerprint = NULL,
              webhook_secret = NULL, last_error = NULL
        WHERE id = $1 AND deleted_at IS NULL`,
      [connection.id, command.now],
    );
    if (ended === 1) await audit(tx, command, { action: 'stripe.disconnected', id: connection.id });
  });
}

async function audit(
  tx: Db,
  { scope, actor, requestId, now }: Cause & { scope: Scope },
  { action, id }: { action: string; id: string },
): Promise<void> {
  const target = { type: 'stripe_connection', id };
  await recordAudit(tx, {
    workspaceId: scope.workspaceId,
    actor,
    action,
    target,
    requestId,
    at: now,
  });
}

/** Remembers what ails the connection, such as a key that Stripe does not take any more. */
export async function noteConnectionError(
  db: Db,
  connectionId: string,
  error: string | null,
): Promise<void> {
  await execute(
    db,
    `UPDATE stripe_connections SET last_error = $2
      WHERE id = $1 AND last_error IS DISTINCT FROM $2`,
    [connectionId, error],
  );
}
