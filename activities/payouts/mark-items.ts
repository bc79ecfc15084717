import { Payout } from '../../entities/tables/payouts/payout.entity';
import { findOne } from '../../entities/database/find';
import { execute, query, transaction, type Db, type Tx } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import {
  bookingOf,
  payoutItemMoves,
  payoutStatusOf,
  reportOutcome,
  type ItemBooking,
  type PayoutItemStatus,
  type PayoutItemTrigger,
  type PayoutStatus,
} from '../../entities/rules/payouts/status';
import { reportText } from '../../entities/rules/payouts/item-reports';
import { isMove } from '../../entities/rules/values/moves';
import type { Scope } from '../../entities/rules/values/mode';
import type { PayoutItem } from '../../entities/tables/payouts/payout-item.entity';
import { retryWhileLocked } from '../../runtime/load/retry';
import type { CommandContext } from '../journal/cause';
import { bookItems } from './book-items';

/** What is to be of one item. */
export interface ItemMark {
  itemId: string;
  status: PayoutItemStatus;
  /** The bank's or processor's transaction; what is known of it stays when this is missing. */
  transactionId?: string | null | undefined;
  reason?: string | null | undefined;
  /** What a report told of it, for the next report; absent: that it is this now. */
  reports?: readonly string[] | undefined;
}

export interface MarkItems {
  payoutId: string;
  /** Whether the row of an item in its last batch becomes what the item does; else that row has been written. */
  follows?: boolean;
  trigger: PayoutItemTrigger;
  /** Each item once. */
  marks: readonly ItemMark[];
}

/** What became of it: items that moved, and the status of the payout before and after. */
export interface MarkedItems {
  moved: { itemId: string; from: PayoutItemStatus; to: PayoutItemStatus }[];
  /** Items of which only a transaction or a report is known that was not known before. */
  noted: string[];
  before: PayoutStatus;
  after: PayoutStatus;
}

type ItemRow = Pick<PayoutItem, 'id' | 'status' | 'transactionId' | 'attentionReason'>;

/** `paidBy`: the transaction that was the item's before. */
type Move = ItemMark & {
  from: PayoutItemStatus;
  reports: readonly string[];
  paidBy: string | null;
};

/**
 * Moves items of one payout, all or none, with the money that they took; the payout's status follows.
 * Marks that repeat what is known change nothing. Locks the commissions, then the payout: commissions
 * are locked before payouts everywhere. Records neither audit nor events: the caller does.
 * PAYOUT_NOT_FOUND, PAYOUT_ITEM_NOT_FOUND, PAYOUT_ITEM_INVALID_TRANSITION.
 */
export async function markItems(
  tx: Tx,
  context: CommandContext,
  { payoutId, trigger, marks, follows = true }: MarkItems,
): Promise<MarkedItems> {
  const itemIds = marks.map(({ itemId }) => itemId);
  await lockCommissionsOf(tx, context.scope, { payoutId, itemIds });
  const before = await lockPayout(tx, context.scope, payoutId);
  const judged = movesOf(await itemsOf(tx, payoutId), marks, trigger);
  const moves = judged.filter(({ from, status }) => from !== status);
  for (const [booking, of] of byBooking(moves)) {
    const ids = of.map(({ itemId }) => itemId);
    await bookItems(tx, context, { payoutId, itemIds: ids, booking });
  }
  await writeMoves(tx, context, judged);
  if (follows) await followOutcomes(tx, { trigger, moves });
  const after = await followItems(tx, context, payoutId);
  const moved = moves.map(({ itemId, from, status }) => ({ itemId, from, to: status }));
  const noted = judged.filter(({ from, status }) => from === status).map(({ itemId }) => itemId);
  return { moved, noted, before, after };
}

/**
 * A transaction that changes a payout. Another change of the same may take seconds: this one waits for
 * it and is then judged by what it left.
 */
export function changePayout<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return retryWhileLocked(db, () => transaction(db, work));
}

/**
 * The ids of the payout's items that are ready, and how many of them a file has held; without those that
 * a person has to look at first.
 */
