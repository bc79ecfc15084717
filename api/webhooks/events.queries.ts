import { AppError } from '../../entities/errors';
import { isUuid } from '../../entities/ids';
import { dateRange } from '../../entities/rules/values/instant';
import type { Scope } from '../../entities/rules/values/mode';
import {
  eventEnvelope,
  storedEventId,
  type EventEnvelope,
  type StoredEvent,
} from '../../entities/rules/webhooks/envelope';
import { selectList } from '../../entities/database/columns';
import { newestFirst, readList, type Found } from '../../entities/database/list';
import { queryOne, type Db } from '../../entities/database/sql';
import { Event } from '../../entities/tables/journal/event.entity';
import type { EventFilter } from './events.dto';

const keptMs = 30 * 24 * 60 * 60 * 1_000;

const columns = selectList(Event, 'events', ['id', 'seq', 'type', 'mode', 'object', 'occurredAt']);

/** The events of a workspace and mode in the last 30 days, newest first. */
export function listEvents(
  db: Db,
  { scope, now }: { scope: Scope; now: Date },
  filter: EventFilter,
): Promise<Found<StoredEvent>> {
  const { from, to } = dateRange(filter);
  const list = {
    columns,
    from: 'events',
    where: `workspace_id = $1 AND mode = $2
      AND occurred_at >= greatest($3::timestamptz, $4::timestamptz)
      AND ($5::timestamptz IS NULL OR occurred_at < $5) AND ($6::text IS NULL OR type = $6)`,
    params: [scope.workspaceId, scope.mode, keptSince(now), from, to, filter.type ?? null],
    order: newestFirst('events', 'occurred_at'),
  };
  return readList(db, list, filter);
}

/** One event by the id that receivers see, or NOT_FOUND. */
export async function getEvent(
  db: Db,
  { scope, now }: { scope: Scope; now: Date },
  publicId: string,
): Promise<EventEnvelope> {
  const id = storedEventId(publicId);
  const row = isUuid(id)
    ? await queryOne<StoredEvent>(
        db,
        `SELECT ${columns} FROM events
          WHERE id = $1 AND workspace_id = $2 AND mode = $3 AND occurred_at >= $4`,
        [id, scope.workspaceId, scope.mode, keptSince(now)],
      )
    : undefined;
  if (!row) throw new AppError('NOT_FOUND');
  return eventEnvelope(row);
}

function keptSince(now: Date): Date {
  return new Date(now.getTime() - keptMs);
}
