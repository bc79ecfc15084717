import { newId } from '../../../entities/ids';
import { selectList } from '../../../entities/database/columns';
import { insertAll } from '../../../entities/database/insert-all';
import { boundedTransaction, execute, queryOne, type Db } from '../../../entities/database/sql';
import type { Scope } from '../../../entities/rules/values/mode';
import { BillerConnection } from '../../../entities/tables/billing/biller-connection.entity';
import type { CommandContext } from '../../journal/cause';
import { createStripeClient, type StripeClient } from '../../../runtime/connections/stripe';
import type { Deps } from '../../../runtime/process/deps';
import type { StripeRead } from '../stripe/asker';

export type StripeDeps = Pick<Deps, 'db' | 'config' | 'vault'>;

/** What of a connection is used; its secrets are encrypted, as all are here. */
const used = [
  'id',
  'workspaceId',
  'mode',
  'restrictedKey',
  'keyFingerprint',
  'webhookSecret',
  'registeredEndpointId',
  'invoicePayments',
  'lastError',
] as const satisfies (keyof BillerConnection)[];

export type ConnectionRecord = Pick<BillerConnection, (typeof used)[number]>;

export const connectionColumns = selectList(BillerConnection, 'c', used);

/** Only the scope of a row that holds more. */
export function scopeOf({ workspaceId, mode }: Scope): Scope {
  return { workspaceId, mode };
}

/** The workspace's connection in this mode; undefined before the first request for it. */
export async function findConnection(db: Db, scope: Scope): Promise<ConnectionRecord | undefined> {
  return queryOne<ConnectionRecord>(
    db,
    `SELECT ${connectionColumns} FROM stripe_connections AS c
      WHERE c.workspace_id = $1 AND c.mode = $2 AND c.deleted_at IS NULL`,
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
    `SELECT ${connectionColumns} FROM stripe_connections AS c
      WHERE c.id = $1 AND c.deleted_at IS NULL`,
    [id],
  );
}

/**
 * The connection, made when there is none: its URL is known before any secret is
 * (docs/reference/payments.md, Intake).
 */
export async function ensureConnection(
  db: Db,
  { scope, now }: CommandContext,
): Promise<ConnectionRecord> {
  const existing = await findConnection(db, scope);
  if (existing) return existing;
  const row = { id: newId(), ...scopeOf(scope), createdAt: now, updatedAt: now };
  await insertAll(db, {
    into: BillerConnection,
    rows: [row],
    onConflict: 'ON CONFLICT DO NOTHING',
  });
  const made = await findConnection(db, scope);
  if (!made) throw new Error('a connection went away while it was made');
  return made;
}

/** A client that asks with the connection's key. */
export function clientOf(
  { config, vault }: Pick<StripeDeps, 'config' | 'vault'>,
  { id, restrictedKey }: { id: string; restrictedKey: string },
): StripeClient {
  const key = vault.decrypt(restrictedKey, ['stripe_connections.restricted_key', id]);
  return createStripeClient(config, key);
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

export interface ReadsOfEvent {
  connectionId: string;
  refused: StripeRead[];
  answered: StripeRead[];
}

/**
 * Remembers what Stripe did not let the key read. Only the same read, answered, shows that it is
 * mended: an event that asked for something else says nothing of it.
 */
export async function noteReads(
  db: Db,
  { scope }: CommandContext,
  { connectionId, refused, answered }: ReadsOfEvent,
): Promise<void> {
  const [first] = refused;
  const mended = answered.filter((read) => !refused.includes(read)).map(refusal);
  if (first === undefined && mended.length === 0) return;
  const error = first === undefined ? null : refusal(first);
  await boundedTransaction(db, (tx) =>
    execute(
      tx,
      `UPDATE stripe_connections SET last_error = $2
        WHERE id = $1 AND workspace_id = $4 AND mode = $5 AND last_error IS DISTINCT FROM $2
          AND ($2::text IS NOT NULL OR last_error = ANY ($3::text[]))`,
      [connectionId, error, mended, scope.workspaceId, scope.mode],
    ),
  );
}
