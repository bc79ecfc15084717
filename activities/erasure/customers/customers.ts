import { AppError } from '../../../entities/errors';
import { execute, query, transaction, type Tx } from '../../../entities/database/sql';
import type { Scope } from '../../../entities/rules/values/mode';
import type { CommandContext } from '../../journal/cause';
import { record } from '../../journal/record';
import type { BoughtConversion, Buyer, CustomerStores, NamingEvent } from './buyer';
import { scrubAnswers } from './answers';
import { customersCarrying, eventsNaming } from './named';
import { eraseFromImports } from './imports';
import { eraseBuyersPayments } from './payments';
import { insertReceipt } from '../receipts';
import { noteErasedRecords } from '../records';

/** The buyer to erase, by at least one of the two; the address trimmed and in lower case. */
export interface EraseCustomer {
  customerId?: string | undefined;
  email?: string | undefined;
}

/**
 * Erases what the workspace's conversions of both modes hold of a buyer: metadata, the customer's id
 * (a keyed hash takes its place), the address' hash, the events and raw processor events of them. An address
 * finds bound customers with all that is theirs, and the raw events that name it, also of payments that no
 * partner brought.
 * Amounts stay. Returns how many conversions it changed; none the second time.
 */
export async function eraseCustomer(
  { db, vault }: CustomerStores,
  context: CommandContext,
  { customerId, email }: EraseCustomer,
): Promise<{ erasedAt: Date; conversions: number }> {
  const { scope, now } = context;
  return transaction(db, async (tx) => {
    const hash = email === undefined ? null : vault.contactHash(email);
    const { workspaceId } = scope;
    const asked = [
      ...(customerId === undefined ? [] : [customerId]),
      // A customer is one buyer: what they bought without the address is theirs, too.
      ...(hash === null ? [] : await customersCarrying(tx, workspaceId, hash)),
    ];
    const ids = asked.length === 0 ? [] : await namesOf(tx, workspaceId, asked);
    const found = await findConversions(tx, workspaceId, { ids, hash });
    const stores = { db: tx, vault };
    const naming = email === undefined ? [] : await eventsNaming(stores, workspaceId, email);
    const rows = await eraseFound(stores, context, { found, ids, naming, email });
    if (rows > 0) {
      const target = { type: 'workspace', id: scope.workspaceId };
      await record(tx, context, { audit: { action: 'customer.erased', target } });
    }
    return { erasedAt: now, conversions: found.length };
  });
}

/** Erases the buyer of a restored conversion once more; false when it is not there, or not back. */
export async function eraseConversionAgain(
  { db, vault }: CustomerStores,
  context: Pick<CommandContext, 'now'>,
  conversionId: string,
): Promise<boolean> {
  return transaction(db, async (tx) => {
    const found = await query<BoughtConversion>(
      tx,
      `SELECT ${foundColumns} FROM conversions AS v WHERE v.id = $1 AND ${isKept} FOR UPDATE`,
      [conversionId],
    );
    const [conversion] = found;
    if (!conversion) return false;
    const ids = conversion.customerId === null ? [] : [conversion.customerId];
    await eraseFound({ db: tx, vault }, context, { found, ids });
    return true;
  });
}

/** The same of a restored customer, who need not have bought anything. */
export async function eraseCustomerAgain(
  { db, vault }: CustomerStores,
  { now }: Pick<CommandContext, 'now'>,
  customerId: string,
): Promise<boolean> {
  return transaction(db, async (tx) => {
    const rows = await query<{ workspaceId: string; alias: string }>(
      tx,
      `SELECT u.workspace_id AS "workspaceId", a.alias
         FROM customers AS u JOIN customer_aliases AS a ON a.customer = u.id
        WHERE u.id = $1 AND a.alias NOT LIKE 'erased:%'`,
      [customerId],
    );
    const [first] = rows;
    if (!first) return false;
    const ids = rows.map(({ alias }) => alias).sort();
    const { workspaceId } = first;
    const found = await findConversions(tx, workspaceId, { ids, hash: null });
    await eraseFound({ db: tx, vault }, { now, scope: { workspaceId } }, { found, ids });
    return true;
  });
}

const foundColumns = `v.id, v.workspace_id AS "workspaceId", v.mode,
  v.customer_id AS "customerId", v.created_at AS "createdAt"`;

/** The conversion `v` still holds something of the buyer. */
const isKept = `(v.metadata IS NOT NULL OR v.prospect_hash IS NOT NULL
  OR v.customer_id NOT LIKE 'erased:%')`;

/** All ids that customers of both modes are known by, with those that led to them. */
async function namesOf(tx: Tx, workspaceId: string, names: readonly string[]): Promise<string[]> {
  const rows = await query<{ alias: string }>(
    tx,
    `SELECT alias FROM customer_aliases WHERE customer IN (
       SELECT customer FROM customer_aliases
        WHERE workspace_id = $1 AND mode IN ('test', 'live') AND alias = ANY ($2::text[]))`,
    [workspaceId, names],
  );
  return [...new Set([...names, ...rows.map(({ alias }) => alias)])].sort();
}

