import { query, type Db } from '../../entities/database/sql';
import type { BalanceDto } from './payouts.dto';

/** An item was under way at $2: its payout was made, and nobody had said yet what became of it. */
const isUnderWay = `o.created_at < $2
  AND coalesce(i.settled_at, least(i.paid_at, i.ended_at), 'infinity') >= $2`;

/**
 * The balances of then, just before an instant: from the ledger, the history and the payouts by that
 * time, as `balancesOf` has them of now from what the rows say.
 */
export function balancesAt(
  db: Db,
  participantIds: readonly string[],
  at: Date,
): Promise<BalanceDto[]> {
  return query<BalanceDto>(
    db,
    `WITH own AS (
       SELECT c.participant_id, c.currency, c.amount_cents < 0
                OR coalesce(c.adjustment_kind = 'write_off', false) AS is_netted,
              h.to_status AS status, l.owed, l.held, l.paid, l.imported, l.elsewhere, coalesce(k.reserved, 0) AS reserved,
              k.reserved IS NOT NULL AS is_in_payout
         FROM commissions AS c
        CROSS JOIN LATERAL (
          SELECT h.to_status FROM commission_history AS h
           WHERE h.commission_id = c.id AND h.at < $2 ORDER BY h.at DESC, h.id DESC LIMIT 1) AS h
        CROSS JOIN LATERAL (
          SELECT coalesce(sum(e.amount_cents), 0) AS owed,
                 coalesce(sum(e.amount_cents) FILTER (WHERE e.type IN ('dispute_hold', 'dispute_release')), 0) AS held,
                 coalesce(-sum(e.amount_cents) FILTER (WHERE e.type IN ('payout', 'payout_reversal')), 0) AS paid,
                 coalesce(sum(e.amount_cents) FILTER (WHERE e.type = 'import'), 0) AS imported,
                 coalesce(-sum(e.amount_cents) FILTER (WHERE e.type = 'paid_elsewhere'), 0) AS elsewhere
            FROM ledger_entries AS e WHERE e.commission_id = c.id AND e.created_at < $2) AS l
        CROSS JOIN LATERAL (
          SELECT sum(n.amount_cents) AS reserved
            FROM payout_lines AS n JOIN payout_items AS i ON i.id = n.item_id
            JOIN payouts AS o ON o.id = n.payout_id
           WHERE n.commission_id = c.id AND ${isUnderWay}) AS k
        WHERE c.participant_id = ANY($1) AND c.created_at < $2),
     sums AS (
       SELECT participant_id, currency,
              coalesce(sum(owed - reserved) FILTER (WHERE status = 'pending' AND held = 0), 0) AS pending,
              coalesce(sum(owed - reserved) FILTER (WHERE status = 'approved' AND NOT is_in_payout
                AND NOT is_netted AND held = 0), 0) AS approved,
              coalesce(sum(owed - reserved) FILTER (WHERE status IN ('paid', 'refunded', 'rejected')
                OR is_in_payout OR is_netted), 0) AS carried,
              sum(paid) AS paid, sum(reserved) AS in_payout,
              sum(imported) AS imported, sum(elsewhere) AS elsewhere
         FROM own GROUP BY participant_id, currency)
     SELECT currency, sum(pending)::bigint AS "pendingCents",
            sum(approved + greatest(carried, 0))::bigint AS "approvedCents",
            sum(in_payout)::bigint AS "inPayoutCents", sum(paid)::bigint AS "paidCents",
            sum(imported)::bigint AS "importedCents",
            sum(elsewhere)::bigint AS "paidElsewhereCents",
            sum(greatest(-carried, 0))::bigint AS "debtCents"
       FROM sums GROUP BY currency ORDER BY currency`,
    [participantIds, at],
  );
}
