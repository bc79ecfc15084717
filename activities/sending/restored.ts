import { query, transaction, type Db } from '../../entities/database/sql';
import type { Mode } from '../../entities/rules/values/mode';
import { systemCause } from '../journal/cause';
import { notify } from '../notifications/notify';
import { attentionNotices, raise } from './attention';

/** A batch that audit lines tell of, which were shipped out of the database. */
export interface ShippedBatch {
  batchId: string;
  payoutId: string;
  currency: string;
}

/**
 * Batches that were stored after the moment that the database was returned to: it does not know that they may
 * have been paid. What is ready of their payout and currency is sent no more until a person has looked. Gives
 * how many items that are. Repeated, it raises nothing that a person has looked at since.
 */
export async function raiseLostBatches(
  db: Db,
  { now, notedAt }: { now: Date; notedAt: Date },
  shipped: readonly ShippedBatch[],
): Promise<number> {
  let raised = 0;
  for (const batch of shipped) {
    raised += await transaction(db, async (tx) => {
      const rows = await query<{ id: string; workspaceId: string; mode: Mode }>(
        tx,
        `SELECT i.id, i.workspace_id AS "workspaceId", i.mode FROM payout_items AS i
          WHERE i.payout_id = $1 AND i.currency = $2 AND i.status = 'ready'
            AND NOT EXISTS (SELECT 1 FROM payout_batches WHERE id = $3)
            AND NOT EXISTS (SELECT 1 FROM unnest(i.checked) AS c (seen)
                             WHERE c.seen LIKE 'restored %' AND c.seen >= 'restored ' || $4)
          ORDER BY i.id FOR UPDATE`,
        [batch.payoutId, batch.currency, batch.batchId, notedAt.toISOString()],
      );
      const [first] = rows;
      if (!first) return 0;
      const reason = 'restored';
      const itemIds = await raise(tx, { now }, { itemIds: rows.map(({ id }) => id), reason });
      const about = { batch: { ...first, payoutId: batch.payoutId }, itemIds, reason } as const;
      await notify(tx, systemCause(now), await attentionNotices(tx, about));
      return itemIds.length;
    });
  }
  return raised;
}