export async function readyItemsOf(
  tx: Tx,
  scope: Scope,
  payoutId: string,
): Promise<{ itemIds: string[]; exported: number }> {
  const rows = await query<{ id: string; isExported: boolean }>(
    tx,
    `SELECT id, exported_at IS NOT NULL AS "isExported" FROM payout_items
      WHERE payout_id = $1 AND workspace_id = $2 AND mode = $3 AND status = 'ready'
        AND attention_reason IS NULL ORDER BY id`,
    [payoutId, scope.workspaceId, scope.mode],
  );
  const exported = rows.filter(({ isExported }) => isExported).length;
  return { itemIds: rows.map(({ id }) => id), exported };
}

/** The commissions of these items, in the order of their ids. */
export async function lockCommissionsOf(
  tx: Tx,
  { workspaceId, mode }: Scope,
  { payoutId, itemIds }: { payoutId: string; itemIds: readonly string[] },
): Promise<void> {
  await query(
    tx,
    `SELECT c.id FROM commissions AS c JOIN payout_lines AS l ON l.commission_id = c.id
      WHERE l.payout_id = $1 AND l.item_id = ANY($4) AND c.workspace_id = $2 AND c.mode = $3
      ORDER BY c.id FOR UPDATE OF c`,
    [payoutId, workspaceId, mode, itemIds],
  );
}

/** All that happens to items of a payout happens under this lock. PAYOUT_NOT_FOUND. */
export async function lockPayout(
  tx: Tx,
  { workspaceId, mode }: Scope,
  payoutId: string,
): Promise<PayoutStatus> {
  const where = { id: payoutId, workspaceId, mode };
  const payout = await findOne(tx, Payout, { where, lock: 'UPDATE' });
  if (!payout) throw new AppError('PAYOUT_NOT_FOUND');
  return payout.status;
}

function itemsOf(tx: Tx, payoutId: string): Promise<ItemRow[]> {
  return query<ItemRow>(
    tx,
    `SELECT id, status, transaction_id AS "transactionId", attention_reason AS "attentionReason"
       FROM payout_items WHERE payout_id = $1 ORDER BY id`,
    [payoutId],
  );
}

function movesOf(
  items: readonly ItemRow[],
  marks: readonly ItemMark[],
  trigger: PayoutItemTrigger,
): Move[] {
  const known = new Map(items.map((item) => [item.id, item]));
  return marks.flatMap((mark) => {
    const item = known.get(mark.itemId);
    if (!item) throw new AppError('PAYOUT_ITEM_NOT_FOUND');
    const from = item.status;
    const outcome = trigger === 'report' ? reportOutcome(item, mark) : 'moves';
    if (outcome === 'repeats' && !mark.reports) return [];
    const paidBy = item.transactionId;
    if (isFreedUnseen(item, mark.status, trigger)) throw noMove('sending');
    const told = { ...mark, from, paidBy, reports: mark.reports ?? reportsOf(item, mark) };
    if (outcome === 'repeats' || outcome === 'names') return [told];
    if (!isMove(payoutItemMoves, { from, to: mark.status, trigger })) throw noMove(from);
    return [told];
  });
}

/** An item that wants a look may have been paid: no report makes it failed, and so payable again, before that. */
function isFreedUnseen(
  { status, attentionReason }: ItemRow,
  to: PayoutItemStatus,
  trigger: PayoutItemTrigger,
): boolean {
  const frees = to === 'failed' || to === 'cancelled';
  return trigger === 'report' && status === 'ready' && frees && attentionReason !== null;
}

/** The refusal of a move: nobody but its provider tells what becomes of an item on its way. */
function noMove(from: PayoutItemStatus): AppError {
  return new AppError(
    from === 'sending' ? 'PAYOUT_ITEM_SENDING' : 'PAYOUT_ITEM_INVALID_TRANSITION',
  );
}

/** What a mark tells by its transaction; without one it tells nothing that a report could repeat. */
function reportsOf(item: ItemRow, { status, transactionId }: ItemMark): string[] {
  if (!transactionId) return [];
  if (status === 'returned')
    return [reportText({ kind: 'back', id: transactionId, of: item.transactionId ?? '' })];
  return [reportText({ kind: status === 'paid' ? 'paid' : 'failed', id: transactionId, of: '' })];
}

function byBooking(moves: readonly Move[]): Map<ItemBooking, Move[]> {
  const groups = new Map<ItemBooking, Move[]>();
  for (const move of moves) {
    const booking = bookingOf(move.from, move.status);
    if (booking === null) continue;
    const group = groups.get(booking);
    if (group) group.push(move);
    else groups.set(booking, [move]);
  }
  return groups;
}

