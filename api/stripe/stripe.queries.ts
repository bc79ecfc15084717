import { dateRange } from '../../entities/rules/values/instant';
import type { Scope } from '../../entities/rules/values/mode';
import { selectList, type Selected, type Selection } from '../../entities/database/columns';
import { newestFirst, readList, type Found } from '../../entities/database/list';
import { queryOne, type Db } from '../../entities/database/sql';
import { BillerEvent } from '../../entities/tables/billing/biller-event.entity';
import type { LastEvent, StripeEventFilter } from './stripe.dto';

/** The newest event that came in over this connection. */
export async function findLastEvent(
  db: Db,
  scope: Scope,
  connectionId: string,
): Promise<LastEvent | undefined> {
  return queryOne<LastEvent>(
    db,
    `SELECT ${selectList(BillerEvent, 'stripe_events', ['receivedAt', 'type'])} FROM stripe_events
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
] as const satisfies Selection<BillerEvent>;
type StripeEventRow = Selected<BillerEvent, typeof shown>;

/** Events of the workspace and mode, newest first; those of earlier connections too. */
export function listStripeEvents(
  db: Db,
  scope: Scope,
  filter: StripeEventFilter,
): Promise<Found<StripeEventRow>> {
  const { from, to } = dateRange(filter);
  const { status = null, type = null, objectId = null } = filter;
  const list = {
    columns: selectList(BillerEvent, 'e', shown),
    from: 'stripe_events AS e',
    where: `e.workspace_id = $1 AND e.mode = $2 AND e.biller = 'stripe'
      AND ($3::text IS NULL OR e.status = $3)
      AND ($4::text IS NULL OR e.type = $4)
      AND ($5::text IS NULL OR e.object_id = $5)
      AND ($6::timestamptz IS NULL OR e.received_at >= $6)
      AND ($7::timestamptz IS NULL OR e.received_at < $7)`,
    params: [scope.workspaceId, scope.mode, status, type, objectId, from, to],
    order: newestFirst('e', 'received_at'),
  };
  return readList(db, list, filter);
}
