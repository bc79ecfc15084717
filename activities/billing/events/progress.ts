import { movingSql } from '../../../entities/database/moving';
import {
  execute,
  query,
  queryOne,
  rowsAtOnce,
  type Db,
  type Tx,
} from '../../../entities/database/sql';
import type { Biller } from '../../../entities/rules/billing/biller';
import {
  stripeEventMoves,
  type StripeEventStatus,
} from '../../../entities/rules/billing/event-status';
import { shownEventType } from '../../../entities/rules/billers';
import type { BillerEvent } from '../../../entities/tables/billing/biller-event.entity';
import type { CommandContext } from '../../journal/cause';
import { record } from '../../journal/record';
import { needsAttention, waitsFor } from './waiting';

/** What came of an event that was processed. */
export interface EventOutcome {
  status: Extract<StripeEventStatus, 'processed' | 'ignored' | 'waiting'>;
  /** Why it was ignored, or what it waits for. */
  reason: string | null;
  paymentId: string | null;
}

const ofScope = 'e.workspace_id = $1 AND e.mode = $2';
const of = 'e';
const moves = {
  process: movingSql(stripeEventMoves, { trigger: 'process', to: { sql: '$5::text' }, of }),
  fail: movingSql(stripeEventMoves, { trigger: 'fail', to: 'retrying', of }),
  giveUp: movingSql(stripeEventMoves, { trigger: 'give_up', to: 'failed', of }),
  replay: movingSql(stripeEventMoves, { trigger: 'replay', to: 'received', of }),
  settle: movingSql(stripeEventMoves, { trigger: 'settle', to: 'processed', of }),
  askAgain: movingSql(stripeEventMoves, { trigger: 'ask_again', to: 'received', of }),
  dismiss: movingSql(stripeEventMoves, { trigger: 'dismiss', to: 'ignored', of }),
  askForFee: movingSql(stripeEventMoves, { trigger: 'ask_for_fee', to: 'received', of }),
};

function scopeAndTime({ scope, now }: CommandContext): [string, string, Date] {
  return [scope.workspaceId, scope.mode, now];
}

/** An attempt came to its end; an event that another attempt has ended meanwhile stays as it is. */
export async function finishEvent(
  tx: Tx,
  context: CommandContext,
  { eventId, outcome }: { eventId: string; outcome: EventOutcome },
): Promise<void> {
  await execute(
    tx,
    `UPDATE stripe_events AS e
        SET ${moves.process.set}, error = $6, payment_id = $7, processed_at = $3, touched_at = $3,
            attempts = e.attempts + 1
      WHERE e.id = $4 AND ${ofScope} AND ${moves.process.where}`,
    [...scopeAndTime(context), eventId, outcome.status, outcome.reason, outcome.paymentId],
  );
}

/** An attempt failed and another one follows. */
export async function noteFailedAttempt(
  db: Db,
  context: CommandContext,
  { eventId, reason }: { eventId: string; reason: string },
): Promise<void> {
  await execute(
    db,
    `UPDATE stripe_events AS e
        SET ${moves.fail.set}, attempts = e.attempts + 1, error = $5, touched_at = $3
      WHERE e.id = $4 AND ${ofScope} AND ${moves.fail.where}`,
    [...scopeAndTime(context), eventId, reason],
  );
}

/** No attempt follows. Gives whose it is and why it failed: what was noted last, else `reason`. */
export async function markFailed(
  tx: Tx,
  context: CommandContext,
  { eventId, reason }: { eventId: string; reason: string },
): Promise<{ biller: Biller; reason: string } | undefined> {
  return queryOne<{ biller: Biller; reason: string }>(
    tx,
    `UPDATE stripe_events AS e
        SET ${moves.giveUp.set}, processed_at = $3, touched_at = $3, error = coalesce(e.error, $5)
      WHERE e.id = $4 AND ${ofScope} AND ${moves.giveUp.where}
      RETURNING e.biller, e.error AS reason`,
    [...scopeAndTime(context), eventId, reason],
  );
}

/** Has an event that came to its end processed once more. */
export async function reopenEvent(tx: Tx, context: CommandContext, eventId: string): Promise<void> {
  await reopen(tx, context, { move: 'replay', which: 'e.id = $4', values: [eventId] });
}

interface Reopening {
  move: 'replay' | 'askAgain' | 'askForFee';
  /** Condition on `stripe_events AS e`; its values are those from $4 on. */
  which: string;
  values: readonly unknown[];
}

/** Has events of the scope processed again; how many. */
async function reopen(
  tx: Tx,
  context: CommandContext,
  { move, which, values }: Reopening,
): Promise<number> {
  const by = moves[move];
  const events = await query<Pick<BillerEvent, 'id' | 'biller' | 'type'>>(
    tx,
    `UPDATE stripe_events AS e SET ${by.set}, error = NULL, touched_at = $3
      WHERE ${which} AND ${ofScope} AND ${by.where} RETURNING e.id, e.biller, e.type`,
    [...scopeAndTime(context), ...values],
  );
  for (const event of events) await enqueueStripeEvent(tx, context, event);
  return events.length;
}

/** Events that waited for this payment, or seemed to be nothing of ours, have had their effect. */
export async function releaseEvents(
  tx: Tx,
  context: CommandContext,
  paymentId: string,
): Promise<void> {
  await endWaiting(tx, context, { move: 'settle', paymentId, reason: null });
}

/** The payment of these events is known now, and nothing of ours: they wait for nothing more. */
export async function dismissEvents(tx: Tx, context: CommandContext, ended: Ended): Promise<void> {
  await endWaiting(tx, context, { move: 'dismiss', ...ended });
}

