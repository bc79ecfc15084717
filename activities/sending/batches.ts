import { findById } from '../../entities/database/find';
import { query, type Db, type Tx } from '../../entities/database/sql';
import type { BatchOutcome } from '../../entities/rules/payouts/batch-status';
import type { Scope } from '../../entities/rules/values/mode';
import { PayoutBatch } from '../../entities/tables/payouts/payout-batch.entity';
import { selectList } from '../../entities/database/columns';
import { lockCommissionsOf, lockPayout, changePayout } from '../payouts/mark-items';

/** An item of a batch as it is now. */
export interface BatchItem {
  id: string;
  reference: string;
  currency: string;
  amountCents: number;
  participantId: string;
  place: number;
  addressHash: string | null;
  outcome: BatchOutcome;
  /** What became of the batch that the item follows. */
  lastOutcome: BatchOutcome;
  /** Money is out by another batch than this one, too. */
  isPaidElsewhere: boolean;
  /** The word before, in this batch. */
  before: string | null;
  status: 'ready' | 'sending' | 'paid' | 'failed' | 'returned' | 'cancelled';
  isLastBatch: boolean;
  transactionId: string | null;
  /** The transaction by which this batch paid it, as far as it was told. */
  ownTransactionId: string | null;
  attentionReason: string | null;
  checked: string[];
  claimUntil: Date | null;
  isErased: boolean;
}

/** A batch by its id, whoever it belongs to; undefined for one that is gone. */
export function findBatch(db: Db, batchId: string): Promise<PayoutBatch | undefined> {
  return findById(db, PayoutBatch, batchId);
}

export function scopeOf({ workspaceId, mode }: Scope): Scope {
  return { workspaceId, mode };
}

/** The items of a batch, in the order of its request. */
export function itemsOfBatch(db: Db, batchId: string): Promise<BatchItem[]> {
  return query<BatchItem>(
    db,
    `SELECT i.id, i.reference, i.currency, i.amount_cents AS "amountCents",
            i.participant_id AS "participantId", b.place, b.address_hash AS "addressHash", b.outcome,
            b.word AS before, i.status, i.batch_id = b.batch_id AS "isLastBatch",
            i.transaction_id AS "transactionId", b.transaction_id AS "ownTransactionId",
            i.attention_reason AS "attentionReason", i.checked,
            i.claim_until AS "claimUntil", p.erased_at IS NOT NULL AS "isErased",
            coalesce(l.outcome, b.outcome) AS "lastOutcome",
            EXISTS (SELECT 1 FROM payout_batch_items AS o
                     WHERE o.item_id = i.id AND o.batch_id <> b.batch_id
                       AND o.outcome = 'paid') AS "isPaidElsewhere"
       FROM payout_batch_items AS b JOIN payout_items AS i ON i.id = b.item_id
       LEFT JOIN payout_batch_items AS l ON l.item_id = i.id AND l.batch_id = i.batch_id
       JOIN participants AS p ON p.id = i.participant_id
      WHERE b.batch_id = $1 ORDER BY b.place`,
    [batchId],
  );
}

/**
 * A transaction on a batch and all that its items touch, locked in the order of everywhere: commissions, the
 * payout, the batch. Undefined when the batch is gone.
 */
export function onBatch<T>(
  db: Db,
  batchId: string,
  work: (tx: Tx, batch: PayoutBatch, items: BatchItem[]) => Promise<T>,
): Promise<T | undefined> {
  return changePayout(db, async (tx) => {
    const known = await findBatch(tx, batchId);
    if (!known) return undefined;
    const { payoutId } = known;
    const itemIds = (await itemsOfBatch(tx, batchId)).map(({ id }) => id);
    await lockCommissionsOf(tx, scopeOf(known), { payoutId, itemIds });
    await lockPayout(tx, scopeOf(known), payoutId);
    const batch = await lockBatch(tx, batchId);
    return batch && work(tx, batch, await itemsOfBatch(tx, batchId));
  });
}

/** Whether the database was returned to a moment after this one: what was done since then may be forgotten. */
export async function wasRestoredSince(db: Db, at: Date): Promise<boolean> {
  const rows = await query(db, 'SELECT 1 FROM restores WHERE noted_at > $1 LIMIT 1', [at]);
  return rows.length > 0;
}

/** The batch alone, for what moves none of its items. */
export async function lockBatch(tx: Tx, batchId: string): Promise<PayoutBatch | undefined> {
  const [batch] = await query<PayoutBatch>(
    tx,
    `SELECT ${selectList(PayoutBatch, 'b')} FROM payout_batches AS b WHERE b.id = $1 FOR UPDATE`,
    [batchId],
  );
  return batch;
}
