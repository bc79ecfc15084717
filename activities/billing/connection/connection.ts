import { newId } from '../../../entities/ids';
import { selectList } from '../../../entities/database/columns';
import { insertAll } from '../../../entities/database/insert-all';
import { boundedTransaction, execute, queryOne, type Db } from '../../../entities/database/sql';
import type { Scope } from '../../../entities/rules/values/mode';
import { BillerConnection } from '../../../entities/tables/billing/biller-connection.entity';
import type { CommandContext } from '../../journal/cause';
import type { Deps } from '../../../runtime/process/deps';
import { billerNames, type Biller } from '../../../entities/rules/billing/biller';
import { readerOf } from '../readers';
import type { BillerAccount } from '../reader';

export type BillerDeps = Pick<Deps, 'db' | 'config' | 'vault'>;

/** What of a connection is used; its secrets are encrypted, as all are here. */
const used = [
  'id',
  'workspaceId',
  'mode',
  'biller',
  'restrictedKey',
  'keyFingerprint',
  'webhookSecret',
  'registeredEndpointId',
  'invoicePayments',
  'lastError',
  'createdAt',
] as const satisfies (keyof BillerConnection)[];

export type ConnectionRecord = Pick<BillerConnection, (typeof used)[number]>;

export const connectionColumns = selectList(BillerConnection, 'c', used);

/** The scope of a row that holds more. */
export function scopeOf({ workspaceId, mode }: Scope): Scope {
  return { workspaceId, mode };
}

/** The workspace's connection to a biller in this mode; undefined before the first request for it. */
export async function findConnection(
  db: Db,
  scope: Scope,
  biller: Biller,
): Promise<ConnectionRecord | undefined> {
  const ofBiller = 'c.workspace_id = $1 AND c.mode = $2 AND c.biller = $3';
  return findWhere(db, ofBiller, [scope.workspaceId, scope.mode, biller]);
}

/** A connection by the id in its webhook path; undefined for an unknown or deleted one. */
export async function findConnectionById(
  db: Db,
  id: string,
): Promise<ConnectionRecord | undefined> {
  return findWhere(db, 'c.id = $1', [id]);
}

function findWhere(
  db: Db,
  which: string,
  values: unknown[],
): Promise<ConnectionRecord | undefined> {
  return queryOne<ConnectionRecord>(
    db,
    `SELECT ${connectionColumns} FROM stripe_connections AS c
      WHERE ${which} AND c.deleted_at IS NULL`,
    values,
  );
}

/**
 * The connection, made when there is none: its URL is known before any secret is
 * (docs/reference/payments.md, Intake).
 */
export async function ensureConnection(
  db: Db,
  { scope, now }: CommandContext,
  biller: Biller,
): Promise<ConnectionRecord> {
  const existing = await findConnection(db, scope, biller);
  if (existing) return existing;
  const row = { id: newId(), biller, ...scopeOf(scope), createdAt: now, updatedAt: now };
  await insertAll(db, {
    into: BillerConnection,
    rows: [row],
    onConflict: 'ON CONFLICT DO NOTHING',
  });
  const made = await findConnection(db, scope, biller);
  if (!made) throw new Error('a connection went away while it was made');
  return made;
}

/** A connection that can ask its biller. */
export type KeyedConnection = Pick<ConnectionRecord, 'id' | 'biller' | 'mode'> & {
  restrictedKey: string;
};

/** The stored key, plain. */
export function keyOf(
  { vault }: Pick<BillerDeps, 'vault'>,
  { id, restrictedKey }: Pick<KeyedConnection, 'id' | 'restrictedKey'>,
): string {
  return vault.decrypt(restrictedKey, ['stripe_connections.restricted_key', id]);
}

/** The account that the connection's key opens. */
export function accountOf(
  deps: Pick<BillerDeps, 'config' | 'vault'>,
  connection: KeyedConnection,
): BillerAccount {
  const { biller, mode } = connection;
  return readerOf(biller).account(deps.config, { mode, key: keyOf(deps, connection) });
}

/** Where the biller sends this connection's events. */
export function connectionUrl(
  { publicBaseUrl }: Pick<Deps['config'], 'publicBaseUrl'>,
  { id, biller }: Pick<ConnectionRecord, 'id' | 'biller'>,
): string {
  return `${publicBaseUrl}/webhooks/${biller}/${id}`;
}

const refusal = (biller: Biller, read: string): string =>
  `${billerNames[biller]} refused the stored key when it read ${read}: put a key with the permissions needed.`;

export interface ReadsOfEvent {
  connectionId: string;
  biller: Biller;
  refused: string[];
  answered: string[];
}

/**
 * Remembers what the biller did not let the key read. Only the same read, answered, shows that it is
 * mended: an event that asked for something else says nothing of it.
 */
export async function noteReads(
  db: Db,
  { scope }: CommandContext,
  { connectionId, biller, refused, answered }: ReadsOfEvent,
): Promise<void> {
  const [first] = refused;
  const mended = answered
    .filter((read) => !refused.includes(read))
    .map((read) => refusal(biller, read));
  if (first === undefined && mended.length === 0) return;
  const error = first === undefined ? null : refusal(biller, first);
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
