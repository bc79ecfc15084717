import { AppError } from '../../entities/errors';
import { dateRange } from '../../entities/rules/values/instant';
import { eventEnvelope, type StoredEvent } from '../../entities/rules/webhooks/envelope';
import { selectList } from '../../entities/database/columns';
import { countFrom, query, queryOne, type Db } from '../../entities/database/sql';
import { Event } from '../../entities/tables/journal/event.entity';
import { WebhookAttempt } from '../../entities/tables/webhooks/webhook-attempt.entity';
import { WebhookDelivery } from '../../entities/tables/webhooks/webhook-delivery.entity';
import { pageWindow } from '../http/contract/pagination';
import {
  attemptColumns,
  deliveryColumns,
  type AttemptRow,
  type DeliveryDetail,
  type DeliveryFilter,
  type DeliveryRow,
} from './webhook-deliveries.dto';

/**
 * With the breaker (its limit is a parameter) open, a delivery waits for the endpoint's next probe; with
 * the retries paused by an operator one that was tried waits for no time that is known.
 */
const columns = (
  breakerFailures: string,
): string => `${selectList(WebhookDelivery, 'd', deliveryColumns)},
  CASE WHEN d.status NOT IN ('pending', 'retrying') THEN NULL
       WHEN e.retries_paused_at IS NOT NULL AND d.status = 'retrying' THEN NULL
       WHEN e.failures_in_row >= ${breakerFailures} THEN greatest(d.next_attempt_at, e.next_probe_at)
       ELSE d.next_attempt_at END AS "nextAttemptAt"`;

const source = `webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id`;

interface EndpointView {
  /** An endpoint that the caller may see. */
  endpointId: string;
  breakerFailures: number;
}

const filtered = `d.endpoint_id = $1
  AND ($2::text IS NULL OR d.status = $2)
  AND ($3::text IS NULL OR d.event_type = $3)
  AND ($4::timestamptz IS NULL OR d.created_at >= $4)
  AND ($5::timestamptz IS NULL OR d.created_at < $5)`;

/** The deliveries of an endpoint, newest first. */
export async function listDeliveries(
  db: Db,
  { endpointId, breakerFailures }: EndpointView,
  filter: DeliveryFilter,
): Promise<{ rows: DeliveryRow[]; total: number }> {
  const { limit, offset } = pageWindow(filter);
  const { from, to } = dateRange(filter);
  const params = [endpointId, filter.status ?? null, filter.eventType ?? null, from, to];
  const rows = await query<DeliveryRow>(
    db,
    `SELECT ${columns('$6')} FROM ${source}
      WHERE ${filtered} ORDER BY d.created_at DESC, d.id DESC LIMIT $7 OFFSET $8`,
    [...params, breakerFailures, limit, offset],
  );
  const total = await countFrom(db, `webhook_deliveries d WHERE ${filtered}`, params);
  return { rows, total };
}

const ofEvent = ['seq', 'mode', 'object', 'occurredAt', 'requestId'] as const;

type KeptEvent = Pick<StoredEvent & Event, (typeof ofEvent)[number]>;

/** Of an event that is no longer kept there is nothing. */
type DetailRow = DeliveryRow &
  Pick<WebhookDelivery, 'responseBody'> &
  (KeptEvent | Record<keyof KeptEvent, null>);

/** One delivery with its payload as long as the event is kept, the last answer and all attempts, or WEBHOOK_DELIVERY_NOT_FOUND. */
export async function getDelivery(
  db: Db,
  { endpointId, breakerFailures, deliveryId }: EndpointView & { deliveryId: string },
): Promise<DeliveryDetail> {
  const row = await queryOne<DetailRow>(
    db,
    `SELECT ${columns('$3')}, ${selectList(WebhookDelivery, 'd', ['responseBody'])},
       ${selectList(Event, 'v', ofEvent)}
       FROM ${source} LEFT JOIN events v ON v.id = d.event_id
      WHERE d.endpoint_id = $1 AND d.id = $2`,
    [endpointId, deliveryId, breakerFailures],
  );
  if (!row) throw new AppError('WEBHOOK_DELIVERY_NOT_FOUND');

  const attempts = await query<AttemptRow>(
    db,
    `SELECT ${selectList(WebhookAttempt, 'a', attemptColumns)}
       FROM webhook_attempts AS a WHERE a.delivery_id = $1 ORDER BY a.attempt`,
    [deliveryId],
  );
  const payload =
    row.seq === null ? null : eventEnvelope({ ...row, id: row.eventId, type: row.eventType });
  const { responseBody, requestId } = row;
  return { delivery: row, payload, requestId, responseBody, attempts };
}
