import type { Db, Tx } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import type { PayoutItemStatus, ReportedStatus } from '../../entities/rules/payouts/status';
import type { CommandContext } from '../journal/cause';
import {
  changePayout,
  lockCommissionsOf,
  lockPayout,
  markItems,
  readyItemsOf,
  type MarkedItems,
  type MarkItems,
} from './mark-items';
import { recordPayout, type PayoutEvent, type PayoutRecord, type PayoutStory } from './records';
import { assertReleased } from './released';

export interface EndPayout {
  payoutId: string;
}

/** Paid: the ledger says so and the commissions are paid, whatever was refunded meanwhile. */
export function completePayout(
  db: Db,
  context: CommandContext,
  { payoutId }: EndPayout,
): Promise<PayoutRecord> {
  return changePayout(db, async (tx) => {
    await assertReleased(tx);
    const { itemIds } = await lockReady(tx, context, payoutId);
    const marks = itemIds.map((itemId) => ({ itemId, status: 'paid' as const }));
    return markAndRecord(tx, context, {
      payoutId,
      trigger: 'complete',
      marks,
      action: 'payout.completed',
    });
  });
}

export interface CancelPayout extends EndPayout {
  /** Items that a file held were not paid: somebody has looked. */
  confirmExported?: boolean | undefined;
}

/** Not paid: commissions and debts are free again, and refunds of meanwhile take effect. */
export function cancelPayout(
  db: Db,
  context: CommandContext,
  { payoutId, confirmExported = false }: CancelPayout,
): Promise<PayoutRecord> {
  return changePayout(db, async (tx) => {
    const { itemIds, exported } = await lockReady(tx, context, payoutId);
    if (exported > 0 && !confirmExported) throw new AppError('PAYOUT_ITEMS_EXPORTED');
    const marks = itemIds.map((itemId) => ({ itemId, status: 'cancelled' as const }));
    return markAndRecord(tx, context, {
      payoutId,
      trigger: 'cancel',
      marks,
      action: 'payout.cancelled',
    });
  });
}

export interface MarkItem extends EndPayout {
  itemId: string;
  status: ReportedStatus;
  transactionId?: string | null | undefined;
  reason?: string | null | undefined;
}

/** What became of one item. PAYOUT_NOT_FOUND, PAYOUT_ITEM_NOT_FOUND, PAYOUT_ITEM_INVALID_TRANSITION. */
export function markItem(
  db: Db,
  context: CommandContext,
  { payoutId, ...mark }: MarkItem,
): Promise<PayoutRecord> {
  return changePayout(db, (tx) =>
    markAndRecord(tx, context, {
      payoutId,
      trigger: 'report',
      marks: [mark],
      action: 'payout.item_marked',
    }),
  );
}

/** Marks items, and says so in the audit log and by events; a mark that repeats leaves no trace. */
async function markAndRecord(
  tx: Tx,
  context: CommandContext,
  { action, ...command }: MarkItems & Pick<PayoutStory, 'action'>,
): Promise<PayoutRecord> {
  const marked = await markItems(tx, context, command);
  const { payoutId } = command;
  const said = marked.moved.length > 0 || marked.noted.length > 0 ? action : undefined;
  return recordPayout(tx, context, { payoutId, action: said, events: eventsOf(marked) });
}

/**
 * The events of items that moved, one for each new status. `payout.completed` names all items paid by
 * then; an item paid after it gets a further one, with cause `paid_late`.
 */
export function eventsOf({ before, after, moved }: MarkedItems): PayoutEvent[] {
  const becameOneOf = (...to: PayoutItemStatus[]): string[] =>
    moved.filter((move) => to.includes(move.to)).map(({ itemId }) => itemId);
  const late = before === 'completed' ? becameOneOf('paid') : [];
  const events: PayoutEvent[] = [
    { type: 'payout.completed', itemIds: late, cause: 'paid_late' },
    { type: 'payout.cancelled', itemIds: becameOneOf('cancelled', 'failed') },
    { type: 'payout.item_returned', itemIds: becameOneOf('returned') },
  ];
  return [
    ...(before !== 'completed' && after === 'completed'
      ? [{ type: 'payout.completed' as const }]
      : []),
    ...events.filter(({ itemIds }) => itemIds?.length),
  ];
}

/** The items that are ready, under the locks of their commissions. PAYOUT_NOT_PROCESSING for none. */
async function lockReady(
  tx: Tx,
  { scope }: CommandContext,
  payoutId: string,
): Promise<{ itemIds: string[]; exported: number }> {
  const { itemIds } = await readyItemsOf(tx, scope, payoutId);
  await lockCommissionsOf(tx, scope, { payoutId, itemIds });
  await lockPayout(tx, scope, payoutId);
  // Read again under the lock: no item becomes ready, some may have ceased to be.
  const ready = await readyItemsOf(tx, scope, payoutId);
  if (ready.itemIds.length === 0) throw new AppError('PAYOUT_NOT_PROCESSING');
  return ready;
}
