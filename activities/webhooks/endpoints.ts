import { AppError, validationError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import type { Scope } from '../../entities/rules/values/mode';
import {
  resubscribe,
  subscriptionsRefusal,
  unsubscribedKinds,
  type Subscription,
} from '../../entities/rules/webhooks/events';
import { healthy } from '../../entities/rules/webhooks/health';
import { insertAll } from '../../entities/database/insert-all';
import {
  countFrom,
  type Db,
  execute,
  queryOne,
  rowsAtOnce,
  transaction,
  type Tx,
} from '../../entities/database/sql';
import { WebhookEndpoint } from '../../entities/tables/webhooks/webhook-endpoint.entity';
import type { CommandContext } from '../journal/cause';
import { record } from '../journal/record';
import { retryWhileLocked } from '../../runtime/load/retry';
import type { Deps } from '../../runtime/process/deps';
import { newSigningSecret } from '../../runtime/crypto/webhook-signature';
import { cancelOpenDeliveries, cancelRest, saveHealth } from './endpoint-health';
import { getEndpoint, lockEndpoint, type EndpointRow } from './read';
import { cancelUnsubscribed } from './unsubscribe';

const maxEndpoints = 10;

export interface CreateEndpoint {
  url: string;
  events: Subscription[];
  description?: string | null | undefined;
}

/**
 * Creates an endpoint whose URL was checked; its id and its secret, which is shown only now.
 * WEBHOOK_ENDPOINT_LIMIT_EXCEEDED, also when several are created at once.
 */
export async function createEndpoint(
  { db, vault }: Pick<Deps, 'vault'> & { db: Db },
  context: CommandContext,
  { url, events, description = null }: CreateEndpoint,
): Promise<{ id: string; signingSecret: string }> {
  refuseBadSubscriptions(events);
  const { scope, now } = context;
  const id = newId();
  const signingSecret = newSigningSecret();
  const row = {
    id,
    workspaceId: scope.workspaceId,
    mode: scope.mode,
    url,
    description,
    events,
    subscribedSince: resubscribe({}, events, now),
    activeSince: now,
    secretEncrypted: vault.encrypt(signingSecret, ['webhook_endpoints.secret', id]),
    createdAt: now,
    updatedAt: now,
  };
  await transaction(db, async (tx) => {
    await requireRoom(tx, scope);
    await insertAll(tx, { into: WebhookEndpoint, rows: [row] });
    await auditEndpoint(tx, context, { id, action: 'webhook.created' });
  });
  return { id, signingSecret };
}

/** Holds the workspace's row, so that of parallel creates only as many as there is room for pass. */
async function requireRoom(tx: Tx, { workspaceId, mode }: Scope): Promise<void> {
  await queryOne(tx, `SELECT 1 FROM workspaces WHERE id = $1 FOR NO KEY UPDATE`, [workspaceId]);
  const present = await countFrom(
    tx,
    'webhook_endpoints WHERE workspace_id = $1 AND mode = $2 AND deleted_at IS NULL',
    [workspaceId, mode],
  );
  if (present >= maxEndpoints) throw new AppError('WEBHOOK_ENDPOINT_LIMIT_EXCEEDED');
}

export interface UpdateEndpoint {
  endpointId: string;
  url?: string | undefined;
  events?: Subscription[] | undefined;
  description?: string | null | undefined;
  active?: boolean | undefined;
}

/**
 * Changes an endpoint; a new URL was checked before. Activating clears why it was disabled and what
 * is known of its health; deactivating cancels what waits for it, and unsubscribing from a kind what
 * waits of that. WEBHOOK_NOT_FOUND.
 */
export async function updateEndpoint(
  db: Db,
  context: CommandContext,
  command: UpdateEndpoint,
): Promise<void> {
  if (command.events) refuseBadSubscriptions(command.events);
  if (command.active === true) await cancelBacklog(db, context, command);
  const cancelled = await transaction(db, async (tx) => {
    const before = await lockEndpoint(tx, context.scope, command.endpointId);
    const after = changed(before, command, context.now);
    await writeEndpoint(tx, after, context.now);
    await auditEndpoint(tx, context, { id: before.id, action: 'webhook.updated' });
    if (after.activeSince === null) return cancelOpenDeliveries(tx, before.id);
    const kinds = unsubscribedKinds(before.events, after.events);
    await cancelUnsubscribed(tx, context, { endpointId: before.id, kinds });
    if (before.activeSince === null)
      await saveHealth(tx, [{ endpointId: before.id, health: healthy }]);
    return 0;
  });
  await cancelOthers(db, command.endpointId, cancelled);
}

/** Cancels the rest after the commit: what a failure leaves is the sweeper's. */
async function cancelOthers(db: Db, endpointId: string, cancelled: number): Promise<void> {
  if (cancelled === rowsAtOnce) await cancelRest(db, endpointId).catch(() => undefined);
}

/** Some seconds' worth; each batch is committed, so that the next request goes on. */
const maxBacklog = 200_000;

/**
 * What an inactive endpoint was not sent is cancelled before it is active again: deactivating cancels
 * some and leaves the rest to the sweeper. Nothing new comes for it meanwhile.
 */
async function cancelBacklog(
  db: Db,
  { scope }: CommandContext,
  { endpointId }: UpdateEndpoint,
): Promise<void> {
  await getEndpoint(db, scope, endpointId);
  const cancelled = await retryWhileLocked(db, () =>
    cancelRest(db, endpointId, { max: maxBacklog }),
  );
  if (cancelled < maxBacklog) return;
  throw new AppError('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '5' } });
}

function changed(before: EndpointRow, command: UpdateEndpoint, now: Date): EndpointRow {
  const { url = before.url, events, description = before.description } = command;
  const active = command.active ?? before.activeSince !== null;
  const subscribedSince = events
    ? resubscribe(before.subscribedSince, events, now)
    : before.subscribedSince;
  return {
    ...before,
    url,
    description,
    events: events ?? before.events,
    subscribedSince,
    activeSince: active ? (before.activeSince ?? now) : null,
  };
}

/** The reason why the service disabled it goes when it is active again. */
async function writeEndpoint(tx: Tx, endpoint: EndpointRow, now: Date): Promise<void> {
  await execute(
    tx,
    `UPDATE webhook_endpoints
        SET url = $2, events = $3, subscribed_since = $4, description = $5, active_since = $6,
            disabled_reason = CASE WHEN $6::timestamptz IS NULL THEN disabled_reason END,
            updated_at = $7
      WHERE id = $1`,
    [
      endpoint.id,
      endpoint.url,
      endpoint.events,
      JSON.stringify(endpoint.subscribedSince),
      endpoint.description,
      endpoint.activeSince,
      now,
    ],
  );
}

/** Deletes an endpoint for good and cancels what waits for it. WEBHOOK_NOT_FOUND. */
export async function deleteEndpoint(
  db: Db,
  context: CommandContext,
  { endpointId }: { endpointId: string },
): Promise<void> {
  const cancelled = await transaction(db, async (tx) => {
    const { id } = await lockEndpoint(tx, context.scope, endpointId);
    await execute(
      tx,
      `UPDATE webhook_endpoints
          SET deleted_at = $2, active_since = NULL, secret_encrypted = '',
              previous_secret_encrypted = NULL, previous_secret_until = NULL, updated_at = $2
        WHERE id = $1`,
      [id, context.now],
    );
    await auditEndpoint(tx, context, { id, action: 'webhook.deleted' });
    return cancelOpenDeliveries(tx, id);
  });
  await cancelOthers(db, endpointId, cancelled);
}

function refuseBadSubscriptions(events: readonly Subscription[]): void {
  const refusal = subscriptionsRefusal(events);
  if (refusal !== undefined) throw validationError('events', refusal);
}

export async function auditEndpoint(
  tx: Tx,
  context: CommandContext,
  { id, action }: { id: string; action: string },
): Promise<void> {
  await record(tx, context, { audit: { action, target: { type: 'webhook', id } } });
}
