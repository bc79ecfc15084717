import { execute, query, type Db } from '../../entities/database/sql';
import type { Mode } from '../../entities/rules/values/mode';
import { systemCause } from '../journal/cause';
import { notify } from '../notifications/notify';
import { changePayout } from '../payouts/mark-items';
import { attentionNotices, raise, raiseForBatch } from './attention';
import { onBatch, scopeOf } from './batches';
import { cutOffTries } from './lease';

/** A batch that audit lines tell of, which were shipped out of the database. */
export interface ShippedBatch {
  batchId: string;
  payoutId: string;
  currency: string;
  senderBatchId?: string | null;
  /** As far as the provider had told it. */
  providerBatchId?: string | null;
  items?: number | null;
  amountCents?: number | null;
}

/** Of shipped batches those whose whole payout the database has forgotten: each once, by what was told of it last. */
export async function findForgotten(
  db: Db,
  shipped: readonly ShippedBatch[],
): Promise<ShippedBatch[]> {
  const batches = new Map(shipped.map((batch) => [batch.batchId, batch]));
  const payoutIds = [...batches.values()].map(({ payoutId }) => payoutId);
  const rows = await query<{ id: string }>(
    db,
    `SELECT DISTINCT s.id FROM unnest($1::uuid[]) AS s (id)
      WHERE NOT EXISTS (SELECT 1 FROM payouts AS o WHERE o.id = s.id)`,
    [payoutIds],
  );
  const gone = new Set(rows.map(({ id }) => id));
  return [...batches.values()].filter(({ payoutId }) => gone.has(payoutId));
}

/**
 * Batches that were stored after the moment that the database was returned to: it does not know that they may
 * have been paid. What is ready of their payout and currency is sent no more until a person has looked. Gives
 * how many items that are. Repeated, it raises nothing that a person has checked since.
 */
export async function raiseLostBatches(
  db: Db,
  { now, notedAt }: { now: Date; notedAt: Date },
  shipped: readonly ShippedBatch[],
): Promise<number> {
  let raised = 0;
  for (const batch of shipped) {
    raised += await changePayout(db, async (tx) => {
      // A send of the same payout is either seen, or sees what is raised here.
      await execute(tx, 'SELECT 1 FROM payouts WHERE id = $1 FOR UPDATE', [batch.payoutId]);
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

/**
 * What the database still wants to say may have been refused since, and said by a batch that it forgot: it is said no
 * more, for the provider would take it as new. Gives how many items a person has to check.
 */
export async function stopTries(
  db: Db,
  { now, notedAt }: { now: Date; notedAt: Date },
): Promise<number> {
  const trying = await query<{ id: string }>(
    db,
    `SELECT id FROM payout_batches WHERE status = 'trying' AND created_at < $1 ORDER BY id`,
    [notedAt],
  );
  let stopped = 0;
  for (const { id } of trying) {
    const items = await onBatch(db, id, async (tx, batch, all) => {
      if (batch.status !== 'trying') return 0;
      const context = { ...systemCause(now), scope: scopeOf(batch) };
      await cutOffTries(
        tx,
        all.map((item) => item.id),
      );
      await raiseForBatch(tx, context, { batch, items: all, reason: 'unanswered' });
      return batch.itemCount;
    });
    stopped += items ?? 0;
  }
  return stopped;
}
