import { AppError, validationError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import type { Mode, Scope } from '../../entities/rules/values/mode';
import {
  resubscribe,
  subscriptionsRefusal,
  type Subscription,
} from '../../entities/rules/webhooks/events';
import { healthy } from '../../entities/rules/webhooks/health';
import { mustBeHttps, parseWebhookUrl } from '../../entities/rules/webhooks/url';
import {
  countFrom,
  type Db,
  execute,
  queryOne,
  transaction,
  type Tx,
} from '../../entities/database/sql';
import { recordAudit } from '../journal/audit';
import type { Cause } from '../journal/cause';
import { BlockedAddressError } from '../runtime/outbound/address-guard';
import type { Deps } from '../runtime/process/deps';
import type { OutboundHttp } from '../runtime/outbound/http';
import { newSigningSecret } from '../runtime/crypto/webhook-signature';
import { cancelOpenDeliveries, saveHealth } from './endpoint-health';
import { lockEndpoint } from './read';

type Vault = Pick<Deps['vault'], 'encrypt' | 'decrypt'>;

const maxEndpoints = 10;

/**
 * Form, HTTPS and address of a receiver's URL, in this order. Asks the name servers, so it must not
 * run inside a transaction. VALIDATION_ERROR on `url`, WEBHOOK_URL_NOT_HTTPS,
 * WEBHOOK_URL_PRIVATE_IP, WEBHOOK_URL_UNRESOLVABLE.
 */
export async function checkReceiverUrl(
  http: Pick<OutboundHttp, 'checkHost'>,
  { mode, url: text }: { mode: Mode; url: string },
): Promise<void> {
  const parsed = parseWebhookUrl(text);
  if (!parsed.ok) throw validationError('url', parsed.message);
  if (mustBeHttps(mode, parsed.url)) throw new AppError('WEBHOOK_URL_NOT_HTTPS');

  try {
    await http.checkHost(parsed.url.hostname);
  } catch (error) {
    const isBlocked = error instanceof BlockedAddressError;
    throw new AppError(isBlocked ? 'WEBHOOK_URL_PRIVATE_IP' : 'WEBHOOK_URL_UNRESOLVABLE');
  }
}

export interface CreateEndpoint extends Cause {
  url: string;
  events: Subscription[];
  description?: string | null | undefined;
}

/**
 * Creates an endpoint whose URL was checked; its id and its secret, which is shown only now.
 * WEBHOOK_ENDPOINT_LIMIT_EXCEEDED, also when several are created at once.
 */
export async function createEndpoint(
  db: Db,
  { scope, vault }: { scope: Scope; vault: Vault },
  command: CreateEndpoint,
): Promise<{ id: string; signingSecret: string }> {
  refuseBadSubscriptions(command.events);
  const id = newId();
  const signingSecret = newSigningSecret();
  await transaction(db, async (tx) => {
    await requireRoom(tx, scope);
    await execute(
      tx,
      `INSERT INTO webhook_endpoints (id, workspace_id, mode, url, description, events,
         subscribed_since, active_since, secret_encrypted, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $8, $8)`,
      [
        id,
        scope.workspaceId,
        scope.mode,
        command.url,
        command.description ?? null,
        command.events,
        JSON.stringify(resubscribe({}, command.events, command.now)),
        command.now,
        vault.encrypt(signingSecret, ['webhook_endpoints.secret', id]),
      ],
    );
    await audit(tx, { scope, id, action: 'webhook.created', cause: command });
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

export interface UpdateEndpoint extends Cause {
  endpointId: string;
  url?: string | undefined;
  events?: Subscription[] | undefined;
  description?: string | null | undefined;
  active?: boolean | undefined;
}

/**
 * Changes an endpoint; a new URL was checked before. Activating clears why it was disabled and what
 * is known of its health; deactivating cancels what waits for it. WEBHOOK_NOT_FOUND.
 */
export async function updateEndpoint(db: Db, scope: Scope, command: UpdateEndpoint): Promise<void> {
  if (command.events) refuseBadSubscriptions(command.events);
  await transaction(db, async (tx) => {
    const endpoint = await lockEndpoint(tx, scope, command.endpointId);
    const { now } = command;
    const events = command.events ?? endpoint.events;
    const since = command.events
      ? resubscribe(endpoint.subscribedSince, events, now)
      : endpoint.subscribedSince;
    const active = command.active ?? endpoint.activeSince !== null;
    await execute(
      tx,
      `UPDATE webhook_endpoints
          SET url = $2, events = $3, subscribed_since = $4, description = $5, active_since = $6,
              disabled_reason = CASE WHEN $6::timestamptz IS NULL THEN disabled_reason END,
              updated_at = $7
        WHERE id = $1`,
      [
        endpoint.id,
        command.url ?? endpoint.url,
        events,
        JSON.stringify(since),
        command.description === undefined ? endpoint.description : command.description,
        active ? (endpoint.activeSince ?? now) : null,
        now,
      ],
    );
    if (active && endpoint.activeSince === null) await saveHealth(tx, endpoint.id, healthy);
    if (!active) await cancelOpenDeliveries(tx, endpoint.id);
    await audit(tx, { scope, id: endpoint.id, action: 'webhook.updated', cause: command });
  });
}

export interface EndpointCommand extends Cause {
  endpointId: string;
}

/** Deletes an endpoint for good and cancels what waits for it. WEBHOOK_NOT_FOUND. */
export async function deleteEndpoint(
  db: Db,
  scope: Scope,
  command: EndpointCommand,
): Promise<void> {
  await transaction(db, async (tx) => {
    const endpoint = await lockEndpoint(tx, scope, command.endpointId);
    await execute(
      tx,
      `UPDATE webhook_endpoints
          SET deleted_at = $2, active_since = NULL, secret_encrypted = '',
              previous_secret_encrypted = NULL, previous_secret_until = NULL, updated_at = $2
        WHERE id = $1`,
      [endpoint.id, command.now],
    );
    await cancelOpenDeliveries(tx, endpoint.id);
    await audit(tx, { scope, id: endpoint.id, action: 'webhook.deleted', cause: command });
  });
}

/**
 * A new secret, valid at once. For `overlapHours` the one before signs too; without an overlap it
 * is dead, and so is the one of a rotation that still ran. WEBHOOK_NOT_FOUND.
 */
export async function rotateSecret(
  db: Db,
  { scope, vault }: { scope: Scope; vault: Vault },
  command: EndpointCommand & { overlapHours: number },
): Promise<string> {
  const signingSecret = newSigningSecret();
  await transaction(db, async (tx) => {
    const endpoint = await lockEndpoint(tx, scope, command.endpointId);
    const overlapMs = command.overlapHours * 60 * 60 * 1_000;
    await execute(
      tx,
      `UPDATE webhook_endpoints
          SET secret_encrypted = $2, previous_secret_encrypted = $3, previous_secret_until = $4,
              updated_at = $5
        WHERE id = $1`,
      [
        endpoint.id,
        vault.encrypt(signingSecret, ['webhook_endpoints.secret', endpoint.id]),
        overlapMs > 0 ? endpoint.secretEncrypted : null,
        overlapMs > 0 ? new Date(command.now.getTime() + overlapMs) : null,
        command.now,
      ],
    );
    await audit(tx, { scope, id: endpoint.id, action: 'webhook.secret_rotated', cause: command });
  });
  return signingSecret;
}

function refuseBadSubscriptions(events: readonly Subscription[]): void {
  const refusal = subscriptionsRefusal(events);
  if (refusal !== undefined) throw validationError('events', refusal);
}

interface EndpointDeed {
  scope: Scope;
  id: string;
  action: string;
  cause: Cause;
}

async function audit(tx: Tx, { scope, id, action, cause }: EndpointDeed): Promise<void> {
  await recordAudit(tx, {
    workspaceId: scope.workspaceId,
    actor: cause.actor,
    action,
    target: { type: 'webhook', id },
    requestId: cause.requestId,
    at: cause.now,
  });
}
