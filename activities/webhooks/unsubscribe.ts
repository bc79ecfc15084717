import { type Db, rowsAtOnce, type Tx } from '../../entities/database/sql';
import type { WebhookEventKind } from '../../entities/rules/webhooks/events';
import { unlessLocked } from '../../runtime/load/retry';
import type { CommandContext } from '../journal/cause';
import { record } from '../journal/record';
import { cancelOpenDeliveries, cancelRest } from './endpoint-health';

export interface Unsubscribed {
  endpointId: string;
  kinds: readonly WebhookEventKind[];
}

/**
 * Cancels what an endpoint was still to get of kinds that it unsubscribes from: a batch now, the rest
 * by the relay. A sweep that looked for such deliveries would have to read every backlog, and could not
 * tell them from what a merchant queues by hand later, which is sent.
 */
export async function cancelUnsubscribed(
  tx: Tx,
  context: CommandContext,
  { endpointId, kinds }: Unsubscribed,
): Promise<void> {
  if (kinds.length === 0) return;
  const cancelled = await cancelOpenDeliveries(tx, endpointId, kinds);
  if (cancelled < rowsAtOnce) return;
  const payload = { mode: context.scope.mode, kinds };
  await record(tx, context, { work: [{ topic: 'unsubscribed_kinds', ref: endpointId, payload }] });
}

/** Some seconds' worth. */
const maxInATurn = 200_000;

/** The rest of it, as far as it goes in one turn; whether nothing is left. */
export async function cancelRestOf(db: Db, { endpointId, kinds }: Unsubscribed): Promise<boolean> {
  const cancelled = await unlessLocked(() =>
    cancelRest(db, endpointId, { kinds, max: maxInATurn }),
  );
  return cancelled !== undefined && cancelled < maxInATurn;
}
