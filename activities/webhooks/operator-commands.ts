import { AppError } from '../../entities/errors';
import { movingSql } from '../../entities/database/moving';
import {
  boundedTransaction,
  execute,
  queryOne,
  rowsAtOnce,
  type Tx,
} from '../../entities/database/sql';
import { deliveryMoves } from '../../entities/rules/webhooks/delivery-status';
import { healthy } from '../../entities/rules/webhooks/health';
import { isBreakerOpen } from '../../entities/rules/webhooks/retry';
import type { OperatorNote } from '../../entities/rules/values/operator-note';
import type { CommandContext } from '../journal/cause';
import { runCommand, operatorCause } from '../journal/operator';
import { notify } from '../notifications/notify';
import type { Deps } from '../../runtime/process/deps';
import { endpointNotice, lockedColumns, saveHealth, type LockedEndpoint } from './endpoint-health';
import { wakeDispatchers } from './fan-out';
import { isSubscribedSql } from './unsubscribe';
import { WebhookEndpoint } from '../../entities/tables/webhooks/webhook-endpoint.entity';
import { update } from '../../entities/database/update';

/** What an operator commands for an endpoint, and the line of the audit log. */
const actions = {
  retry_now: 'webhook.retried_now',
  close_breaker: 'webhook.breaker_closed',
  pause: 'webhook.retries_paused',
  give_up: 'webhook.retries_given_up',
} as const;
export type RetriesCommandName = keyof typeof actions;

export interface RetriesCommand {
  endpointId: string;
  order: RetriesCommandName;
  note: OperatorNote;
}

type OrderDeps = Pick<Deps, 'db' | 'clock' | 'config'>;

/**
 * Does what an operator commands, with its line in the audit log. Gives how many deliveries it moved, a
 * batch at most. WEBHOOK_NOT_FOUND, WEBHOOK_DEACTIVATED.
 */
export function commandRetries(
  { db, clock, config }: OrderDeps,
  { endpointId, order, note }: RetriesCommand,
): Promise<number> {
  return boundedTransaction(db, async (tx) => {
    const endpoint = await lockServed(tx, endpointId);
    const { workspaceId, mode } = endpoint;
    const context = { scope: { workspaceId, mode }, ...operatorCause(note, clock.now()) };
    const target = { type: 'webhook_endpoint', id: endpointId };
    return runCommand(tx, context, {
      command: { action: actions[order], target, workspaceId },
      otherwise: 0,
      effect: () => {
        const isOpen = isBreakerOpen(endpoint.failuresInRow, config.webhooks.breakerFailures);
        return effects[order](tx, context, { ...endpoint, isOpen });
      },
    });
  });
}

/** The next batch of what `give_up` began. */
export function giveUpMore(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  endpointId: string,
): Promise<number> {
  return boundedTransaction(db, (tx) => deadLetters(tx, endpointId, clock.now()));
}

/** The workflow was cancelled: its retries wait, and no repair takes them up. */
export async function pauseRetries(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  endpointId: string,
): Promise<void> {
  await boundedTransaction(db, (tx) => pause(tx, clock.now(), endpointId));
}

interface CommandedEndpoint extends LockedEndpoint {
  /** The breaker's. */
  isOpen: boolean;
}
type Effect = (tx: Tx, context: CommandContext, endpoint: CommandedEndpoint) => Promise<number>;

