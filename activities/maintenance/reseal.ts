import type { Database } from '../../entities/database/database';
import { execute, query, rowsAtOnce, transaction, type Tx } from '../../entities/database/sql';
import type { BoxColumn, BoxPlace, Vault } from '../../runtime/crypto/vault';

interface Boxes {
  table: string;
  column: string;
  place: BoxColumn;
  /** Primary key, or what is as good. */
  key: readonly string[];
  /** The row that the boxes are bound to, where it is another one. */
  of?: readonly string[];
}

const byId = (table: string, column: string, place: BoxColumn): Boxes => ({
  table,
  column,
  place,
  key: ['id'],
});

/** Every column that holds boxes. */
export const boxColumns: readonly Boxes[] = [
  byId('webhook_endpoints', 'secret_encrypted', 'webhook_endpoints.secret'),
  byId('webhook_endpoints', 'previous_secret_encrypted', 'webhook_endpoints.secret'),
  byId('stripe_connections', 'restricted_key', 'stripe_connections.restricted_key'),
  byId('stripe_connections', 'webhook_secret', 'stripe_connections.webhook_secret'),
  byId('stripe_events', 'body', 'stripe_events.body'),
  byId('payout_batches', 'request', 'payout_batches.request'),
  byId('payout_connections', 'client_secret', 'payout_connections.client_secret'),
  byId('partner_accounts', 'vat_id_encrypted', 'partner_accounts.vat_id'),
  byId('partner_accounts', 'payout_method_encrypted', 'partner_accounts.payout_method'),
  {
    ...byId('participants', 'payout_method_encrypted', 'partner_accounts.payout_method'),
    of: ['payout_method_account_id'],
  },
  { table: 'imports', column: 'credentials_encrypted', place: 'imports.credentials', key: ['id'] },
  {
    table: 'import_chunks',
    column: 'sealed',
    place: 'import_chunks.sealed',
    key: ['file_id', 'chunk'],
  },
  {
    table: 'import_rows',
    column: 'sealed',
    place: 'import_rows.sealed',
    key: ['import_id', 'kind', 'n'],
    of: ['import_id', 'n'],
  },
  {
    ...byId('payout_items', 'method_encrypted', 'partner_accounts.payout_method'),
    of: ['method_account_id'],
  },
  {
    table: 'two_factors',
    column: 'secret_encrypted',
    place: 'two_factors.secret',
    key: ['account_id'],
  },
  {
    table: 'erasure_identities',
    column: 'sealed',
    place: 'erasure_identities.sealed',
    key: ['erasure_id'],
  },
  {
    table: 'sealed_recipients',
    column: 'sealed',
    place: 'sealed_recipients.sealed',
    key: ['mail_id'],
  },
  {
    table: 'idempotency_keys',
    column: 'answer',
    place: 'idempotency_keys.answer',
    key: ['principal_id', 'mode', 'path', 'key'],
  },
];

export interface Resealed {
  table: string;
  column: string;
  /** The rows that were encrypted again, under the first key. */
  written: number;
  /** They do not open: their key is gone, or they belong to another place. */
  unreadable: number;
}

type ResealDeps = { db: Database; vault: Vault };

/**
 * Encrypts again whatever is not under the first key, so that the keys behind it are needed no longer. A batch is a transaction; it may be ended and begun
 * again at any time, beside the running service.
 */
export async function resealAll(deps: ResealDeps): Promise<Resealed[]> {
  const done: Resealed[] = [];
  for (const boxes of boxColumns) {
    const { table, column } = boxes;
    const sum: Resealed = { table, column, written: 0, unreadable: 0 };
    let after: string[] | null = null;
    do {
      const batch: Batch = await transaction(deps.db, (tx) =>
        resealBatch(tx, deps.vault, { boxes, after }),
      );
      sum.written += batch.written;
      sum.unreadable += batch.unreadable;
      after = batch.last;
    } while (after !== null);
    done.push(sum);
  }
  return done;
}

interface Batch {
  written: number;
  unreadable: number;
  last: string[] | null;
}

async function resealBatch(
  tx: Tx,
  vault: Vault,
  { boxes, after }: { boxes: Boxes; after: string[] | null },
): Promise<Batch> {
  const { table, column, key, of = key, place } = boxes;
  const row = key.join(', ');
  const beyond =
    after && `AND (${row}) > (${key.map((_name, index) => `$${index + 2}`).join(', ')})`;
  const texts = (names: readonly string[]): string =>
    `ARRAY[${names.map((name) => `${name}::text`).join(', ')}]`;
  const found = await query<{ row: string[]; boundTo: string[]; box: string }>(
    tx,
    `SELECT ${texts(key)} AS row, ${texts(of)} AS "boundTo", ${column} AS box
       FROM ${table} WHERE ${column} IS NOT NULL AND NOT starts_with(${column}, $1) ${beyond ?? ''}
      ORDER BY ${row} LIMIT ${rowsAtOnce} FOR UPDATE`,
    [vault.boxPrefix, ...(after ?? [])],
  );
  let written = 0;
  for (const { row: id, boundTo, box } of found) {
    const again = reseal(vault, box, [place, ...boundTo]);
    if (again === null) continue;
    const where = key.map((name, index) => `${name} = $${index + 2}`).join(' AND ');
    written += await execute(tx, `UPDATE ${table} SET ${column} = $1 WHERE ${where}`, [
      again,
      ...id,
    ]);
  }
  const last = found.length < rowsAtOnce ? null : (found.at(-1)?.row ?? null);
  return { written, unreadable: found.length - written, last };
}

function reseal(vault: Vault, box: string, place: BoxPlace): string | null {
  try {
    return vault.encrypt(vault.decrypt(box, place), place);
  } catch {
    return null;
  }
}
