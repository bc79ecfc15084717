import { dateRange } from '../../entities/rules/values/instant';
import type { Scope } from '../../entities/rules/values/mode';
import { selectList, type Selected, type Selection } from '../../entities/database/columns';
import { countFrom, query, queryOne, type Db } from '../../entities/database/sql';
import { StripeEvent } from '../../entities/tables/stripe/stripe-event.entity';
import { pageWindow } from '../http/contract/pagination';
import type { LastEvent, StripeEventFilter } from './stripe.dto';

/** The newest event that came in over this connection. */
export async function findLastEvent(
  db: Db,
  scope: Scope,
  connectionId: string,
): Promise<LastEvent | undefined> {
  return queryOne<LastEvent>(
    db,
    `SELECT ${selectList(StripeEvent, 'stripe_events', ['receivedAt', 'type'])} FROM stripe_events
      WHERE workspace_id = $1 AND mode = $2 AND connection_id = $3
      ORDER BY received_at DESC, id DESC LIMIT 1`,
    [scope.workspaceId, scope.mode, connectionId],
  );
}

const shown = [
  'id',
  'stripeEventId',
  'type',
  'apiVersion',
  'objectId',
  'status',
  'error',
  'attempts',
  'receivedAt',
  'processedAt',
] as const satisfies Selection<StripeEvent>;
type StripeEventRow = Selected<StripeEvent, typeof shown>;

/** Events of the workspace and mode, newest first; those of earlier connections too. */
export async function listStripeEvents(
  db: Db,
  scope: Scope,
  filter: StripeEventFilter,
): Promise<{ rows: StripeEventRow[]; total: number }> {
  const { from, to } = dateRange(filter);
  const { limit, offset } = pageWindow(filter);
  const where = `workspace_id = $1 AND mode = $2
    AND ($3::text IS NULL OR status = $3)
    AND ($4::text IS NULL OR type = $4)
    AND ($5::text IS NULL OR object_id = $5)
    AND ($6::timestamptz IS NULL OR received_at >= $6)
    AND ($7::timestamptz IS NULL OR received_at < $7)`;
  const { status = null, type = null, objectId = null } = filter;
  const params = [scope.workspaceId, scope.mode, status, type, objectId, from, to];
  const rows = await query<StripeEventRow>(
    db,
    `SELECT ${selectList(StripeEvent, 'stripe_events', shown)}
       FROM stripe_events WHERE ${where}
      ORDER BY received_at DESC, id DESC LIMIT $8 OFFSET $9`,
    [...params, limit, offset],
  );
  const total = await countFrom(db, `stripe_events WHERE ${where}`, params);
  return { rows, total };
}
