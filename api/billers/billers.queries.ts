import type { FurtherBiller } from '../../entities/rules/billing/biller';
import { dateRange } from '../../entities/rules/values/instant';
import type { Scope } from '../../entities/rules/values/mode';
import { selectList, type Selected, type Selection } from '../../entities/database/columns';
import { newestFirst, readList, type Found } from '../../entities/database/list';
import { queryOne, type Db } from '../../entities/database/sql';
import { BillerEvent } from '../../entities/tables/billing/biller-event.entity';
import type { BillerEventFilter, LastEvent } from './billers.dto';

/** The newest event that came in over this connection. */
export async function findLastEvent(
  db: Db,
  scope: Scope,
  connectionId: string,
): Promise<LastEvent | undefined> {
  return queryOne<LastEvent>(
    db,
    `SELECT ${selectList(BillerEvent, 'e', ['receivedAt', 'type'])} FROM stripe_events AS e
      WHERE e.workspace_id = $1 AND e.mode = $2 AND e.connection_id = $3 AND NOT e.recovered
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
  'recovered',
  'receivedAt',
  'processedAt',
] as const satisfies Selection<BillerEvent>;
type BillerEventRow = Selected<BillerEvent, typeof shown> & {
  biller: FurtherBiller;
  billerEventId: string | null;
};

/** Events of the workspace, mode and biller, newest first; those of earlier connections too. */
export function listBillerEvents(
  db: Db,
  scope: Scope & { biller: FurtherBiller },
  filter: BillerEventFilter,
): Promise<Found<BillerEventRow>> {
  const { from, to } = dateRange(filter);
  const { status = null, type = null, objectId = null } = filter;
  const list = {
    columns: `${selectList(BillerEvent, 'e', shown)}, e.biller,
      CASE WHEN e.stripe_event_id NOT LIKE 'read:%' THEN e.stripe_event_id END AS "billerEventId"`,
    from: 'stripe_events AS e',
    where: `e.workspace_id = $1 AND e.mode = $2 AND e.biller = $8
      AND ($3::text IS NULL OR e.status = $3)
      AND ($4::text IS NULL OR e.type = $4)
      AND ($5::text IS NULL OR e.object_id = $5)
      AND ($6::timestamptz IS NULL OR e.received_at >= $6)
      AND ($7::timestamptz IS NULL OR e.received_at < $7)`,
    params: [scope.workspaceId, scope.mode, status, type, objectId, from, to, scope.biller],
    order: newestFirst('e', 'received_at'),
  };
  return readList(db, list, filter);
}