interface Ended {
  paymentId: string;
  reason: string | null;
  /** The cause of waiting for which events go on waiting. */
  except?: string | undefined;
}

async function endWaiting(
  tx: Tx,
  context: CommandContext,
  { move, paymentId, reason, except }: Ended & { move: 'settle' | 'dismiss' },
): Promise<void> {
  const by = moves[move];
  await execute(
    tx,
    `UPDATE stripe_events AS e SET ${by.set}, error = $5, processed_at = $3
      WHERE e.payment_id = $4 AND ${ofScope} AND ${by.where}
        AND ($6::text IS NULL OR e.error IS DISTINCT FROM $6)`,
    [...scopeAndTime(context), paymentId, reason, except],
  );
}

const hasKey = `EXISTS (SELECT 1 FROM stripe_connections AS c
  WHERE c.id = e.connection_id AND c.restricted_key IS NOT NULL)`;

/** Has the invoice of a payment that waits for its checkout processed again; whether there was one. */
export async function askForCheckout(
  tx: Tx,
  context: CommandContext,
  paymentId: string,
): Promise<boolean> {
  const asked = await reopen(tx, context, {
    move: 'askAgain',
    which: `e.payment_id = $4 AND e.error = $5 AND ${hasKey}`,
    values: [paymentId, waitsFor.checkout],
  });
  return asked > 0;
}

/** Has a batch of the events that a key can help processed again, oldest first; how many. */
export function askForWaiting(tx: Tx, context: CommandContext, biller: Biller): Promise<number> {
  return reopen(tx, context, {
    move: 'askAgain',
    which: `e.id IN (SELECT e.id FROM stripe_events AS e
                      WHERE ${ofScope} AND e.biller = $5 AND ${needsAttention}
                      ORDER BY e.received_at LIMIT $4 FOR UPDATE SKIP LOCKED)`,
    values: [rowsAtOnce, biller],
  });
}

/** Sales whose code nobody could read. */
const withoutText = `SELECT o.object_id FROM stripe_objects AS o
    WHERE o.workspace_id = $1 AND o.mode = $2 AND o.fact->>'code' IS NULL
      AND o.fact->>'discountId' IS NOT NULL`;

/** Has a batch of sales processed again that a click credits while nobody could read their code; how many. */
export function askForUnreadCodes(
  tx: Tx,
  context: CommandContext,
  biller: Biller,
): Promise<number> {
  const credited = `${withoutText} AND EXISTS (
    SELECT 1 FROM stripe_payments AS p WHERE p.id = o.payment_id AND p.conversion_id IS NOT NULL)`;
  return reopen(tx, context, {
    move: 'replay',
    which: `e.id IN (SELECT e.id FROM stripe_events AS e
                      WHERE ${ofScope} AND e.biller = $5 AND e.object_id IN (${credited})
                        AND ${moves.replay.where}
                      ORDER BY e.received_at LIMIT $4 FOR UPDATE SKIP LOCKED)`,
    values: [rowsAtOnce, biller],
  });
}

/** A text of a discount, and the times of the sales that it may be of; null where nothing bounds them. */
interface ToldCode {
  biller: Biller;
  discountId: string;
  code: string;
  from: string | null;
  until: string | null;
}

/**
 * Has the sales processed again that were told with a discount whose text was not known, those that wait for it and
 * those that a click credits meanwhile, and sales that had another text of it.
 */
export async function askForCodes(
  tx: Tx,
  context: CommandContext,
  { biller, discountId, code, from, until }: ToldCode,
): Promise<void> {
  const sales = `SELECT o.object_id FROM stripe_objects AS o
    WHERE o.workspace_id = $1 AND o.mode = $2 AND o.fact->>'discountId' = $6
      AND (o.fact->>'code' IS NULL
        OR (o.fact->>'code' <> $7
          AND ($8::text IS NULL OR o.fact->>'madeAt' COLLATE "C" >= $8)
          AND ($9::text IS NULL OR o.fact->>'madeAt' COLLATE "C" < $9)))`;
  const batch = {
    move: 'replay',
    which: `e.id IN (SELECT e.id FROM stripe_events AS e
                      WHERE ${ofScope} AND e.biller = $5 AND e.object_id IN (${sales})
                        AND ${moves.replay.where}
                      ORDER BY e.received_at LIMIT $4 FOR UPDATE)`,
    values: [rowsAtOnce, biller, discountId, code, from, until],
  } as const;
  while ((await reopen(tx, context, batch)) === rowsAtOnce);
}

/** One event that waited for this payment is processed again: its fee is worth asking for now. */
export async function askForFee(tx: Tx, context: CommandContext, paymentId: string): Promise<void> {
  await reopen(tx, context, {
    move: 'askForFee',
    which: `e.id = (SELECT e.id FROM stripe_events AS e
                     WHERE e.payment_id = $4 AND ${ofScope} AND ${moves.askForFee.where}
                       AND ${hasKey}
                     ORDER BY e.type LIKE 'charge.%' OR e.type LIKE 'order.%' OR e.type LIKE 'transaction.%' DESC, e.received_at DESC LIMIT 1)`,
    values: [paymentId],
  });
}

/** Starts the event's workflow, or signals it to look again, once the transaction commits. */
export async function enqueueStripeEvent(
  tx: Tx,
  context: CommandContext,
  { id, biller, type }: Pick<BillerEvent, 'id' | 'biller' | 'type'>,
): Promise<void> {
  const { workspaceId, mode } = context.scope;
  const payload = { workspaceId, mode, type: shownEventType(biller, type) };
  await record(tx, context, { work: [{ topic: 'stripe_event', ref: id, payload }] });
}
