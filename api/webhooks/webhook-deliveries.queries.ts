import { AppError } from '../../entities/errors';
import { dateRange } from '../../entities/rules/values/instant';
import { eventEnvelope, type StoredEvent } from '../../entities/rules/webhooks/envelope';
import { selectList } from '../../entities/database/columns';
import { newestFirst, readList, type Found } from '../../entities/database/list';
import { query, queryOne, type Db } from '../../entities/database/sql';
import { Event } from '../../entities/tables/journal/event.entity';
import { WebhookAttempt } from '../../entities/tables/webhooks/webhook-attempt.entity';
import { WebhookDelivery } from '../../entities/tables/webhooks/webhook-delivery.entity';
import {
  attemptColumns,
  deliveryColumns,
  type AttemptRow,
  type DeliveryDetail,
  type DeliveryFilter,
  type DeliveryRow,
} from './webhook-deliveries.dto';

/**
 * The columns of a delivery. While the breaker is open, a delivery waits for the endpoint's next
 * probe; while an operator has paused the retries, a delivery that was tried has no known time.
 */
const columns = (
  breakerFailures: number,
): string => `${selectList(WebhookDelivery, 'd', deliveryColumns)},
  CASE WHEN d.status NOT IN ('pending', 'retrying') THEN NULL
       WHEN e.retries_paused_at IS NOT NULL AND d.status = 'retrying' THEN NULL
       WHEN e.failures_in_row >= ${breakerFailures} THEN greatest(d.next_attempt_at, e.next_probe_at)
       ELSE d.next_attempt_at END AS "nextAttemptAt"`;

const from = 'webhook_deliveries d';
const joins = 'JOIN webhook_endpoints e ON e.id = d.endpoint_id';

interface EndpointView {
  /** An endpoint that the caller may see. */
  endpointId: string;
  breakerFailures: number;
}

/** The deliveries of an endpoint, newest first. */
export function listDeliveries(
  db: Db,
  { endpointId, breakerFailures }: EndpointView,
  filter: DeliveryFilter,
): Promise<Found<DeliveryRow>> {
  const { from: since, to } = dateRange(filter);
  const list = {
    columns: columns(breakerFailures),
    from,
    joins,
    where: `d.endpoint_id = $1
      AND ($2::text IS NULL OR d.status = $2)
      AND ($3::text IS NULL OR d.event_type = $3)
      AND ($4::timestamptz IS NULL OR d.created_at >= $4)
      AND ($5::timestamptz IS NULL OR d.created_at < $5)`,
    params: [endpointId, filter.status ?? null, filter.eventType ?? null, since, to],
    order: newestFirst('d'),
  };
  return readList(db, list, filter);
}

const ofEvent = ['seq', 'mode', 'object', 'occurredAt', 'requestId'] as const;

type KeptEvent = Pick<StoredEvent & Event, (typeof ofEvent)[number]>;

/** A delivery with what is kept of its event, which may be nothing. */
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
    `SELECT ${columns(breakerFailures)}, ${selectList(WebhookDelivery, 'd', ['responseBody'])},
       ${selectList(Event, 'v', ofEvent)}
       FROM ${from} ${joins} LEFT JOIN events v ON v.id = d.event_id
      WHERE d.endpoint_id = $1 AND d.id = $2`,
    [endpointId, deliveryId],
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
