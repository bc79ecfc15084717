import { execute, type Tx } from '../../entities/database/sql';
import { endedByBooking } from '../../entities/rules/payouts/judge-word';
import type { PayoutItemStatus } from '../../entities/rules/payouts/status';
import type { PayoutBatch } from '../../entities/tables/payouts/payout-batch.entity';
import type { CommandContext } from '../journal/cause';
import { eventsOf } from '../payouts/end-payout';
import { markItems } from '../payouts/mark-items';
import { recordPayout } from '../payouts/records';

export interface ItemMove {
  itemId: string;
  to: PayoutItemStatus;
  transactionId?: string | null;
  reason?: string | null;
}

/** Books what one answer moved: statuses, ledger and events, all of it or nothing. */
export async function moveItems(
  tx: Tx,
  context: CommandContext,
  {
    batch,
    moves,
    follows = true,
  }: {
    batch: Pick<PayoutBatch, 'payoutId' | 'id' | 'provider'>;
    moves: readonly ItemMove[];
    /** Whether the items' rows in their last batch become the same. */
    follows?: boolean;
  },
): Promise<void> {
  if (moves.length === 0) return;
  const { payoutId } = batch;
  const marks = moves.map(({ to: status, ...move }) => ({ ...move, status }));
  const marked = await markItems(tx, context, {
    ...{ payoutId, marks, follows },
    trigger: 'provider',
  });
  await execute(
    tx,
    `UPDATE payout_items AS i
        SET provider = CASE WHEN i.status = 'ready' THEN NULL ELSE $2 END,
            claim_until = CASE WHEN i.status = 'sending' THEN i.claim_until END,
            attention_reason = CASE WHEN i.attention_reason = ANY($3) THEN NULL
                                    ELSE i.attention_reason END,
            attention_at = CASE WHEN i.attention_reason = ANY($3) THEN NULL ELSE i.attention_at END
      WHERE i.id = ANY($1)`,
    [marked.moved.map(({ itemId }) => itemId), batch.provider, [...endedByBooking]],
  );
  const itemIds = marked.moved.map(({ itemId }) => itemId);
  await recordPayout(tx, context, {
    payoutId,
    action: 'payout.items_updated',
    // The event of `paid_late` is left out: the first one says already that the item was paid after
    // the payout was completed.
    events: [
      { type: 'payout.item_updated', itemIds },
      ...eventsOf(marked).filter(({ cause }) => cause !== 'paid_late'),
    ],
  });
}
