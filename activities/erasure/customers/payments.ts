import {
  factWithoutBuyer,
  signalsWithoutBuyer,
  type KeptSignals,
} from '../../../entities/rules/erasure/sale-signals';
import { eventWithoutBuyer, headOfEvent } from '../../../entities/rules/erasure/stripe-event';
import { execute, query, type Tx } from '../../../entities/database/sql';
import { searchWords } from '../../../runtime/crypto/word-hashes';
import type { Buyer, CustomerStores } from './buyer';
import { openBox } from '../scans/place';
import { BillerEvent } from '../../../entities/tables/billing/biller-event.entity';
import { update } from '../../../entities/database/update';

type Stores = CustomerStores & { db: Tx };

/**
 * Erases the buyer from all their payments, also from those that credited nobody, and from the billers' raw events
 * about them; gives the number of changed rows by table.
 */
export async function eraseBuyersPayments(
  stores: Stores,
  buyer: Buyer,
): Promise<Record<string, number>> {
  const paymentIds = await findPayments(stores.db, buyer);
  await hashReferences(stores.db, buyer, paymentIds);
  await dropMetadata(stores.db, paymentIds);
  await hashNames(stores.db, buyer, paymentIds);
  return {
    stripe_payments: await hashCustomers(stores.db, buyer, paymentIds),
    ...(await cleanRawEvents(stores, buyer, paymentIds)),
  };
}

async function findPayments(
  tx: Tx,
  { workspaceId, mode, conversions, replacements, events }: Buyer,
): Promise<string[]> {
  const rows = await query<{ id: string }>(
    tx,
    `WITH bought AS (
       SELECT id FROM stripe_payments WHERE conversion_id = ANY($3)
       UNION SELECT id FROM stripe_payments
        WHERE workspace_id = $1 AND mode = $2 AND customer_id = ANY($4)
       UNION SELECT unnest($5::uuid[]))
     SELECT p.id FROM stripe_payments AS p WHERE p.id IN (SELECT id FROM bought)
      ORDER BY p.id FOR UPDATE OF p`,
    [
      ...[workspaceId, mode, conversions.map(({ id }) => id), [...replacements.keys()]],
      events.flatMap(({ paymentId }) => paymentId ?? []),
    ],
  );
  return rows.map(({ id }) => id);
}

/** What the merchant attached to a payment may be the buyer; what was decided by it stays. */
async function dropMetadata(tx: Tx, paymentIds: readonly string[]): Promise<void> {
  await execute(
    tx,
    `UPDATE stripe_payments SET sale = sale - 'metadata'
      WHERE id = ANY ($1) AND sale ? 'metadata'`,
    [paymentIds],
  );
  await execute(
    tx,
    `UPDATE stripe_objects SET fact = fact - 'metadata' - 'subscriptionMetadata'
      WHERE payment_id = ANY ($1) AND fact ?| ARRAY['metadata', 'subscriptionMetadata']`,
    [paymentIds],
  );
}

function hashCustomers(
  tx: Tx,
  { replacements }: Buyer,
  paymentIds: readonly string[],
): Promise<number> {
  return execute(
    tx,
    `UPDATE stripe_payments AS p SET customer_id = k.hash
       FROM unnest($2::text[], $3::text[]) AS k (id, hash)
      WHERE p.id = ANY($1) AND p.customer_id = k.id`,
    [paymentIds, [...replacements.keys()], [...replacements.values()]],
  );
}

/** A session's reference may be the shop's own id of the buyer; it stands among what was judged. */
async function hashReferences(
  tx: Tx,
  { replacements }: Buyer,
  paymentIds: readonly string[],
): Promise<void> {
  const rows = await query<{ id: string } & KeptSignals>(
    tx,
    'SELECT id, sale, verdict FROM stripe_payments WHERE id = ANY ($1::uuid[]) AND sale IS NOT NULL',
    [paymentIds],
  );
  for (const row of rows) {
    const { id, sale, verdict } = signalsWithoutBuyer(row, replacements);
    await execute(tx, 'UPDATE stripe_payments SET sale = $2, verdict = $3 WHERE id = $1', [
      id,
      sale,
      verdict,
    ]);
  }
}

interface RawEvent {
  id: string;
  objectId: string | null;
  body: string;
  isOver: boolean;
}

/** The shop's own id of the buyer, and the biller's, as objects of the payment tell them. */
async function hashNames(
  tx: Tx,
  { workspaceId, mode, replacements }: Buyer,
  paymentIds: readonly string[],
): Promise<void> {
  const rows = await query<{ objectId: string; fact: object }>(
    tx,
    `SELECT object_id AS "objectId", fact FROM stripe_objects
      WHERE payment_id = ANY ($1) AND fact IS NOT NULL ORDER BY object_id`,
    [paymentIds],
  );
  for (const { objectId, fact } of rows) {
    await execute(
      tx,
      'UPDATE stripe_objects SET fact = $4 WHERE workspace_id = $1 AND mode = $2 AND object_id = $3',
      [workspaceId, mode, objectId, factWithoutBuyer(fact, replacements)],
    );
  }
}

/** Leaves the head of an event that is over, and the money of one that may be processed yet. */
async function cleanRawEvents(
  { db: tx, vault }: Stores,
  { workspaceId, mode, replacements, events: naming }: Buyer,
  paymentIds: readonly string[],
): Promise<Record<string, number>> {
  const events = await query<RawEvent>(
    tx,
    `SELECT e.id, e.object_id AS "objectId", e.body, e.status = 'processed' AS "isOver"
       FROM stripe_events AS e
      WHERE e.id = ANY($4) OR e.workspace_id = $1 AND e.mode = $2 AND e.object_id IN (
        SELECT object_id FROM stripe_objects
         WHERE payment_id = ANY($3) AND workspace_id = $1 AND mode = $2
        -- An event may be about the customer themselves.
        UNION SELECT unnest($5::text[]))
         -- A refund of Polar's is no object of its own: the order says what came back.
         OR e.biller = 'polar' AND e.payment_id = ANY($3) AND e.workspace_id = $1 AND e.mode = $2
      ORDER BY e.id FOR UPDATE OF e`,
    [workspaceId, mode, paymentIds, naming.map(({ id }) => id), [...replacements.keys()]],
  );
  let rows = 0;
  let unreadable = 0;
  for (const { id, objectId, body, isOver } of events) {
    const text = openBox(vault, body, ['stripe_events.body', id]);
    if (text === undefined) {
      unreadable += 1;
      continue;
    }
    const event = JSON.parse(text) as Record<string, unknown>;
    const clean = isOver ? headOfEvent(event) : eventWithoutBuyer(event, replacements);
    const sealed = vault.encrypt(JSON.stringify(clean), ['stripe_events.body', id]);
    rows += await update(tx, BillerEvent, {
      set: {
        body: sealed,
        words: searchWords(vault, workspaceId, clean),
        objectId: replacements.get(objectId ?? '') ?? objectId,
      },
      where: { id },
    });
  }
  return { stripe_events: rows, 'stripe_events (unreadable)': unreadable };
}
