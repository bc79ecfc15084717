import { execute, queryOne, type Tx } from '../../entities/database/sql';
import type { ItemAttention } from '../../entities/rules/payouts/batch-status';
import { checkedKey } from '../../entities/rules/payouts/judge-word';
import type { PayoutItemStatus } from '../../entities/rules/payouts/status';

/** What a person has checked. */
export interface SeenAttention {
  status: PayoutItemStatus;
  reason: ItemAttention;
  batchId: string | null;
}

/**
 * Notes that a person has checked an item, whose payout is locked: the same word raises it no more. Undefined when it
 * wants no look.
 */
export async function endAttention(
  tx: Tx,
  { payoutId, itemId, now }: { payoutId: string; itemId: string; now: Date },
): Promise<SeenAttention | undefined> {
  const seen = await queryOne<SeenAttention & { word: string | null }>(
    tx,
    `SELECT status, attention_reason AS reason, batch_id AS "batchId", provider_status AS word
       FROM payout_items WHERE id = $1 AND payout_id = $2 AND attention_reason IS NOT NULL`,
    [itemId, payoutId],
  );
  if (!seen) return undefined;
  const { status, reason, batchId, word } = seen;
  await execute(
    tx,
    `UPDATE payout_items SET attention_reason = NULL, attention_at = NULL,
       checked = checked || $2::text[] WHERE id = $1`,
    [itemId, seenBy(reason, { word, now })],
  );
  return { status, reason, batchId };
}

/** A person who has checked what is on its way for too long has seen the word that it has. */
function seenBy(reason: ItemAttention, told: { word: string | null; now: Date }): string[] {
  const seen = checkedKey(reason, toldBy(reason, told));
  return reason === 'too_long' ? [seen, checkedKey('word', told.word)] : [seen];
}

/** Another word is another reason, and another restore is another one. */
function toldBy(reason: ItemAttention, { word, now }: { word: string | null; now: Date }) {
  if (reason === 'restored') return now.toISOString();
  const isOfWord = reason === 'word' || reason === 'blocked' || reason === 'refunded';
  return isOfWord ? word : null;
}

/** A batch of which no item is on its way has ended; it is asked about for a while all the same. */
export async function endWhereDone(tx: Tx, batchId: string, now: Date): Promise<void> {
  await execute(
    tx,
    `UPDATE payout_batches AS b
        SET status = 'ended', attention_reason = NULL, request = NULL, ended_at = $2,
            next_at = CASE WHEN b.provider_batch_id IS NULL AND b.candidate_id IS NULL THEN NULL
                           ELSE b.next_at END
      WHERE b.id = $1 AND b.status IN ('taken', 'attention') AND NOT EXISTS (
        SELECT 1 FROM payout_batch_items AS i
         WHERE i.batch_id = b.id AND i.outcome = 'sending')`,
    [batchId, now],
  );
}
