import { AppError } from '../../entities/errors';
import type { Mode, Scope } from '../../entities/rules/values/mode';
import type { SubscribedSince, Subscription } from '../../entities/rules/webhooks/events';
import type { DeliveryStatus } from '../../entities/rules/webhooks/retry';
import { type Db, queryOne, type Tx } from '../../entities/database/sql';

/** An endpoint with what its changes need. */
export interface EndpointRow {
  id: string;
  workspaceId: string;
  mode: Mode;
  url: string;
  description: string | null;
  events: Subscription[];
  subscribedSince: SubscribedSince;
  activeSince: Date | null;
  secretEncrypted: string;
  previousSecretEncrypted: string | null;
  previousSecretUntil: Date | null;
}

const endpointColumns = `id, workspace_id AS "workspaceId", mode, url, description, events,
  subscribed_since AS "subscribedSince", active_since AS "activeSince",
  secret_encrypted AS "secretEncrypted", previous_secret_encrypted AS "previousSecretEncrypted",
  previous_secret_until AS "previousSecretUntil"`;

/** The endpoint of this workspace and mode, or WEBHOOK_NOT_FOUND. */
export async function getEndpoint(db: Db, scope: Scope, endpointId: string): Promise<EndpointRow> {
  return found(await findEndpoint(db, { scope, endpointId, lock: '' }));
}

/** The same, locked until the transaction ends. */
export async function lockEndpoint(tx: Tx, scope: Scope, endpointId: string): Promise<EndpointRow> {
  return found(await findEndpoint(tx, { scope, endpointId, lock: 'FOR NO KEY UPDATE' }));
}

/** The same, kept from being changed; others may look at it in the same way. */
export async function holdEndpoint(tx: Tx, scope: Scope, endpointId: string): Promise<EndpointRow> {
  return found(await findEndpoint(tx, { scope, endpointId, lock: 'FOR SHARE' }));
}

interface EndpointQuery {
  scope: Scope;
  endpointId: string;
  lock: '' | 'FOR SHARE' | 'FOR NO KEY UPDATE';
}

function findEndpoint(
  db: Db,
  { scope, endpointId, lock }: EndpointQuery,
): Promise<EndpointRow | undefined> {
  return queryOne<EndpointRow>(
    db,
    `SELECT ${endpointColumns} FROM webhook_endpoints
      WHERE id = $1 AND workspace_id = $2 AND mode = $3 AND deleted_at IS NULL ${lock}`,
    [endpointId, scope.workspaceId, scope.mode],
  );
}

function found(endpoint: EndpointRow | undefined): EndpointRow {
  if (!endpoint) throw new AppError('WEBHOOK_NOT_FOUND');
  return endpoint;
}

export interface DeliveryKey {
  id: string;
  eventId: string;
  eventType: string;
  status: DeliveryStatus;
}

/** A delivery of this endpoint, or WEBHOOK_DELIVERY_NOT_FOUND. */
export async function lockDelivery(
  tx: Tx,
  endpoint: Pick<EndpointRow, 'id'>,
  deliveryId: string,
): Promise<DeliveryKey> {
  const delivery = await queryOne<DeliveryKey>(
    tx,
    `SELECT id, event_id AS "eventId", event_type AS "eventType", status FROM webhook_deliveries
      WHERE id = $1 AND endpoint_id = $2 FOR UPDATE`,
    [deliveryId, endpoint.id],
  );
  if (!delivery) throw new AppError('WEBHOOK_DELIVERY_NOT_FOUND');
  return delivery;
}
