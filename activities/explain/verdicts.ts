import { findById } from '../../entities/database/find';
import { WebhookDelivery } from '../../entities/tables/webhooks/webhook-delivery.entity';
import { selectList } from '../../entities/database/columns';
import { query, type Db } from '../../entities/database/sql';
import {
  whyNotApproved,
  type ApprovalFacts,
} from '../../entities/rules/commissions/why-not-approved';
import { whyNotArrived, type ArrivalFacts } from '../../entities/rules/webhooks/why-not-arrived';
import { Commission } from '../../entities/tables/commissions/commission.entity';
import type { Config } from '../../runtime/config/config';
import type { Subject } from './subject';

export interface Asked {
  subject: Subject;
  /** The one endpoint to explain; null for all of the workspace and mode. */
  endpointId: string | null;
  now: Date;
}

const ofCommission = selectList(Commission, 'c', [
  'status',
  'holdUntil',
  'holdElapsed',
  'autoApprove',
  'reviewReasons',
  'approvedAt',
]);

/** A sentence for each commission and each webhook that a subject is about. */
export async function verdictsOn(
  db: Db,
  { webhooks }: Pick<Config, 'webhooks'>,
  asked: Asked,
): Promise<string[]> {
  const { subject, now } = asked;
  const ids = [subject.id, ...subject.related];
  const commissions = await query<Omit<ApprovalFacts, 'now'> & { id: string }>(
    db,
    `SELECT c.id, ${ofCommission}, p.erased_at IS NOT NULL AS "isPartnerErased"
       FROM commissions AS c JOIN participants AS p ON p.id = c.participant_id
      WHERE c.id = ANY($1)`,
    [ids],
  );
  const approvals = commissions.map(
    ({ id, ...facts }) => `Commission ${id}: ${whyNotApproved({ ...facts, now })}`,
  );
  return [...approvals, ...(await arrivals(db, webhooks, asked))];
}

interface Arrival {
  eventId: string | null;
  endpointId: string;
  event: { type: string; occurredAt: string } | null;
  endpoint: Record<keyof ArrivalFacts['endpoint'], never>;
  delivery: Record<keyof NonNullable<ArrivalFacts['delivery']>, never> | null;
  relay: ArrivalFacts['relay'];
}

// The endpoints of each event's workspace and mode, with the last delivery; the first ten of both.
const arrivalsSql = `
  WITH told AS MATERIALIZED (
    SELECT v.* FROM events v
     WHERE v.workspace_id = $2 AND v.mode = $3 AND (v.id = ANY($1) OR v.object_id = ANY($1))
     ORDER BY v.occurred_at DESC LIMIT 10
  ), heard AS MATERIALIZED (
    SELECT e.* FROM webhook_endpoints e
     WHERE e.workspace_id = $2 AND e.mode = $3 AND ($4::uuid IS NULL OR e.id = $4)
     ORDER BY e.created_at LIMIT 10
  )
  SELECT v.id AS "eventId", e.id AS "endpointId",
    CASE WHEN v.id IS NOT NULL THEN
      json_build_object('type', v.type, 'occurredAt', v.occurred_at) END AS event,
    json_build_object('activeSince', e.active_since, 'deletedAt', e.deleted_at,
      'disabledReason', e.disabled_reason, 'subscribedSince', e.subscribed_since,
      'failuresInRow', e.failures_in_row, 'nextProbeAt', e.next_probe_at,
      'retriesPausedAt', e.retries_paused_at) AS endpoint,
    CASE WHEN d.id IS NOT NULL THEN
      json_build_object('status', d.status, 'attempts', d.attempts, 'nextAttemptAt', d.next_attempt_at,
        'lastAttemptAt', d.last_attempt_at, 'httpStatusCode', d.http_status_code,
        'errorMessage', d.error_message) END AS delivery,
    CASE WHEN v.id IS NULL THEN 'done'
         WHEN EXISTS (SELECT 1 FROM outbox o WHERE o.topic = 'event_deliveries'
                       AND (o.ref = v.id OR o.payload->'others' ? v.id::text)) THEN 'waits'
         WHEN EXISTS (SELECT 1 FROM outbox_dead o WHERE o.topic = 'event_deliveries'
                       AND (o.ref = v.id OR o.payload->'others' ? v.id::text)) THEN 'given up'
         ELSE 'done' END AS relay
    FROM heard e LEFT JOIN told v ON true
    LEFT JOIN LATERAL (SELECT * FROM webhook_deliveries l
                        WHERE l.event_id = v.id AND l.endpoint_id = e.id
                        ORDER BY l.created_at DESC LIMIT 1) AS d ON true
   ORDER BY v.occurred_at, e.created_at`;

async function arrivals(
  db: Db,
  webhooks: Config['webhooks'],
  { subject, endpointId }: Asked,
): Promise<string[]> {
  const { kind, workspaceId, mode } = subject;
  if (workspaceId === null || mode === null || kind === 'mail') return [];
  const delivery = await endpointOf(db, subject);
  const rows = await query<Arrival>(db, arrivalsSql, [
    kind === 'webhook endpoint' ? [] : [subject.id, ...subject.related],
    workspaceId,
    mode,
    endpointId ?? delivery,
  ]);
  return rows.map((row) => {
    const about = row.eventId === null ? '' : ` of evt_${row.eventId}`;
    const sentence = whyNotArrived(factsOf(row, webhooks));
    return `Webhook${about} to endpoint ${row.endpointId}: ${sentence}`;
  });
}

/** A delivery's endpoint, or the endpoint itself. */
async function endpointOf(db: Db, { kind, id }: Subject): Promise<string | null> {
  if (kind === 'webhook endpoint') return id;
  if (kind !== 'webhook delivery') return null;
  const delivery = await findById(db, WebhookDelivery, id);
  return delivery?.endpointId ?? null;
}

/** JSON has its times as texts. */
function factsOf(
  row: Arrival,
  { retrySchedule, breakerFailures }: Config['webhooks'],
): ArrivalFacts {
  const { event, endpoint, delivery, relay } = row;
  return {
    event: event && { type: event.type, occurredAt: new Date(event.occurredAt) },
    endpoint: {
      ...endpoint,
      ...timesIn(endpoint, ['activeSince', 'deletedAt', 'nextProbeAt', 'retriesPausedAt']),
    } as ArrivalFacts['endpoint'],
    delivery:
      delivery &&
      ({
        ...delivery,
        ...timesIn(delivery, ['nextAttemptAt', 'lastAttemptAt']),
      } as ArrivalFacts['delivery']),
    relay,
    attemptsInAll: retrySchedule.length,
    breakerFailures,
  };
}

function timesIn<K extends string>(
  of: Record<K, string | null>,
  names: readonly K[],
): Record<K, Date | null> {
  const times = names.map((name) => [name, of[name] === null ? null : new Date(of[name])]);
  return Object.fromEntries(times) as Record<K, Date | null>;
}
