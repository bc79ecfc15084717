import type { Db, Tx } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import { isBatchAttention } from '../../entities/rules/payouts/batch-status';
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
import { endAttention, endWhereDone, type SeenAttention } from './attention';
import {
  findPayout,
  recordPayout,
  type PayoutEvent,
  type PayoutRecord,
  type PayoutStory,
} from './records';
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
  /** True when somebody has checked that the items in a file were not paid. */
  confirmExported?: boolean | undefined;
}

/**
 * Ends a payout that was not paid: its commissions and debts are free again, and refunds that came
 * meanwhile take effect.
 */
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
  /** `ready`: of one that is ready again, that it was not paid. */
  status: ReportedStatus | 'ready';
  /** True when somebody has checked what the item asks to have checked. */
  confirmChecked?: boolean | undefined;
  transactionId?: string | null | undefined;
  reason?: string | null | undefined;
}

/**
 * What became of one item. PAYOUT_NOT_FOUND, PAYOUT_ITEM_NOT_FOUND, PAYOUT_ITEM_INVALID_TRANSITION;
 * PAYOUT_ITEM_SENDING for one that is on its way, and for `failed` of one that wants a look, unless `confirmChecked`.
 */
export function markItem(
  db: Db,
  context: CommandContext,
  { payoutId, confirmChecked = false, ...mark }: MarkItem,
): Promise<PayoutRecord> {
  return changePayout(db, async (tx) => {
    const { itemId, status } = mark;
    await lockCommissionsOf(tx, context.scope, { payoutId, itemIds: [itemId] });
    await lockPayout(tx, context.scope, payoutId);
    const seen = confirmChecked
      ? await endAttention(tx, { payoutId, itemId, now: context.now })
      : undefined;
    const marks = status === 'ready' ? unsent(seen) : [{ ...mark, status }];
    const trigger = seen?.status === 'sending' ? 'check' : 'report';
    const action = 'payout.item_marked';
    const payout = await markAndRecord(tx, context, {
      ...{ payoutId, trigger, marks, action },
      isSaid: seen !== undefined,
    });
    if (seen?.batchId) await endWhereDone(tx, seen.batchId, context.now);
    return seen ? refreshed(tx, context, payoutId) : payout;
  });
}

/**
 * The change of an item that somebody marks `ready` though it is: none. Allowed where a restore or an unknown batch
 * had made us ask whether it was paid; else PAYOUT_ITEM_INVALID_TRANSITION.
 */
function unsent(seen: SeenAttention | undefined): [] {
  const isOfBatch =
    seen !== undefined && (seen.reason === 'restored' || isBatchAttention(seen.reason));
  if (seen?.status === 'ready' && isOfBatch) return [];
  throw new AppError('PAYOUT_ITEM_INVALID_TRANSITION');
}

async function refreshed(tx: Tx, { scope }: CommandContext, payoutId: string) {
  const payout = await findPayout(tx, scope, payoutId);
  if (!payout) throw new Error('a payout that is locked is gone');
  return payout;
}

/** Marks items, and says so in the audit log and by events; a mark that repeats leaves no trace. */
async function markAndRecord(
  tx: Tx,
  context: CommandContext,
  {
    action,
    isSaid = false,
    ...command
  }: MarkItems & Pick<PayoutStory, 'action'> & { isSaid?: boolean },
): Promise<PayoutRecord> {
  const marked = await markItems(tx, context, command);
  const { payoutId } = command;
  const isNews = isSaid || marked.moved.length > 0 || marked.noted.length > 0;
  const said = isNews ? action : undefined;
  return recordPayout(tx, context, { payoutId, action: said, events: eventsOfReport(marked) });
}

/** Events of a report, those of items included that a provider was to pay: their partners were not told yet. */
export function eventsOfReport(marked: MarkedItems): PayoutEvent[] {
  const isLate = marked.before === 'completed';
  const paid = marked.moved.filter(({ to }) => to === 'paid').map(({ itemId }) => itemId);
  const updated = { type: 'payout.item_updated', itemIds: paid, ofProvider: true } as const;
  return [...(isLate || paid.length === 0 ? [] : [updated]), ...eventsOf(marked)];
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
  // The items are read again under the lock: none becomes ready, some may have ceased to be.
  const ready = await readyItemsOf(tx, scope, payoutId);
  if (ready.itemIds.length === 0) throw new AppError('PAYOUT_NOT_PROCESSING');
  return ready;
}
