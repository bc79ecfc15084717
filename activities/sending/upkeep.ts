import { execute, type Tx } from '../../entities/database/sql';
import type { PayoutBatch } from '../../entities/tables/payouts/payout-batch.entity';
import type { CommandContext } from '../journal/cause';
import { notify } from '../notifications/notify';
import { attentionNotices, raise, raiseForBatch } from './attention';
import { endRefused } from './answers';
import { endWhereDone } from '../payouts/attention';
import { reasonOf } from './reason';
import type { BatchItem } from './batches';
import { moveItems } from './move-items';

interface Kept {
  batch: PayoutBatch;
  items: readonly BatchItem[];
}

const onTheirWay = (items: readonly BatchItem[]): BatchItem[] =>
  items.filter(({ status, isLastBatch }) => status === 'sending' && isLastBatch);

/** No byte of it left in all the time: its items are ready again. */
export async function releaseUntried(
  tx: Tx,
  context: CommandContext,
  { batch, items }: Kept,
): Promise<void> {
  await endRefused(tx, batch.id, context.now);
  const reason = batch.lastAnswer && reasonOf(batch.lastAnswer);
  const moves = onTheirWay(items).map(({ id }) => ({ itemId: id, to: 'ready' as const, reason }));
  await moveItems(tx, context, { batch, moves });
}

/** It may have been taken, and no try may come any more: a person has to look. */
export async function giveUpUnanswered(
  tx: Tx,
  context: CommandContext,
  { batch, items }: Kept,
): Promise<void> {
  await raiseForBatch(tx, context, { batch, items, reason: 'unanswered' });
  await endWhereDone(tx, batch.id, context.now);
}

/** Nobody has answered for an hour: admins are told, once, and the tries go on. */
export async function tellUnknown(
  tx: Tx,
  context: CommandContext,
  { batch, items }: Kept,
): Promise<void> {
  await execute(tx, 'UPDATE payout_batches SET unknown_told_at = $2 WHERE id = $1', [
    batch.id,
    context.now,
  ]);
  const itemIds = onTheirWay(items).map(({ id }) => id);
  await notify(tx, context, await attentionNotices(tx, { batch, itemIds, reason: 'unknown' }));
}

/** Items that are on their way for 45 days. */
export async function tellTooLong(
  tx: Tx,
  context: CommandContext,
  { batch, items }: Kept,
): Promise<void> {
  const late = onTheirWay(items).filter(
    ({ attentionReason, checked }) => attentionReason === null && !checked.includes('too_long '),
  );
  const reason = 'too_long';
  const itemIds = await raise(tx, context, { itemIds: late.map(({ id }) => id), reason });
  await notify(tx, context, await attentionNotices(tx, { batch, itemIds, reason }));
}