async function writeMoves(tx: Tx, { now }: CommandContext, moves: readonly Move[]): Promise<void> {
  if (moves.length === 0) return;
  await execute(
    tx,
    `UPDATE payout_items AS i
        SET status = r.status, transaction_id = coalesce(r.transaction_id, i.transaction_id),
            reports = i.reports || ARRAY(SELECT json_array_elements_text(r.reports::json)),
            reason = CASE WHEN r.status = i.status THEN i.reason ELSE r.reason END,
            paid_at = CASE WHEN r.status = i.status THEN i.paid_at
                           WHEN r.status = 'paid' THEN $6::timestamptz ELSE i.paid_at END,
            ended_at = CASE WHEN r.status = i.status THEN i.ended_at
                            WHEN r.status IN ('ready', 'sending', 'paid') THEN NULL
                            ELSE $6::timestamptz END,
            settled_at = CASE WHEN r.status IN ('ready', 'sending') THEN i.settled_at
                         ELSE coalesce(i.settled_at, i.paid_at, i.ended_at, $6::timestamptz) END
       FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[])
            AS r (id, status, transaction_id, reason, reports)
      WHERE i.id = r.id`,
    [
      moves.map(({ itemId }) => itemId),
      moves.map(({ status }) => status),
      moves.map(({ transactionId }) => transactionId ?? null),
      moves.map(({ reason }) => reason ?? null),
      moves.map(({ reports }) => JSON.stringify(reports)),
      now,
    ],
  );
}

/**
 * Writes an item's new status to its row in the last batch, where that batch moved it. An uploaded report moves a
 * batch's row only if the batch had paid the item and that money came back: anything else was paid in another way.
 * Where another batch had paid it, the row of that one. What somebody who has looked says is paid, and an earlier
 * batch has paid, the last one has not.
 */
async function followOutcomes(
  tx: Tx,
  { trigger, moves }: { trigger: PayoutItemTrigger; moves: readonly Move[] },
): Promise<void> {
  if (moves.length === 0 || trigger === 'send') return;
  await execute(
    tx,
    `UPDATE payout_batch_items AS b
        SET outcome = CASE
              WHEN r.status = 'ready' THEN 'released'
              WHEN r.status = 'paid' AND NOT $3 AND EXISTS (
                SELECT 1 FROM payout_batch_items AS o
                 WHERE o.item_id = i.id AND o.batch_id <> b.batch_id AND o.outcome = 'paid') THEN 'released'
              ELSE r.status END
       FROM unnest($1::uuid[], $2::text[], $4::text[]) AS r (id, status, paid_by)
       JOIN payout_items AS i ON i.id = r.id
      WHERE b.item_id = i.id AND r.status <> 'cancelled'
        AND CASE WHEN b.batch_id = i.batch_id
            THEN $3 OR b.outcome = 'sending' OR (b.outcome = 'paid' AND r.status = 'returned'
              AND coalesce(b.transaction_id = r.paid_by, true))
            ELSE NOT $3 AND b.outcome = 'paid' AND r.status = 'returned'
              AND coalesce(b.transaction_id = r.paid_by, NOT EXISTS (
                SELECT 1 FROM payout_batch_items AS l
                 WHERE l.item_id = i.id AND l.batch_id = i.batch_id AND l.outcome = 'paid')) END`,
    [
      moves.map(({ itemId }) => itemId),
      moves.map(({ status }) => status),
      trigger === 'provider',
      moves.map(({ paidBy }) => paidBy),
    ],
  );
}

/** Brings the payout's status to what its items say; the time is that of the last change to it. */
async function followItems(
  tx: Tx,
  { now }: CommandContext,
  payoutId: string,
): Promise<PayoutStatus> {
  const items = await itemsOf(tx, payoutId);
  const status = payoutStatusOf(items.map((item) => item.status));
  await execute(
    tx,
    `UPDATE payouts
        SET status = $2, completed_at = CASE WHEN $2 = 'completed' THEN $3::timestamptz END,
            cancelled_at = CASE WHEN $2 = 'cancelled' THEN $3::timestamptz END
      WHERE id = $1 AND status <> $2`,
    [payoutId, status, now],
  );
  return status;
}
