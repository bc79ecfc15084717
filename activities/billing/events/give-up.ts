import { queryOne, type Tx } from '../../../entities/database/sql';
import { billerNames, type Biller } from '../../../entities/rules/billing/biller';
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
  const failed = await markFailed(tx, context, command);
  if (!failed || (await failedBefore(tx, context, { ...failed, ...command }))) return;
  const { biller, reason } = failed;
  const { eventId } = command;
  const data = biller === 'stripe' ? { stripeEventId: eventId } : { billerEventId: eventId };
  await tellFailing(tx, context, { biller, causeId: eventId, data, facts: { reason } });
}

/** Notifies the merchant of events that have failed, or wait for long. */
export function tellFailing(
  tx: Tx,
  context: CommandContext,
  { biller, ...told }: Pick<Notice, 'causeId' | 'data' | 'facts'> & { biller: Biller },
): Promise<void> {
  const { workspaceId, mode } = context.scope;
  const of = { side: 'merchant', feedId: workspaceId, workspaceId, mode } as const;
  const common = { participantId: null, ...of, ...told } as const;
  const notice: Notice =
    biller === 'stripe'
      ? { type: 'stripe.events_failing', ...common }
      : {
          ...{ type: 'biller.events_failing', ...common },
          data: { biller, ...told.data },
          facts: { biller: billerNames[biller], ...told.facts },
        };
  return notify(tx, context, [notice]);
}

/** Whether the event before this one that came to an end failed too. */
async function failedBefore(
  tx: Tx,
  { scope }: CommandContext,
  { biller, eventId }: { biller: Biller; eventId: string },
): Promise<boolean> {
  const before = await queryOne<{ status: string }>(
    tx,
    `SELECT status FROM stripe_events
      WHERE workspace_id = $1 AND mode = $2 AND id <> $3 AND biller = $4
        AND status IN ('processed', 'failed')
      ORDER BY received_at DESC, id DESC LIMIT 1`,
    [scope.workspaceId, scope.mode, eventId, biller],
  );
  return before?.status === 'failed';
}
