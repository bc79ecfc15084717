import type { Biller, FurtherBiller } from '../../entities/rules/billing/biller';
import { dateRange } from '../../entities/rules/values/instant';
import type { Scope } from '../../entities/rules/values/mode';
import { selectList, type Selected, type Selection } from '../../entities/database/columns';
import { newestFirst, readList, type Found } from '../../entities/database/list';
import { queryOne, type Db } from '../../entities/database/sql';
import { BillerEvent } from '../../entities/tables/billing/biller-event.entity';
import type { BillerEventFilter } from './connection.dto';

type LastEvent = Pick<BillerEvent, 'receivedAt' | 'type'>;

/** The newest event that came in over this connection; what a biller beside Stripe was asked for did not. */
export async function findLastEvent(
  db: Db,
  scope: Scope,
  connectionId: string,
): Promise<LastEvent | undefined> {
  return queryOne<LastEvent>(
    db,
    `SELECT ${selectList(BillerEvent, 'e', ['receivedAt', 'type'])} FROM stripe_events AS e
      WHERE e.workspace_id = $1 AND e.mode = $2 AND e.connection_id = $3
        AND (e.biller = 'stripe' OR NOT e.recovered)
      ORDER BY e.received_at DESC, e.id DESC LIMIT 1`,
    [scope.workspaceId, scope.mode, connectionId],
  );
}

const shown = [
  'id',
  'type',
  'objectId',
  'status',
  'error',
  'attempts',
  'receivedAt',
  'processedAt',
] as const satisfies Selection<BillerEvent>;

const shownOfStripe = [
  ...shown,
  'stripeEventId',
  'apiVersion',
] as const satisfies Selection<BillerEvent>;

export function listStripeEvents(
  db: Db,
  scope: Scope,
  filter: BillerEventFilter,
): Promise<Found<Selected<BillerEvent, typeof shownOfStripe>>> {
  const columns = selectList(BillerEvent, 'e', shownOfStripe);
  return listEvents(db, { ...scope, biller: 'stripe', columns }, filter);
}

type BillerEventRow = Selected<BillerEvent, typeof shown> &
  Pick<BillerEvent, 'recovered'> & { biller: FurtherBiller; billerEventId: string | null };

export function listBillerEvents(
  db: Db,
  scope: Scope & { biller: FurtherBiller },
  filter: BillerEventFilter,
): Promise<Found<BillerEventRow>> {
  const columns = `${selectList(BillerEvent, 'e', shown)}, e.recovered, e.biller,
    CASE WHEN e.stripe_event_id NOT LIKE 'read:%' THEN e.stripe_event_id END AS "billerEventId"`;
  return listEvents(db, { ...scope, columns }, filter);
}

/** Events of the workspace, mode and biller, newest first; those of earlier connections too. */
function listEvents<Row extends object>(
  db: Db,
  { workspaceId, mode, biller, columns }: Scope & { biller: Biller; columns: string },
  filter: BillerEventFilter,
): Promise<Found<Row>> {
  const { from, to } = dateRange(filter);
  const { status = null, type = null, objectId = null } = filter;
  const list = {
    columns,
    from: 'stripe_events AS e',
    where: `e.workspace_id = $1 AND e.mode = $2 AND e.biller = $8
      AND ($3::text IS NULL OR e.status = $3)
      AND ($4::text IS NULL OR e.type = $4)
      AND ($5::text IS NULL OR e.object_id = $5)
      AND ($6::timestamptz IS NULL OR e.received_at >= $6)
      AND ($7::timestamptz IS NULL OR e.received_at < $7)`,
    params: [workspaceId, mode, status, type, objectId, from, to, biller],
    order: newestFirst('e', 'received_at'),
  };
  return readList(db, list, filter);
}