/** The rows of a buyer in both modes, for the ledger. */
async function customersOf(
  tx: Tx,
  workspaceId: string,
  names: readonly string[],
): Promise<string[]> {
  const rows = await query<{ id: string }>(
    tx,
    `SELECT DISTINCT customer AS id FROM customer_aliases
      WHERE workspace_id = $1 AND mode IN ('test', 'live') AND alias = ANY ($2::text[])
      ORDER BY 1`,
    [workspaceId, names],
  );
  return rows.map(({ id }) => id);
}

const ofName = 'unnest($3::text[], $4::text[]) AS k (id, hash)';

/** Who bought again after an erasure is the same again: the first binding is the one that stays. */
async function dropDoubled(tx: Tx, values: unknown[]): Promise<void> {
  await execute(
    tx,
    `UPDATE stripe_payments AS p SET customer = a.customer
       FROM customers AS u, ${ofName}, customer_aliases AS a
      WHERE p.customer = u.id AND u.workspace_id = $1 AND u.mode = $2 AND u.customer_id = k.id
        AND a.workspace_id = $1 AND a.mode = $2 AND a.alias = k.hash`,
    values,
  );
  await execute(
    tx,
    `DELETE FROM customers AS u USING ${ofName}
      WHERE u.workspace_id = $1 AND u.mode = $2 AND u.customer_id = k.id
        AND EXISTS (SELECT 1 FROM customer_aliases AS a
                     WHERE a.workspace_id = $1 AND a.mode = $2 AND a.alias = k.hash)`,
    values,
  );
}

/** Puts a hash in the place of every id that was asked for; the customer stays the same partner's. */
async function eraseNames(
  tx: Tx,
  { workspaceId, mode, ids, replacements }: Buyer,
): Promise<{ customers: number; customer_aliases: number }> {
  const names = ids.filter((id) => replacements.has(id));
  const values = [workspaceId, mode, names, names.map((name) => replacements.get(name))];
  await dropDoubled(tx, values);
  const customers = await execute(
    tx,
    `UPDATE customers AS u SET customer_id = k.hash, reason = NULL
       FROM ${ofName} WHERE u.workspace_id = $1 AND u.mode = $2 AND u.customer_id = k.id`,
    values,
  );
  await execute(
    tx,
    `UPDATE customer_bindings AS b SET reason = NULL, attribution = NULL
       FROM customers AS u, ${ofName}
      WHERE b.customer = u.id AND u.workspace_id = $1 AND u.mode = $2 AND u.customer_id = k.hash`,
    values,
  );
  const aliases = await execute(
    tx,
    `UPDATE customer_aliases AS a SET alias = k.hash
       FROM ${ofName} WHERE a.workspace_id = $1 AND a.mode = $2 AND a.alias = k.id
        AND NOT EXISTS (SELECT 1 FROM customer_aliases AS taken
                         WHERE taken.workspace_id = $1 AND taken.mode = $2 AND taken.alias = k.hash)`,
    values,
  );
  const doubled = await execute(
    tx,
    'DELETE FROM customer_aliases WHERE workspace_id = $1 AND mode = $2 AND alias = ANY ($3::text[])',
    [workspaceId, mode, names],
  );
  return { customers, customer_aliases: aliases + doubled };
}

/** Conversions by the indexes: of attributed ones by programme, of the few others by workspace. */
function findConversions(
  tx: Tx,
  workspaceId: string,
  { ids, hash }: { ids: readonly string[]; hash: string | null },
): Promise<BoughtConversion[]> {
  const ofPrograms =
    'program_id IN (SELECT id FROM programs WHERE workspace_id = $1) AND attributed';
  return query<BoughtConversion>(
    tx,
    `WITH bought AS (
       SELECT id FROM conversions WHERE ${ofPrograms} AND customer_id <> ''
          AND customer_id = ANY($2)
       UNION SELECT id FROM conversions
        WHERE workspace_id = $1 AND NOT attributed AND customer_id <> '' AND customer_id = ANY($2)
       UNION SELECT id FROM conversions WHERE ${ofPrograms} AND prospect_hash = $3
       UNION SELECT id FROM conversions
        WHERE workspace_id = $1 AND NOT attributed AND prospect_hash = $3)
     SELECT ${foundColumns} FROM conversions AS v
      WHERE v.id IN (SELECT id FROM bought) AND ${isKept} ORDER BY v.id FOR UPDATE OF v`,
    [workspaceId, ids, hash],
  );
}

