import { readList, type Found, type Window } from '../../entities/database/list';
import { query, type Db } from '../../entities/database/sql';
import type { PayoutBatchDto } from './batches.dto';

interface BatchRow extends Omit<PayoutBatchDto, 'firstTryAt' | 'takenAt'> {
  firstTryAt: Date | null;
  takenAt: Date | null;
}

/** The batches of a payout, newest first, each with what became of its items. */
export function listBatches(db: Db, payoutId: string, page: Window): Promise<Found<BatchRow>> {
  const list = {
    columns: `b.id, b.provider, b.status, b.sender_batch_id AS "senderBatchId",
      b.provider_batch_id AS "providerBatchId", b.provider_status AS "providerStatus", b.currency,
      b.item_count AS items, b.amount_cents AS "amountCents", b.tries,
      b.first_try_at AS "firstTryAt", b.taken_at AS "takenAt", b.last_answer AS "lastAnswer",
      sums.outcomes`,
    from: 'payout_batches AS b',
    joins: `LEFT JOIN LATERAL (
        SELECT coalesce(json_agg(json_build_object('outcome', o.outcome, 'items', o.items,
                 'amountCents', o.cents) ORDER BY o.outcome), '[]') AS outcomes
          FROM (SELECT i.outcome, count(*) AS items, sum(i.amount_cents) AS cents
                  FROM payout_batch_items AS i WHERE i.batch_id = b.id GROUP BY i.outcome) AS o)
        AS sums ON true`,
    where: 'b.payout_id = $1',
    params: [payoutId],
    order: { by: ['b.created_at', 'b.id'], direction: 'DESC' },
  } as const;
  return readList<BatchRow>(db, list, page);
}

export interface UnclaimedItem {
  id: string;
  batchId: string | null;
  reference: string;
  providerItemId: string | null;
  providerStatus: string | null;
  status: string;
}

/** An item of a payout, as far as taking it back needs it. */
export async function findItem(
  db: Db,
  { payoutId, itemId }: { payoutId: string; itemId: string },
): Promise<UnclaimedItem | undefined> {
  const [item] = await query<UnclaimedItem>(
    db,
    `SELECT id, batch_id AS "batchId", reference, provider_item_id AS "providerItemId",
            provider_status AS "providerStatus", status
       FROM payout_items WHERE id = $1 AND payout_id = $2`,
    [itemId, payoutId],
  );
  return item;
}
