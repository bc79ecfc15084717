import type { Tx } from '../../../entities/database/sql';
import { shownType } from '../../../entities/rules/stripe/read-event';
import type { CommandContext } from '../../journal/cause';
import { record } from '../../journal/record';

/** Starts the event's workflow, or signals it to look again, once the transaction commits. */
export async function enqueueStripeEvent(
  tx: Tx,
  context: CommandContext,
  { id, type }: { id: string; type: string },
): Promise<void> {
  const { workspaceId, mode } = context.scope;
  const payload = { workspaceId, mode, type: shownType(type) };
  await record(tx, context, { work: [{ topic: 'stripe_event', ref: id, payload }] });
}
