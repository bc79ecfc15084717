import type { ConversionRefund } from '../../entities/tables/conversions/conversion-refund.entity';
import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import type { Scope } from '../../entities/rules/values/mode';
import { type Db, execute, queryOne, transaction, type Tx } from '../../entities/database/sql';
import type { Cause } from '../journal/cause';
import { settleConversion } from '../settlement/settle';

export interface RefundCommand {
  scope: Scope;
  conversionId: string;
  /** The merchant's id of the refund: a repeat gives the first one. */
  externalRefundId: string;
  /** Minor units; null is all that is left. */
  amountCents: number | null;
  reason: string | null;
}

/**
 * A refund outside the processor: refund, commission and ledger change together. A repeat changes
 * nothing, whatever it says. Throws NOT_FOUND or REFUND_EXCEEDS_AMOUNT.
 */
export function refundConversion(
  db: Db,
  command: RefundCommand,
  cause: Cause,
): Promise<{ refund: ConversionRefund; isNew: boolean }> {
  return transaction(db, async (tx) => {
    const conversion = await lockConversion(tx, command);
    if (!conversion) throw new AppError('NOT_FOUND');

    const first = await findRefund(tx, command);
    if (first) return { refund: first, isNew: false };

    const refund = newRefund(command, await leftOf(tx, conversion), cause.now);
    await insertRefund(tx, refund);
    const { scope, conversionId } = command;
    await settleConversion(tx, { scope, conversionId, actor: cause.actor }, cause.now);
    return { refund, isNew: true };
  });
}

interface LockedConversion {
  id: string;
  amountCents: number;
}

function lockConversion(tx: Tx, command: RefundCommand): Promise<LockedConversion | undefined> {
  return queryOne<LockedConversion>(
    tx,
    `SELECT id, amount_cents AS "amountCents" FROM conversions
      WHERE id = $1 AND workspace_id = $2 AND mode = $3 FOR UPDATE`,
    [command.conversionId, command.scope.workspaceId, command.scope.mode],
  );
}

function findRefund(tx: Tx, command: RefundCommand): Promise<ConversionRefund | undefined> {
  return queryOne<ConversionRefund>(
    tx,
    `SELECT id, workspace_id AS "workspaceId", mode, conversion_id AS "conversionId",
            external_refund_id AS "externalRefundId", amount_cents AS "amountCents", reason,
            created_at AS "createdAt"
       FROM conversion_refunds WHERE conversion_id = $1 AND external_refund_id = $2`,
    [command.conversionId, command.externalRefundId],
  );
}

/**
 * What the merchant has not refunded yet; what the processor did does not count
 * (docs/reference/payments.md, Refunds and disputes).
 */
async function leftOf(tx: Tx, { id, amountCents }: LockedConversion): Promise<number> {
  const row = await queryOne<{ refunded: number }>(
    tx,
    `SELECT coalesce(sum(amount_cents), 0)::bigint AS refunded
       FROM conversion_refunds WHERE conversion_id = $1`,
    [id],
  );
  return amountCents - (row?.refunded ?? 0);
}

function newRefund(command: RefundCommand, left: number, now: Date): ConversionRefund {
  const amountCents = command.amountCents ?? left;
  if (amountCents < 1 || amountCents > left) throw new AppError('REFUND_EXCEEDS_AMOUNT');
  return {
    id: newId(),
    ...command.scope,
    conversionId: command.conversionId,
    externalRefundId: command.externalRefundId,
    amountCents,
    reason: command.reason,
    createdAt: now,
  };
}

async function insertRefund(tx: Tx, refund: ConversionRefund): Promise<void> {
  await execute(
    tx,
    `INSERT INTO conversion_refunds
       (id, workspace_id, mode, conversion_id, external_refund_id, amount_cents, reason, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      refund.id,
      refund.workspaceId,
      refund.mode,
      refund.conversionId,
      refund.externalRefundId,
      refund.amountCents,
      refund.reason,
      refund.createdAt,
    ],
  );
}
