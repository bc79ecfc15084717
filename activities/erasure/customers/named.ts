import { query, type Tx } from '../../../entities/database/sql';
import { wordsOf } from '../../../entities/rules/erasure/event-words';
import { wordHashes } from '../../../runtime/crypto/word-hashes';
import { openBox } from '../scans/place';
import type { CustomerStores, NamingEvent } from './buyer';

/**
 * Raw events of both modes that name this address, whosever payments they tell of: most of a shop's were brought
 * by nobody. The words that are kept beside an event say which may; only those are read.
 */
export async function eventsNaming(
  { db: tx, vault }: CustomerStores & { db: Tx },
  workspaceId: string,
  email: string,
): Promise<NamingEvent[]> {
  const rows = await query<NamingEvent & { body: string }>(
    tx,
    `SELECT e.id, e.mode, e.body, e.payment_id AS "paymentId", p.customer_id AS "customerId"
       FROM stripe_events AS e LEFT JOIN stripe_payments AS p ON p.id = e.payment_id
      WHERE e.workspace_id = $1 AND e.mode IN ('live', 'test')
        AND (e.words IS NULL OR e.words @> $2::int[])
      ORDER BY e.id`,
    [workspaceId, wordHashes(vault, workspaceId, wordsOf(email))],
  );
  const quoted = JSON.stringify(email);
  return rows.flatMap(({ body, ...event }) => {
    const text = openBox(vault, body, ['stripe_events.body', event.id]) ?? '';
    return text.toLowerCase().includes(quoted) ? [event] : [];
  });
}

/** Ids that bound customers are known by whose sales carried this address; others may be many buyers'. */
export async function customersCarrying(
  tx: Tx,
  workspaceId: string,
  prospectHash: string,
): Promise<string[]> {
  const rows = await query<{ id: string }>(
    tx,
    `SELECT DISTINCT a.alias AS id
       FROM (SELECT mode, customer_id FROM conversions
              WHERE program_id IN (SELECT id FROM programs WHERE workspace_id = $1)
                AND attributed AND prospect_hash = $2
             UNION SELECT mode, customer_id FROM conversions
              WHERE workspace_id = $1 AND NOT attributed AND prospect_hash = $2) AS v
       JOIN customer_aliases AS a
         ON a.workspace_id = $1 AND a.mode = v.mode AND a.alias = v.customer_id
      ORDER BY 1`,
    [workspaceId, prospectHash],
  );
  return rows.map(({ id }) => id);
}
