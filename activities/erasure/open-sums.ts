import { query, type Db } from '../../entities/database/sql';
import type { OpenSum } from '../../entities/tables/erasure/erasure-receipt.entity';

/**
 * The sums that an erasure leaves open, by currency; none of nothing. Amounts only: who they are
 * owed to is no part of them.
 */
export function openSumsOf(db: Db, participantId: string): Promise<OpenSum[]> {
  return query<OpenSum>(
    db,
    `SELECT currency, pending::bigint AS "pendingCents", approved::bigint AS "approvedCents"
       FROM (SELECT currency,
                    coalesce(sum(owed_cents) FILTER (WHERE status = 'pending'), 0) AS pending,
                    coalesce(sum(owed_cents - reserved_cents)
                      FILTER (WHERE status <> 'pending'), 0) AS approved
               FROM commissions WHERE participant_id = $1 GROUP BY currency) AS sums
      WHERE pending <> 0 OR approved <> 0 ORDER BY currency`,
    [participantId],
  );
}
