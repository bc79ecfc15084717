import type { Deps } from '../../../runtime/process/deps';
import { systemCause } from '../../../activities/journal/cause';
import { recordEvent } from '../../../activities/journal/events';
import { fanOutEvents } from '../../../activities/webhooks/fan-out';
import { createEndpoint } from '../../../activities/webhooks/endpoints';
import { newId } from '../../../entities/ids';
import type { Scope } from '../../../entities/rules/values/mode';
import type { Subscription, WebhookEventKind } from '../../../entities/rules/webhooks/events';
import { exampleObject } from '../../../entities/rules/webhooks/examples';
import type { EventContent } from '../../../entities/rules/webhooks/objects';
import { execute, query, transaction } from '../../../entities/database/sql';

type BuildDeps = Pick<Deps, 'db' | 'vault' | 'clock' | 'config'>;

export interface BuiltEndpoint {
  id: string;
  url: string;
  signingSecret: string;
}

/** An active endpoint of this workspace and mode, subscribed to everything unless told. */
export async function buildEndpoint(
  deps: BuildDeps,
  scope: Scope,
  overrides: { url?: string; events?: Subscription[]; at?: Date } = {},
): Promise<BuiltEndpoint> {
  const url = overrides.url ?? 'http://127.0.0.1:65000/';
  const created = await createEndpoint(
    { db: deps.db.manager, vault: deps.vault },
    { scope, ...systemCause(overrides.at ?? deps.clock.now()) },
    { url, events: overrides.events ?? ['*'] },
  );
  return { ...created, url };
}

/** An event with its deliveries, as the relay makes them. Returns the event's id. */
export async function buildEvent(
  deps: BuildDeps,
  scope: Scope,
  overrides: { type?: WebhookEventKind; object?: Record<string, unknown>; at?: Date } = {},
): Promise<string> {
  const type = overrides.type ?? 'commission.created';
  const object: Record<string, unknown> = overrides.object ?? exampleObject(type);
  return transaction(deps.db, async (tx) => {
    const id = await recordEvent(tx, scope, {
      ...({ type, object } as EventContent),
      objectId: String(object['id'] ?? newId()),
      at: overrides.at ?? deps.clock.now(),
    });
    await fanOutEvents(tx, systemCause(deps.clock.now()), {
      eventIds: [id],
      firstDelayMs: deps.config.webhooks.retrySchedule[0] ?? 0,
    });
    await execute(tx, `DELETE FROM outbox WHERE ref = $1`, [id]);
    return id;
  });
}

/** Many events in few statements, without deliveries until `fanOutAll`. */
export async function buildEvents(deps: BuildDeps, scope: Scope, count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, () => ({ id: newId(), object: { id: newId() } }));
  await execute(
    deps.db.manager,
    `INSERT INTO events (id, workspace_id, mode, type, object_id, object, occurred_at)
     SELECT r.id, $2, $3, 'commission.created', r.id, r.object, $4
       FROM json_to_recordset($1) AS r(id uuid, object json)`,
    [JSON.stringify(rows), scope.workspaceId, scope.mode, deps.clock.now()],
  );
  return rows.map(({ id }) => id);
}

export async function fanOutAll(deps: BuildDeps, eventIds: readonly string[]): Promise<number> {
  let created = 0;
  for (let start = 0; start < eventIds.length; start += 500) {
    const fannedOut = await transaction(deps.db, (tx) =>
      fanOutEvents(tx, systemCause(deps.clock.now()), {
        eventIds: eventIds.slice(start, start + 500),
        firstDelayMs: 0,
      }),
    );
    created += fannedOut.created;
  }
  return created;
}

export interface SeenDelivery {
  id: string;
  eventId: string;
  endpointId: string;
  status: string;
  attempts: number;
  nextAttemptAt: Date | null;
  httpStatusCode: number | null;
  errorMessage: string | null;
  responseBody: string | null;
  leaseToken: string | null;
}

/** The deliveries of an endpoint as they stand in the database, oldest first. */
export function seeDeliveries(deps: BuildDeps, endpointId: string): Promise<SeenDelivery[]> {
  return query<SeenDelivery>(
    deps.db.manager,
    `SELECT id, event_id AS "eventId", endpoint_id AS "endpointId", status, attempts,
       next_attempt_at AS "nextAttemptAt", http_status_code AS "httpStatusCode",
       error_message AS "errorMessage", response_body AS "responseBody",
       lease_token AS "leaseToken"
       FROM webhook_deliveries WHERE endpoint_id = $1 ORDER BY created_at, id`,
    [endpointId],
  );
}
