import { query } from '../../../entities/database/sql';
import type { ImportRow } from '../../../entities/tables/imports/import-row.entity';
import type { Booking } from './booking';

/**
 * Holds the partners whose texts are written as they are until the end of the transaction: an
 * erasure that is under way is waited for, or waits, and so misses none of the texts.
 */
export async function holdPartners(
  { tx, held }: Pick<Booking, 'tx' | 'held'>,
  rows: readonly ImportRow[],
): Promise<void> {
  const keys = [...new Set(rows.flatMap(({ partnerKey }) => partnerKey ?? []))];
  if (keys.length === 0) return;
  await query(
    tx,
    `SELECT p.id FROM participants AS p
      WHERE p.id = ANY (ARRAY(SELECT m.record_id FROM unnest($4::text[]) AS k (key)
        CROSS JOIN LATERAL (SELECT record_id FROM imported_records
          WHERE program_id = $1 AND source = $2 AND name = $3 AND kind = 'partners'
            AND their_key = k.key LIMIT 1) AS m))
      ORDER BY p.id FOR SHARE`,
    [held.programId, held.source, held.name, keys],
  );
}