const effects: Record<RetriesCommandName, Effect> = {
  /** Behind an open breaker the next probe is due, else the retries that would be due first. */
  async retry_now(tx, { now }, { id, isOpen }) {
    await endPause(tx, id, isOpen ? now : null);
    const moved = isOpen ? 0 : await makeDue(tx, id, now);
    await wakeDispatchers(tx);
    return moved;
  },

  async close_breaker(tx, _context, { id, retriesPausedAt }) {
    await saveHealth(tx, [{ endpointId: id, health: { ...healthy, retriesPausedAt } }]);
    await wakeDispatchers(tx);
    return 0;
  },

  async pause(tx, { now }, { id }) {
    await pause(tx, now, id);
    return 0;
  },

  /** The merchant is notified of them, as of any first dead letter. */
  async give_up(tx, context, endpoint) {
    const moved = await deadLetters(tx, endpoint.id, context.now);
    const isFirst = moved > 0 && endpoint.deadLetterNoticedAt === null;
    await endPause(tx, endpoint.id, endpoint.isOpen ? endpoint.nextProbeAt : null);
    if (isFirst) {
      await update(tx, WebhookEndpoint, {
        set: { deadLetterNoticedAt: context.now },
        where: { id: endpoint.id },
      });
    }
    const notice = endpointNotice(endpoint, { type: 'webhook.dead_letter', reason: null });
    await notify(tx, context, isFirst ? [notice] : []);
    return moved;
  },
};

/** A pause plans probes as an open breaker does: with it they end, unless the breaker is open. */
async function endPause(tx: Tx, endpointId: string, nextProbeAt: Date | null): Promise<void> {
  await execute(
    tx,
    `UPDATE webhook_endpoints SET retries_paused_at = NULL, next_probe_at = $2,
       probe_id = CASE WHEN $2::timestamptz IS NULL THEN NULL ELSE probe_id END WHERE id = $1`,
    [endpointId, nextProbeAt],
  );
}

async function pause(tx: Tx, now: Date, endpointId: string): Promise<void> {
  await execute(
    tx,
    `UPDATE webhook_endpoints
        SET retries_paused_at = coalesce(retries_paused_at, $2), probe_id = NULL, retries_wake_at = NULL
      WHERE id = $1`,
    [endpointId, now],
  );
}

async function lockServed(tx: Tx, endpointId: string): Promise<LockedEndpoint> {
  const endpoint = await queryOne<LockedEndpoint>(
    tx,
    `SELECT ${lockedColumns} FROM webhook_endpoints AS e WHERE e.id = $1 FOR NO KEY UPDATE`,
    [endpointId],
  );
  if (!endpoint || endpoint.deletedAt !== null) throw new AppError('WEBHOOK_NOT_FOUND');
  if (endpoint.activeSince === null) throw new AppError('WEBHOOK_DEACTIVATED');
  return endpoint;
}

/** A delivery that nobody is sending at this moment. */
const isFree = '(d.lease_until IS NULL OR d.lease_until < now())';
const giveUp = movingSql(deliveryMoves, { trigger: 'give_up', to: 'dead_letter', of: 'd' });

/**
 * Makes retries due now. Deliveries of kinds that are no longer subscribed to stay at their time:
 * what cancels them walks by that time, and would pass over those that jump behind it.
 */
function makeDue(tx: Tx, endpointId: string, now: Date): Promise<number> {
  return execute(
    tx,
    `WITH first AS (
       SELECT d.id FROM webhook_deliveries AS d
        WHERE d.endpoint_id = $1 AND d.status = 'retrying' AND d.next_attempt_at > $2 AND ${isFree}
          AND ${isSubscribedSql}
        ORDER BY d.next_attempt_at, d.id LIMIT ${rowsAtOnce} FOR UPDATE SKIP LOCKED
     )
     UPDATE webhook_deliveries AS d SET next_attempt_at = $2 FROM first WHERE d.id = first.id`,
    [endpointId, now],
  );
}

function deadLetters(tx: Tx, endpointId: string, now: Date): Promise<number> {
  return execute(
    tx,
    `WITH given AS (
       SELECT d.id FROM webhook_deliveries AS d
        WHERE d.endpoint_id = $1 AND ${giveUp.where} AND ${isFree}
        ORDER BY d.next_attempt_at, d.id LIMIT ${rowsAtOnce} FOR UPDATE SKIP LOCKED
     )
     UPDATE webhook_deliveries AS d
        SET ${giveUp.set}, next_attempt_at = NULL, last_attempt_at = coalesce(last_attempt_at, $2)
       FROM given WHERE d.id = given.id`,
    [endpointId, now],
  );
}
