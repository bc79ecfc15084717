import { insertAll } from '../../entities/database/insert-all';
import { selectList } from '../../entities/database/columns';
import { boundedTransaction, queryOne, type Db, type Tx } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import { ConversionRefund } from '../../entities/tables/conversions/conversion-refund.entity';
import { retryWhileLocked } from '../../runtime/load/retry';
import type { CommandContext } from '../journal/cause';
import { lockConversion, settleConversion } from '../settlement/settle';

export interface RefundCommand {
  conversionId: string;
  /** The merchant's id of the refund: a repeat gives the first one. */
  externalRefundId: string;
  /** Minor units; null is all that is left. */
  amountCents: number | null;
  reason: string | null;
}

interface Refunded {
  refund: ConversionRefund;
  isNew: boolean;
}

/**
 * A refund outside the processor: refund, commission and ledger change together. A repeat changes
 * nothing, whatever it says. Throws NOT_FOUND or REFUND_EXCEEDS_AMOUNT.
 */
export function refundConversion(
  db: Db,
  context: CommandContext,
  command: RefundCommand,
): Promise<Refunded> {
  return retryWhileLocked(db, () => boundedTransaction(db, (tx) => refund(tx, context, command)));
}

async function refund(tx: Tx, context: CommandContext, command: RefundCommand): Promise<Refunded> {
  const conversion = await lockConversion(tx, context.scope, command.conversionId);
  if (!conversion) throw new AppError('NOT_FOUND');

  const first = await findRefund(tx, command);
  if (first) return { refund: first, isNew: false };

  const made = newRefund(context, command, await leftOf(tx, conversion));
  await insertAll(tx, { into: ConversionRefund, rows: [made] });
  await settleConversion(tx, context, { conversionId: conversion.id });
  return { refund: made, isNew: true };
}

function findRefund(tx: Tx, command: RefundCommand): Promise<ConversionRefund | undefined> {
  return queryOne<ConversionRefund>(
    tx,
    `SELECT ${selectList(ConversionRefund, 'r')} FROM conversion_refunds AS r
      WHERE r.conversion_id = $1 AND r.external_refund_id = $2`,
    [command.conversionId, command.externalRefundId],
  );
}

/**
 * What the merchant has not refunded yet; what the processor did does not count
 * (docs/reference/payments.md, Refunds and disputes).
 */
async function leftOf(
  tx: Tx,
  { id, amountCents }: { id: string; amountCents: number },
): Promise<number> {
  const row = await queryOne<{ refunded: number }>(
    tx,
    `SELECT coalesce(sum(amount_cents), 0)::bigint AS refunded
       FROM conversion_refunds WHERE conversion_id = $1`,
    [id],
  );
  return amountCents - (row?.refunded ?? 0);
}

function newRefund(
  { scope, now }: CommandContext,
  command: RefundCommand,
  left: number,
): ConversionRefund {
  const amountCents = command.amountCents ?? left;
  if (amountCents < 1 || amountCents > left) throw new AppError('REFUND_EXCEEDS_AMOUNT');
  return {
    id: newId(),
    workspaceId: scope.workspaceId,
    mode: scope.mode,
    conversionId: command.conversionId,
    externalRefundId: command.externalRefundId,
    amountCents,
    reason: command.reason,
    createdAt: now,
  };
}
