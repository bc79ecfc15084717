import { execute, query, type Tx } from '../../entities/database/sql';
import type { ImportKind } from '../../entities/rules/imports/kinds';
import type { Import } from '../../entities/tables/imports/import.entity';
import type { Taken } from './take-back';
import { byPerson, refundOfTaken } from './uses';

/** A participant `p` whom something hangs on that the import did not bring, or that stays. */
const isInUse = `(p.claimed_at IS NOT NULL
  OR EXISTS (SELECT 1 FROM clicks AS k WHERE k.participant_id = p.id)
  OR EXISTS (SELECT 1 FROM commissions AS c WHERE c.participant_id = p.id)
  OR EXISTS (SELECT 1 FROM customers AS u WHERE u.participant_id = p.id)
  OR EXISTS (SELECT 1 FROM conversions AS v
       WHERE v.program_id = p.program_id AND v.participant_id = p.id AND v.attributed)
  OR EXISTS (SELECT 1 FROM payout_items AS i WHERE i.participant_id = p.id))`;

type Locked = 'commissions' | 'customers' | 'participants';

interface Kind {
  /** The rows that are held until the end of the transaction, so that nothing takes them into use meanwhile. */
  locked?: Locked;
  /** Ids in use among the rows `t (id, beside_id)` of the import $3. */
  used: string;
}

const kinds: Readonly<Record<ImportKind, Kind>> = {
  commissions: {
    locked: 'commissions',
    used: `SELECT t.id FROM t JOIN commissions AS c ON c.id = t.id
      WHERE c.payout_id IS NOT NULL OR c.decided_by_type IN ${byPerson}
         OR EXISTS (SELECT 1 FROM conversion_refunds AS f WHERE f.conversion_id = t.beside_id)
         OR EXISTS (SELECT 1 FROM conversion_settlements AS s WHERE s.conversion_id = t.beside_id
              AND (s.refunded_cents > 0 OR s.lost_dispute_cents > 0 OR s.open_disputes > 0))
         OR t.beside_id IS NULL AND EXISTS (SELECT 1 FROM imported_records AS m
              JOIN LATERAL (SELECT m.record_id AS id, m.created_at) AS b ON true
             WHERE m.record_id = t.id AND m.import_id = $3 AND EXISTS (${refundOfTaken('b')}))`,
  },
  customers: {
    locked: 'customers',
    used: `SELECT t.id FROM t JOIN imports AS i ON i.id = $3
      WHERE EXISTS (SELECT 1 FROM customer_aliases AS a JOIN conversions AS v
         ON v.program_id = i.program_id AND v.attributed AND v.customer_id <> ''
        AND v.customer_id = a.alias AND v.matched_by = 'customer' WHERE a.customer = t.id)`,
  },
  links: {
    used: `SELECT t.id FROM t
      JOIN (SELECT id, participant_id FROM tracking_links UNION ALL
            SELECT id, participant_id FROM promo_codes) AS l ON l.id = t.id
      JOIN participants AS p ON p.id = l.participant_id
     WHERE EXISTS (SELECT 1 FROM clicks AS k WHERE k.participant_id = p.id AND k.link_id = t.id)
        OR ${isInUse} AND EXISTS (SELECT 1 FROM imported_records AS r
             WHERE r.record_id = p.id AND r.import_id = $3 AND r.kind = 'partners' AND r.made)`,
  },
  partners: {
    locked: 'participants',
    used: `SELECT t.id FROM t JOIN participants AS p ON p.id = t.id WHERE ${isInUse}`,
  },
};

/**
 * What an import booked and may go: what came into use after the undo was asked for stays, a
 * commission that is in a payout above all.
 */
export async function unusedOf<Row extends Taken>(
  tx: Tx,
  { id }: Pick<Import, 'id'>,
  { kind, rows }: { kind: ImportKind; rows: readonly Row[] },
): Promise<Row[]> {
  const ids = rows.map((row) => row.id);
  const { locked, used: sql } = kinds[kind];
  if (locked) await lockRows(tx, locked, ids);
  const used = await query<{ id: string }>(
    tx,
    `WITH t AS MATERIALIZED (SELECT * FROM unnest($1::uuid[], $2::uuid[]) AS t (id, beside_id)),
       asked AS (SELECT $3::uuid)
     ${sql}`,
    [ids, rows.map(({ besideId }) => besideId), id],
  );
  const stay = new Set(used.map((row) => row.id));
  return rows.filter((row) => !row.made || !stay.has(row.id));
}

function lockRows(tx: Tx, table: Locked, ids: readonly string[]): Promise<number> {
  return execute(tx, `SELECT id FROM ${table} WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE`, [
    ids,
  ]);
}
