import { execute, type Db } from '../../../entities/database/sql';
import type { Biller } from '../../../entities/rules/billing/biller';
import type { Scope } from '../../../entities/rules/values/mode';

interface StoredStripeEvent {
  status: 'failed' | 'waiting' | 'processed';
  receivedAt: Date;
}

/** A connection of the workspace and mode with these events as they are stored, without a body. */
export async function buildStripeEvents(
  db: Db,
  { workspaceId, mode }: Scope,
  events: (StoredStripeEvent & { biller?: Biller })[],
): Promise<void> {
  await execute(
    db,
    `WITH c AS (
       INSERT INTO stripe_connections (id, workspace_id, mode, biller, created_at, updated_at)
       VALUES (gen_random_uuid(), $1, $2, $5, now(), now()) RETURNING id)
     INSERT INTO stripe_events
       (id, connection_id, workspace_id, mode, stripe_event_id, type, body, status, received_at, touched_at,
        biller)
     SELECT gen_random_uuid(), c.id, $1, $2, 'evt_' || n, 'charge.refunded', '', status, at, at, $5
       FROM c, unnest($3::text[], $4::timestamptz[]) WITH ORDINALITY AS e (status, at, n)`,
    [
      workspaceId,
      mode,
      events.map(({ status }) => status),
      events.map(({ receivedAt }) => receivedAt),
      events[0]?.biller ?? 'stripe',
    ],
  );
}
