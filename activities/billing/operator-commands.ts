import { AppError } from '../../entities/errors';
import { boundedTransaction, queryOne } from '../../entities/database/sql';
import { openStripeEvents } from '../../entities/rules/billing/event-status';
import type { OperatorNote } from '../../entities/rules/values/operator-note';
import type { BillerEvent } from '../../entities/tables/billing/biller-event.entity';
import { runCommand, operatorCause } from '../journal/operator';
import type { Deps } from '../../runtime/process/deps';
import { giveUpEvent } from './events/give-up';

const actions = {
  retry_now: 'stripe_event.retried_now',
  give_up: 'stripe_event.given_up',
} as const;

export interface EventCommand {
  eventId: string;
  order: keyof typeof actions;
  note: OperatorNote;
}

/**
 * What an operator commands for an event that is not at its end, with its line in the audit log. NOT_FOUND
 * when there is none, or it has come to its end.
 */
export async function orderStripeEvent(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { eventId, order, note }: EventCommand,
): Promise<void> {
  await boundedTransaction(db, async (tx) => {
    const event = await queryOne<Pick<BillerEvent, 'workspaceId' | 'mode' | 'status'>>(
      tx,
      `SELECT workspace_id AS "workspaceId", mode, status FROM stripe_events
        WHERE id = $1 FOR NO KEY UPDATE`,
      [eventId],
    );
    if (!event) throw new AppError('NOT_FOUND');
    const { status, workspaceId, mode } = event;
    const context = { scope: { workspaceId, mode }, ...operatorCause(note, clock.now()) };
    const target = { type: 'stripe_event', id: eventId };
    const line = { action: actions[order], target, workspaceId };
    const effect = async (): Promise<void> => {
      if (!openStripeEvents.includes(status)) throw new AppError('NOT_FOUND');
      const reason = 'It was given up by an operator.';
      if (order === 'give_up') await giveUpEvent(tx, context, { eventId, reason });
    };
    await runCommand(tx, context, { command: line, effect, otherwise: undefined });
  });
}
