import { AppError } from '../../entities/errors';
import { selectList } from '../../entities/database/columns';
import { type Db, queryOne, type Tx } from '../../entities/database/sql';
import type { Scope } from '../../entities/rules/values/mode';
import { WebhookDelivery } from '../../entities/tables/webhooks/webhook-delivery.entity';
import { WebhookEndpoint } from '../../entities/tables/webhooks/webhook-endpoint.entity';

const used = [
  'id',
  'workspaceId',
  'mode',
  'url',
  'description',
  'events',
  'subscribedSince',
  'activeSince',
  'secretEncrypted',
  'previousSecretEncrypted',
  'previousSecretUntil',
] as const satisfies (keyof WebhookEndpoint)[];

/** An endpoint with what its changes need. */
export type EndpointRow = Pick<WebhookEndpoint, (typeof used)[number]>;

const endpointColumns = selectList(WebhookEndpoint, 'e', used);

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
    `SELECT ${endpointColumns} FROM webhook_endpoints AS e
      WHERE e.id = $1 AND e.workspace_id = $2 AND e.mode = $3 AND e.deleted_at IS NULL ${lock}`,
    [endpointId, scope.workspaceId, scope.mode],
  );
}

function found(endpoint: EndpointRow | undefined): EndpointRow {
  if (!endpoint) throw new AppError('WEBHOOK_NOT_FOUND');
  return endpoint;
}

const keyOf = ['id', 'eventId', 'eventType', 'status'] as const satisfies (keyof WebhookDelivery)[];

export type DeliveryKey = Pick<WebhookDelivery, (typeof keyOf)[number]>;

/** A delivery of this endpoint, or WEBHOOK_DELIVERY_NOT_FOUND. */
export async function lockDelivery(
  tx: Tx,
  endpoint: Pick<EndpointRow, 'id'>,
  deliveryId: string,
): Promise<DeliveryKey> {
  const delivery = await queryOne<DeliveryKey>(
    tx,
    `SELECT ${selectList(WebhookDelivery, 'd', keyOf)} FROM webhook_deliveries AS d
      WHERE d.id = $1 AND d.endpoint_id = $2 FOR UPDATE`,
    [deliveryId, endpoint.id],
  );
  if (!delivery) throw new AppError('WEBHOOK_DELIVERY_NOT_FOUND');
  return delivery;
}
