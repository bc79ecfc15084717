import { queryOne, type Tx } from '../../../entities/database/sql';
import type { CommandContext } from '../../journal/cause';
import type { Notice } from '../../notifications/notice';
import { notify } from '../../notifications/notify';
import { markFailed } from './progress';

/**
 * Gives an event up; it can be replayed. The merchant is notified of the first failure after a
 * success, not of each.
 */
export async function giveUpEvent(
  tx: Tx,
  context: CommandContext,
  command: { eventId: string; reason: string },
): Promise<void> {
  const reason = await markFailed(tx, context, command);
  if (reason === undefined || (await failedBefore(tx, context, command.eventId))) return;
  const data = { stripeEventId: command.eventId };
  await tellFailing(tx, context, { causeId: command.eventId, data, facts: { reason } });
}

/** Notifies the merchant of events that have failed, or wait for long. */
export function tellFailing(
  tx: Tx,
  context: CommandContext,
  told: Pick<Notice, 'causeId' | 'data' | 'facts'>,
): Promise<void> {
  const { workspaceId, mode } = context.scope;
  const of = { side: 'merchant', feedId: workspaceId, workspaceId, mode } as const;
  const notice = { type: 'stripe.events_failing', participantId: null, ...of, ...told } as const;
  return notify(tx, context, [notice]);
}

/** Whether the event before this one that came to an end failed too. */
async function failedBefore(tx: Tx, { scope }: CommandContext, eventId: string): Promise<boolean> {
  const before = await queryOne<{ status: string }>(
    tx,
    `SELECT status FROM stripe_events
      WHERE workspace_id = $1 AND mode = $2 AND id <> $3 AND status IN ('processed', 'failed')
      ORDER BY received_at DESC, id DESC LIMIT 1`,
    [scope.workspaceId, scope.mode, eventId],
  );
  return before?.status === 'failed';
}
