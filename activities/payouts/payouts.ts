import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import type { Payout } from '../../entities/tables/payouts/payout.entity';
import type { Scope } from '../../entities/rules/values/mode';
import { planPayout } from '../../entities/rules/payouts/plan';
import type { Payable, PlannedItem } from '../../entities/rules/payouts/plan';
import { execute, query, queryOne, transaction, type Tx } from '../../entities/database/sql';
import type { Db } from '../../entities/database/sql';
import { recordAudit } from '../journal/audit';
import type { Cause } from '../journal/cause';
import { countPayable, lockPayables } from './payables';
import { findPayout, recordPayoutEvent } from './records';
import type { PayoutRecord } from './records';
import { markPaid, release, reserve } from './book-commissions';

export interface CreatePayout {
  scope: Scope;
  program: { id: string; currency: string; minPayoutCents: number };
  /** Left out: the oldest approved ones of partners who are not suspended. */
  commissionIds?: readonly string[] | undefined;
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
export function createPayout(db: Db, command: CreatePayout, cause: Cause): Promise<CreatedPayout> {
  return transaction(db, async (tx) => {
    const { scope, program, commissionIds } = command;
    const filter = { scope, program, commissionIds };
    const payables = await lockPayables(tx, filter);
    assertAllPayable(payables, commissionIds);
    const items = planPayout(payables, program);
    if (items.length === 0) throw new AppError('PAYOUT_EMPTY');

    const payoutId = await insertPayout(tx, command, cause.now);
    await insertItems(tx, { scope, payoutId, items });
    await reserve(tx, { payoutId, now: cause.now });
    const payout = await finish(tx, { scope, payoutId, deed: 'created' }, cause);
    return { ...payout, remaining: await countPayable(tx, filter) };
  });
}

/** A debt is netted along with the others, but it is nothing that could be paid. */
function assertAllPayable(payables: Payable[], commissionIds?: readonly string[]): void {
  const payable = new Set(payables.filter((one) => one.isPayable).map((one) => one.commissionId));
  const isRefused = commissionIds?.some((id) => !payable.has(id)) ?? false;
  if (isRefused) throw new AppError('COMMISSION_NOT_PAYABLE');
}

async function insertPayout(tx: Tx, command: CreatePayout, now: Date): Promise<string> {
  const id = newId(now);
  await execute(
    tx,
    `INSERT INTO payouts (id, workspace_id, mode, program_id, status, reference, created_at)
     VALUES ($1, $2, $3, $4, 'processing', $5, $6)`,
    [id, command.scope.workspaceId, command.scope.mode, command.program.id, command.reference, now],
  );
  return id;
}

async function insertItems(
  tx: Tx,
  payout: { scope: Scope; payoutId: string; items: PlannedItem[] },
): Promise<void> {
  const items = payout.items.map((item) => ({ ...item, id: newId() }));
  const lines = items.flatMap((item) => item.lines.map((line) => ({ ...line, itemId: item.id })));
  await execute(
    tx,
    `WITH items AS (
       INSERT INTO payout_items (id, workspace_id, mode, payout_id, participant_id, currency,
              amount_cents)
       SELECT r.id, $2, $3, $1, r."participantId", r.currency, r."amountCents"
         FROM json_to_recordset($4::json) AS r (id uuid, "participantId" uuid, currency text,
              "amountCents" bigint))
     INSERT INTO payout_lines (payout_id, commission_id, item_id, amount_cents)
     SELECT $1, r."commissionId", r."itemId", r."amountCents"
       FROM json_to_recordset($5::json) AS r ("commissionId" uuid, "itemId" uuid,
            "amountCents" bigint)`,
    [
      payout.payoutId,
      payout.scope.workspaceId,
      payout.scope.mode,
      JSON.stringify(items.map(({ lines: _lines, ...item }) => item)),
      JSON.stringify(lines),
    ],
  );
}

export interface EndPayout {
  scope: Scope;
  payoutId: string;
}

/** Paid: the ledger says so and the commissions are paid, whatever was refunded meanwhile. */
export function completePayout(db: Db, command: EndPayout, cause: Cause): Promise<PayoutRecord> {
  return transaction(db, async (tx) => {
    await end(tx, { ...command, status: 'completed' }, cause.now);
    await markPaid(tx, command, cause);
    return finish(tx, { ...command, deed: 'completed' }, cause);
  });
}

/** Not paid: commissions and debts are free again, and refunds of meanwhile take effect. */
export function cancelPayout(db: Db, command: EndPayout, cause: Cause): Promise<PayoutRecord> {
  return transaction(db, async (tx) => {
    await end(tx, { ...command, status: 'cancelled' }, cause.now);
    await release(tx, command, cause);
    return finish(tx, { ...command, deed: 'cancelled' }, cause);
  });
}

/**
 * Compare-and-set of the status, after the commissions are locked: commissions are locked before
 * payouts everywhere. PAYOUT_NOT_FOUND, PAYOUT_NOT_PROCESSING.
 */
async function end(
  tx: Tx,
  command: EndPayout & { status: Exclude<Payout['status'], 'processing'> },
  now: Date,
): Promise<void> {
  const { scope, payoutId, status } = command;
  await query(
    tx,
    `SELECT c.id FROM commissions AS c JOIN payout_lines AS l ON l.commission_id = c.id
      WHERE l.payout_id = $1 AND c.workspace_id = $2 AND c.mode = $3 ORDER BY c.id FOR UPDATE OF c`,
    [payoutId, scope.workspaceId, scope.mode],
  );
  const column = status === 'completed' ? 'completed_at' : 'cancelled_at';
  const changed = await execute(
    tx,
    `UPDATE payouts SET status = $4, ${column} = $5
      WHERE id = $1 AND workspace_id = $2 AND mode = $3 AND status = 'processing'`,
    [payoutId, scope.workspaceId, scope.mode, status, now],
  );
  if (changed === 1) return;
  const exists = await queryOne(
    tx,
    'SELECT 1 FROM payouts WHERE id = $1 AND workspace_id = $2 AND mode = $3',
    [payoutId, scope.workspaceId, scope.mode],
  );
  throw new AppError(exists ? 'PAYOUT_NOT_PROCESSING' : 'PAYOUT_NOT_FOUND');
}

interface Deed {
  scope: Scope;
  payoutId: string;
  deed: 'created' | 'completed' | 'cancelled';
}

async function finish(
  tx: Tx,
  { scope, payoutId, deed }: Deed,
  cause: Cause,
): Promise<PayoutRecord> {
  const record = await findPayout(tx, scope, payoutId);
  if (!record) throw new Error('the payout that was just written is gone');
  if (deed !== 'cancelled')
    await recordPayoutEvent(tx, record, { type: `payout.${deed}`, at: cause.now });
  await recordAudit(tx, {
    workspaceId: scope.workspaceId,
    actor: cause.actor,
    action: `payout.${deed}`,
    target: { type: 'payout', id: payoutId },
    requestId: cause.requestId,
    at: cause.now,
  });
  return record;
}