/** Returns how many rows of any table it changed. */
async function eraseFound(
  { db: tx, vault }: CustomerStores & { db: Tx },
  { now, scope }: Pick<CommandContext, 'now'> & { scope?: Pick<Scope, 'workspaceId'> },
  {
    found,
    ids,
    naming = [],
    email,
  }: {
    found: readonly BoughtConversion[];
    ids: readonly string[];
    naming?: readonly NamingEvent[];
    email?: string | undefined;
  },
): Promise<number> {
  const workspaceId = scope?.workspaceId ?? found[0]?.workspaceId;
  if (workspaceId === undefined) throw new AppError('NOT_FOUND');
  const erasedAt = now;
  await noteErasedRecords(tx, { kind: 'conversion', ids: found.map(({ id }) => id), erasedAt });
  const customers = await customersOf(tx, workspaceId, ids);
  await noteErasedRecords(tx, { kind: 'customer', ids: customers, erasedAt });
  const bought = [...found, ...naming];
  const known = new Set([...ids, ...bought.flatMap(({ customerId }) => customerId ?? [])]);
  const replacements = replacementsOf(vault, workspaceId, [...known]);
  let changed = 0;
  for (const mode of ['live', 'test'] as const) {
    const conversions = found.filter((conversion) => conversion.mode === mode);
    const events = naming.filter((event) => event.mode === mode);
    const buyer = { workspaceId, mode, conversions, ids, replacements, events, email };
    const changes = await eraseOfMode({ db: tx, vault }, buyer);
    const rows = Object.values(changes).reduce((sum, one) => sum + one, 0);
    changed += rows;
    if (rows === 0) continue;
    const place = { workspaceId, mode, programId: null, participantId: null };
    const receipt = { erasureId: null, kind: 'customer', place, changes } as const;
    await insertReceipt(tx, { ...receipt, erasedAt, completedAt: erasedAt });
  }
  return changed;
}

async function eraseOfMode(
  stores: CustomerStores & { db: Tx },
  buyer: Buyer,
): Promise<Record<string, number>> {
  const { db: tx } = stores;
  const changes = {
    // First, as an event of Stripe's locks them.
    ...(await eraseBuyersPayments(stores, buyer)),
    conversions: await eraseConversions(tx, buyer),
    ...(await eraseNames(tx, buyer)),
    ...(await eraseEvents(tx, buyer)),
    idempotency_keys: await scrubAnswers(stores, buyer),
    ...(await eraseFromImports(stores, buyer)),
  };
  return Object.fromEntries(Object.entries(changes).filter(([, rows]) => rows > 0));
}

function replacementsOf(
  vault: Pick<CustomerStores['vault'], 'contactHash'>,
  workspaceId: string,
  ids: readonly string[],
): Map<string, string> {
  const known = ids.filter((id) => id !== '' && !id.startsWith('erased:'));
  return new Map(
    known.map((id) => [id, `erased:${vault.contactHash(`customer:${workspaceId}:${id}`)}`]),
  );
}

async function eraseConversions(tx: Tx, { conversions, replacements }: Buyer): Promise<number> {
  if (conversions.length === 0) return 0;
  return execute(
    tx,
    `UPDATE conversions AS v
        SET metadata = NULL, prospect_hash = NULL,
            customer_id = coalesce((SELECT k.hash FROM unnest($2::text[], $3::text[]) AS k (id, hash)
                                     WHERE k.id = v.customer_id), v.customer_id)
      WHERE v.id = ANY($1)`,
    [conversions.map(({ id }) => id), [...replacements.keys()], [...replacements.values()]],
  );
}

/** Events tell of a conversion as it was, and receivers may have answered with what they were sent. */
async function eraseEvents(
  tx: Tx,
  { workspaceId, mode, conversions, replacements }: Buyer,
): Promise<{ events: number; webhook_deliveries: number }> {
  if (conversions.length === 0) return { events: 0, webhook_deliveries: 0 };
  const since = new Date(Math.min(...conversions.map(({ createdAt }) => createdAt.getTime())));
  await execute(tx, `SET LOCAL app.purge = 'on'`);
  const changed = await query<{ id: string }>(
    tx,
    `UPDATE events AS e
        SET object = (e.object::jsonb || jsonb_build_object('metadata', NULL, 'customer_id',
              coalesce((SELECT k.hash FROM unnest($5::text[], $6::text[]) AS k (id, hash)
                         WHERE k.id = e.object->>'customer_id'), e.object->>'customer_id')))::json
      WHERE e.workspace_id = $1 AND e.mode = $2 AND e.occurred_at >= $3
        AND e.object_id = ANY($4) AND e.type LIKE 'conversion.%'
      RETURNING e.id`,
    [
      workspaceId,
      mode,
      since,
      conversions.map(({ id }) => id),
      [...replacements.keys()],
      [...replacements.values()],
    ],
  );
  await execute(tx, `SET LOCAL app.purge = 'off'`);
  const deliveries = await execute(
    tx,
    `UPDATE webhook_deliveries SET response_body = NULL
      WHERE response_body IS NOT NULL AND (event_id = ANY($1) AND replay_of IS NULL
        OR event_id = ANY($1) AND replay_of IS NOT NULL)`,
    [changed.map(({ id }) => id)],
  );
  return { events: changed.length, webhook_deliveries: deliveries };
}
