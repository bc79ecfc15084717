import { queryOne, type Db } from '../../entities/database/sql';
import type { Import } from '../../entities/tables/imports/import.entity';

/** What of an import is in use, so that it cannot be taken back any more. */
export interface ImportUses {
  clicked: number;
  earned: number;
  refunded: number;
  decided: number;
  claimed: number;
  paid: number;
}

const made = (kind: string): string =>
  `(SELECT record_id AS id, beside_id, created_at FROM imported_records
     WHERE import_id = $1 AND kind = '${kind}' AND made)`;

/** A refund, since it was booked, of a sale that was here before and that the commission took over. */
export const refundOfTaken = (booked: string): string =>
  `SELECT 1 FROM commissions AS own JOIN conversion_refunds AS f ON f.conversion_id = own.conversion_id
    WHERE own.id = ${booked}.id AND f.created_at > ${booked}.created_at`;

export const byPerson = `('member', 'operator', 'api_key')`;

/** Counts of what happened to what it booked since then. */
export async function usesOf(db: Db, { id }: Pick<Import, 'id'>): Promise<ImportUses> {
  const counts = await queryOne<ImportUses>(
    db,
    `SELECT
       (SELECT count(*) FROM ${made('partners')} AS p JOIN clicks AS k ON k.participant_id = p.id)
       + (SELECT count(*) FROM ${made('links')} AS l JOIN tracking_links AS t ON t.id = l.id
            JOIN clicks AS k ON k.participant_id = t.participant_id AND k.link_id = t.id
           WHERE NOT EXISTS (SELECT 1 FROM ${made('partners')} AS p WHERE p.id = t.participant_id)
         ) AS clicked,
       (SELECT count(*) FROM ${made('partners')} AS p JOIN commissions AS c ON c.participant_id = p.id
         WHERE NOT EXISTS (SELECT 1 FROM imported_records AS r
           WHERE r.record_id = c.id AND r.import_id = $1))
       + (SELECT count(*) FROM imported_records AS r
            JOIN customer_aliases AS a ON a.customer = r.record_id
            JOIN conversions AS v ON v.program_id = r.program_id AND v.attributed
             AND v.customer_id <> '' AND v.customer_id = a.alias AND v.matched_by = 'customer'
           WHERE r.import_id = $1 AND r.kind = 'customers'
             AND NOT EXISTS (SELECT 1 FROM ${made('partners')} AS p WHERE p.id = v.participant_id))
       + (SELECT count(*) FROM ${made('partners')} AS p JOIN customers AS u ON u.participant_id = p.id
           WHERE NOT EXISTS (SELECT 1 FROM imported_records AS r
             WHERE r.record_id = u.id AND r.import_id = $1)
         ) AS earned,
       (SELECT count(*) FROM ${made('commissions')} AS m
         WHERE EXISTS (SELECT 1 FROM conversion_refunds AS f WHERE f.conversion_id = m.beside_id)
            OR EXISTS (SELECT 1 FROM conversion_settlements AS s WHERE s.conversion_id = m.beside_id
              AND (s.refunded_cents > 0 OR s.lost_dispute_cents > 0 OR s.open_disputes > 0))
            OR m.beside_id IS NULL AND EXISTS (${refundOfTaken('m')})
       ) AS refunded,
       (SELECT count(*) FROM ${made('commissions')} AS m JOIN commissions AS c ON c.id = m.id
         WHERE c.decided_by_type IN ${byPerson}) AS decided,
       (SELECT count(*) FROM ${made('partners')} AS p JOIN participants AS a ON a.id = p.id
         WHERE a.claimed_at IS NOT NULL) AS claimed,
       (SELECT count(*) FROM ${made('commissions')} AS m JOIN commissions AS c ON c.id = m.id
         WHERE c.payout_id IS NOT NULL)
       + (SELECT count(*) FROM ${made('partners')} AS p JOIN payout_items AS i ON i.participant_id = p.id
           WHERE i.status IN ('cancelled', 'failed', 'returned')) AS paid`,
    [id],
  );
  if (!counts) throw new Error('a statement of sums gives a row');
  return counts;
}
