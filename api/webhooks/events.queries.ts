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
import { countFrom, query, queryOne, type Db } from '../../entities/database/sql';
import { Event } from '../../entities/tables/journal/event.entity';
import { pageWindow } from '../http/contract/pagination';
import type { EventFilter } from './events.dto';

const keptMs = 30 * 24 * 60 * 60 * 1_000;

const columns = selectList(Event, 'events', ['id', 'seq', 'type', 'mode', 'object', 'occurredAt']);

/** The events of a workspace and mode in the last 30 days, newest first, as they were sent. */
export async function listEvents(
  db: Db,
  { scope, now }: { scope: Scope; now: Date },
  filter: EventFilter,
): Promise<{ rows: EventEnvelope[]; total: number }> {
  const { limit, offset } = pageWindow(filter);
  const { from, to } = dateRange(filter);
  const where = `workspace_id = $1 AND mode = $2 AND occurred_at >= greatest($3::timestamptz, $4::timestamptz)
    AND ($5::timestamptz IS NULL OR occurred_at < $5) AND ($6::text IS NULL OR type = $6)`;
  const params = [scope.workspaceId, scope.mode, keptSince(now), from, to, filter.type ?? null];
  const rows = await query<StoredEvent>(
    db,
    `SELECT ${columns} FROM events WHERE ${where}
      ORDER BY occurred_at DESC, id DESC LIMIT $7 OFFSET $8`,
    [...params, limit, offset],
  );
  const total = await countFrom(db, `events WHERE ${where}`, params);
  return { rows: rows.map(eventEnvelope), total };
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
