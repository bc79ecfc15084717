import { insertAll } from '../../entities/database/insert-all';
import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import { Payout } from '../../entities/tables/payouts/payout.entity';
import { planPayout, type Payable, type PlannedItem } from '../../entities/rules/payouts/plan';
import { insertOf, layOut, parametersOf } from '../../entities/database/bulk-rows';
import { tableOf } from '../../entities/database/columns';
import {
  execute,
  query,
  queryOne,
  transaction,
  type Db,
  type Tx,
} from '../../entities/database/sql';
import {
  payoutMoves,
  type PayoutStatus,
  type PayoutTrigger,
} from '../../entities/rules/payouts/status';
import { sourcesOf, targetOf } from '../../entities/rules/values/moves';
import { PayoutItem } from '../../entities/tables/payouts/payout-item.entity';
import { PayoutLine } from '../../entities/tables/payouts/payout-line.entity';
import type { CommandContext } from '../journal/cause';
import { record } from '../journal/record';
import { markPaid, release, reserve } from './book-commissions';
import { countPayable, lockPayables, withinBounds, type PayableFilter } from './payables';
import { findPayout, payoutEvent, type PayoutRecord } from './records';

export interface CreatePayout extends PayableFilter {
  reference: string | null;
}

/** A new payout, and how many commissions are left for the next one. */
export interface CreatedPayout extends PayoutRecord {
  remaining: number;
}

/**
 * Takes what is owed into a payout: one item per partner and currency, debts netted. PAYOUT_EMPTY;
 * COMMISSION_NOT_PAYABLE when one of the named ones is not, and then nothing is taken.
 */
export function createPayout(
  db: Db,
  context: CommandContext,
  command: CreatePayout,
): Promise<CreatedPayout> {
  return transaction(db, async (tx) => {
    const { program, commissionIds } = command;
    const { payables, isWhole } = await lockPayables(tx, context.scope, command);
    assertAllPayable(payables, commissionIds);
    const taken = isWhole
      ? payables
      : await withinBounds(tx, context.scope, { ...command, payables });
    const items = planPayout(taken, program);
    if (items.length === 0) throw new AppError('PAYOUT_EMPTY');

    const payoutId = await insertPayout(tx, context, command);
    await insertItems(tx, context, { payoutId, items });
    await reserve(tx, context, { payoutId });
    const payout = await recordPayout(tx, context, { payoutId, action: 'payout.created' });
    return { ...payout, remaining: await countPayable(tx, context.scope, command) };
  });
}

/** A debt is netted along with the others, but it is nothing that could be paid. */
function assertAllPayable(payables: Payable[], commissionIds?: readonly string[]): void {
  const payable = new Set(payables.filter((one) => one.isPayable).map((one) => one.commissionId));
  const isRefused = commissionIds?.some((id) => !payable.has(id)) ?? false;
  if (isRefused) throw new AppError('COMMISSION_NOT_PAYABLE');
}

async function insertPayout(
  tx: Tx,
  { scope, now }: CommandContext,
  { program, reference }: CreatePayout,
): Promise<string> {
  const id = newId(now);
  const { workspaceId, mode } = scope;
  const own = { id, workspaceId, mode, programId: program.id };
  const row = { ...own, status: 'processing', reference, createdAt: now } as const;
  await insertAll(tx, { into: Payout, rows: [row] });
  return id;
}

const itemRows = layOut({ items: tableOf(PayoutItem), lines: tableOf(PayoutLine) });

async function insertItems(
  tx: Tx,
  { scope }: CommandContext,
  payout: { payoutId: string; items: PlannedItem[] },
): Promise<void> {
  const { payoutId } = payout;
  const { workspaceId, mode } = scope;
  const items = payout.items.map((item) => ({ ...item, id: newId(), workspaceId, mode, payoutId }));
  const lines = items.flatMap((item) =>
    item.lines.map((line) => ({ ...line, payoutId, itemId: item.id })),
  );
  await execute(
    tx,
    `WITH items AS (${insertOf(itemRows.items)}) ${insertOf(itemRows.lines)}`,
    parametersOf(itemRows, { items, lines }),
  );
}

export interface EndPayout {
  payoutId: string;
}

/** Paid: the ledger says so and the commissions are paid, whatever was refunded meanwhile. */
export function completePayout(
  db: Db,
  context: CommandContext,
  { payoutId }: EndPayout,
): Promise<PayoutRecord> {
  return transaction(db, async (tx) => {
    await movePayout(tx, context, { payoutId, trigger: 'complete' });
    await markPaid(tx, context, { payoutId });
    return recordPayout(tx, context, { payoutId, action: 'payout.completed' });
  });
}

/** Not paid: commissions and debts are free again, and refunds of meanwhile take effect. */
export function cancelPayout(
  db: Db,
  context: CommandContext,
  { payoutId }: EndPayout,
): Promise<PayoutRecord> {
  return transaction(db, async (tx) => {
    await movePayout(tx, context, { payoutId, trigger: 'cancel' });
    await release(tx, context, { payoutId });
    return recordPayout(tx, context, { payoutId, action: 'payout.cancelled' });
  });
}

const endedAt: Readonly<Record<PayoutTrigger, string>> = {
  complete: 'completed_at',
  cancel: 'cancelled_at',
};

/**
 * Compare-and-set of the status, after the commissions are locked: commissions are locked before
 * payouts everywhere. PAYOUT_NOT_FOUND, PAYOUT_NOT_PROCESSING.
 */
async function movePayout(
  tx: Tx,
  { scope, now }: CommandContext,
  { payoutId, trigger }: { payoutId: string; trigger: PayoutTrigger },
): Promise<void> {
  const key = [payoutId, scope.workspaceId, scope.mode];
  await query(
    tx,
    `SELECT c.id FROM commissions AS c JOIN payout_lines AS l ON l.commission_id = c.id
      WHERE l.payout_id = $1 AND c.workspace_id = $2 AND c.mode = $3 ORDER BY c.id FOR UPDATE OF c`,
    key,
  );
  const target: PayoutStatus = targetOf(payoutMoves, trigger);
  const moved = await execute(
    tx,
    `UPDATE payouts SET status = $4, ${endedAt[trigger]} = $5
      WHERE id = $1 AND workspace_id = $2 AND mode = $3 AND status = ANY($6)`,
    [...key, target, now, sourcesOf(payoutMoves, trigger)],
  );
  if (moved === 1) return;
  const exists = await queryOne(
    tx,
    'SELECT 1 FROM payouts WHERE id = $1 AND workspace_id = $2 AND mode = $3',
    key,
  );
  throw new AppError(exists ? 'PAYOUT_NOT_PROCESSING' : 'PAYOUT_NOT_FOUND');
}

interface PayoutAction {
  payoutId: string;
  action: 'payout.created' | 'payout.completed' | 'payout.cancelled';
}

/** What a change of a payout leaves behind; a cancelled one is no event. Returns it as it is now. */
async function recordPayout(
  tx: Tx,
  context: CommandContext,
  { payoutId, action }: PayoutAction,
): Promise<PayoutRecord> {
  const payout = await findPayout(tx, context.scope, payoutId);
  if (!payout) throw new Error('the payout that was just written is gone');
  await record(tx, context, {
    audit: { action, target: { type: 'payout', id: payoutId } },
    events: action === 'payout.cancelled' ? [] : [payoutEvent(payout, action)],
  });
  return payout;
}
