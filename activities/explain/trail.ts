import { query, type Db } from '../../entities/database/sql';
import { firstIdAt, uuidTime } from '../../entities/ids';
import { minuteMs } from '../../entities/rules/values/duration';
import { inTime, tooSlow } from './in-time';
import type { Subject } from './subject';

/** One thing that is known. Ids, codes, sums and times: nothing personal, no secret. */
export interface Entry {
  at: Date;
  what: string;
}

// $1 ids, $2 workspace, $3 mode; of the audit log $3 the first moment, $4 the first id.
const ofRows = `
  SELECT created_at AS at, format('conversion %s: %s, %s %s, reported as %s', id, reason, amount_cents,
           currency, external_transaction_id) AS what
    FROM conversions WHERE id = ANY($1)
  UNION ALL SELECT created_at, format('refund of %s of conversion %s', amount_cents, conversion_id)
    FROM conversion_refunds WHERE conversion_id = ANY($1)
  UNION ALL SELECT created_at, format('commission %s: now %s, %s %s', id, status, amount_cents, currency)
    FROM commissions WHERE id = ANY($1)
  UNION ALL SELECT at, format('history of commission %s: %s -> %s by %s (%s)', commission_id,
           coalesce(from_status, 'new'), to_status, actor_type, trigger)
    FROM commission_history WHERE commission_id = ANY($1)
  UNION ALL SELECT created_at, format('ledger of commission %s: %s %s %s', commission_id, type,
           amount_cents, currency)
    FROM ledger_entries WHERE commission_id = ANY($1)
  UNION ALL SELECT received_at, format('%s event %s (%s %s)%s: %s after %s attempts%s', initcap(biller), id,
           type, stripe_event_id, CASE WHEN recovered THEN ', which no webhook brought' ELSE '' END,
           status, attempts, coalesce('; ' || error, ''))
    FROM stripe_events
   WHERE id = ANY($1) OR payment_id IN
     (SELECT p.id FROM stripe_payments p WHERE p.conversion_id = ANY($1))
  UNION ALL SELECT asked_at, format('code %s at %s%s: %s%s', id, initcap(biller),
           CASE WHEN removed_at IS NULL THEN '' ELSE ', taken away' END, status,
           coalesce('; ' || message, ''))
    FROM biller_codes WHERE id = ANY($1)
  UNION ALL SELECT created_at, format('mail %s (%s): %s', id, type, status)
    FROM mails WHERE id = ANY($1)
  UNION ALL SELECT erased_at, format('erasure %s of the %s: %s', id, kind, status)
    FROM erasures WHERE id = ANY($1)
  UNION ALL SELECT created_at, format('reset %s: %s', id, status)
    FROM test_data_resets WHERE id = ANY($1)
  UNION ALL SELECT created_at, format('endpoint %s: %s failures in a row%s%s', id, failures_in_row,
           CASE WHEN active_since IS NULL THEN ', inactive' ELSE '' END,
           CASE WHEN retries_paused_at IS NULL THEN '' ELSE ', retries paused' END)
    FROM webhook_endpoints WHERE id = ANY($1)`;

const ofWork = `
  SELECT created_at AS at, format('outbox %s of %s waits: %s attempts%s', topic, ref, attempts,
           coalesce(', ' || error_code, '')) AS what
    FROM outbox WHERE ref = ANY($1) OR payload->'others' ?| $1::text[]
  UNION ALL SELECT died_at, format('outbox_dead %s of %s: %s, %s times', topic, ref, error_code, times)
    FROM outbox_dead WHERE ref = ANY($1)`;

const ofScope = `
  SELECT created_at AS at, format('audit: %s of %s %s by %s%s', action, target_type, target_id,
           actor_type, coalesce(', request ' || request_id, '')) AS what
    FROM audit_log
   WHERE (workspace_id = $2 OR $2::uuid IS NULL) AND created_at >= $3 AND id >= $4 AND (id = ANY($1) OR target_id = ANY($1::text[]))`;

const ofEvents = `
  SELECT id, occurred_at AS at, format('event evt_%s %s of %s%s', id, type, object_id,
           coalesce(', request ' || request_id, '')) AS what
    FROM events WHERE workspace_id = $2 AND mode = $3 AND (id = ANY($1) OR object_id = ANY($1))`;

const ofDeliveries = `
  SELECT created_at AS at, format('delivery %s of evt_%s to endpoint %s: %s', id, event_id,
           endpoint_id, status) AS what
    FROM webhook_deliveries WHERE event_id = ANY($1)
  UNION ALL SELECT a.at, format('attempt %s of delivery %s: %s', a.attempt, a.delivery_id,
           coalesce(a.http_status_code::text, a.error_message, 'no answer'))
    FROM webhook_deliveries d JOIN webhook_attempts a ON a.delivery_id = d.id
   WHERE d.event_id = ANY($1)`;

/** All that the database knows of subjects and what they lead to, in the order in which it happened. */
export async function trailOf(db: Db, subject: Subject, partMs: number): Promise<Entry[]> {
  const ids = [subject.id, ...subject.related];
  const { workspaceId, mode } = subject;
  const part = (name: string, sql: string, values: unknown[]): Promise<TrailEntry[]> =>
    inTime<TrailEntry>(db, partMs, {
      read: (tx) => query(tx, sql, values),
      orSay: () => ({ at: new Date(), what: `${name}: ${tooSlow}` }),
    });
  const events = await part('events', ofEvents, [ids, workspaceId, mode]);
  const eventIds = events.flatMap(({ id }) => id ?? []);
  const others = await Promise.all([
    part('rows', ofRows, [ids]),
    part('the outbox', ofWork, [[...ids, ...eventIds]]),
    part('the audit log', ofScope, [ids, workspaceId, ...sinceFirst(ids)]),
    part('deliveries', ofDeliveries, [eventIds]),
  ]);
  return [...events, ...others.flat()]
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
    .slice(0, 1_000);
}

type TrailEntry = Entry & { id?: string };

/**
 * The earliest time and the least id that a line of the trail can have: no log speaks of a record before the record
 * was made, so tables of the past need not be read further back.
 */
function sinceFirst(ids: readonly string[]): [Date, string] {
  const first = new Date(Math.min(...ids.map((id) => uuidTime(id).getTime())) - minuteMs);
  return [first, firstIdAt(first)];
}
