import {
  noticesOfEvent,
  type EventNotice,
  type HappenedEvent,
  type KnownParticipant,
  type Names,
} from '../../entities/rules/notifications/event-notices';
import type { Mode } from '../../entities/rules/values/mode';
import type { Cause } from '../journal/cause';
import { selectList } from '../../entities/database/columns';
import { query, type Tx } from '../../entities/database/sql';
import { Event } from '../../entities/tables/journal/event.entity';
import type { Notice } from './notice';
import { writeFreeNotices, type FeedNews } from './notify';

interface EventRow extends HappenedEvent {
  id: string;
  workspaceId: string;
  mode: Mode;
  occurredAt: Date;
}

export interface Notified {
  news: FeedNews[];
  /** Events of which a feed was locked and has no notice yet: notify of them again. */
  lockedEventIds: string[];
}

/**
 * Notifies of events of any workspace; doing it again changes nothing. Waits for no feed that is
 * locked. Returns the feeds whose streams are to be woken after the commit.
 */
export async function notifyOfEvents(
  tx: Tx,
  context: Pick<Cause, 'now'>,
  eventIds: readonly string[],
): Promise<Notified> {
  const events = await readEvents(tx, eventIds);
  const names = await readNames(tx, events);
  const notices = events.flatMap((event) =>
    noticesOfEvent(event, names).map((notice) => addressed(event, notice)),
  );
  const { news, locked } = await writeFreeNotices(tx, context, notices);
  const waiting = notices.filter(({ feedId }) => locked.has(feedId));
  return { news, lockedEventIds: [...new Set(waiting.map(({ causeId }) => causeId))] };
}

function addressed(
  { id, workspaceId, mode, occurredAt }: EventRow,
  { partnerId, ...notice }: EventNotice,
): Notice {
  return {
    ...notice,
    feedId: partnerId ?? workspaceId,
    causeId: id,
    mode,
    workspaceId,
    at: occurredAt,
  };
}

const eventColumns = selectList(Event, 'v', [
  'id',
  'workspaceId',
  'mode',
  'type',
  'cause',
  'object',
  'occurredAt',
]);

/** Kinds that lead to nothing are not read; the others come in the order in which they happened. */
function readEvents(tx: Tx, eventIds: readonly string[]): Promise<EventRow[]> {
  return query<EventRow>(
    tx,
    `SELECT ${eventColumns} FROM events AS v
      WHERE v.id = ANY($1) AND v.type NOT IN ('conversion.refunded', 'webhook.test')
      ORDER BY v.seq`,
    [eventIds],
  );
}

interface ParticipantRow extends KnownParticipant {
  id: string;
}

async function readNames(tx: Tx, events: readonly EventRow[]): Promise<Names> {
  const asked = askedNames(events);
  const programs = await query<{ id: string; name: string }>(
    tx,
    'SELECT id, name FROM programs WHERE id = ANY($1)',
    [asked.programs],
  );
  const participants = await query<ParticipantRow>(
    tx,
    `SELECT p.id, p.partner_id AS "partnerId", p.partner_name AS "partnerName",
            p.erased_at IS NOT NULL OR a.erased_at IS NOT NULL AS erased,
            a.erased_at IS NOT NULL AS "accountErased"
       FROM participants AS p JOIN partner_accounts AS a ON a.id = p.partner_id
      WHERE p.id = ANY($1)`,
    [asked.participants],
  );
  const nameOf = new Map(programs.map(({ id, name }) => [id, name]));
  const known = new Map(participants.map((row) => [row.id, row]));
  return {
    program: (id) => nameOf.get(id ?? '') ?? null,
    participant: (id) => known.get(id ?? ''),
  };
}

/** The ids whose names the notices will want: found by asking for them in advance. */
function askedNames(events: readonly EventRow[]): { programs: string[]; participants: string[] } {
  const programs = new Set<string>();
  const participants = new Set<string>();
  const names: Names = {
    program: (id) => {
      if (id !== null) programs.add(id);
      return null;
    },
    participant: (id) => {
      if (id !== null) participants.add(id);
      return undefined;
    },
  };
  for (const event of events) noticesOfEvent(event, names);
  return { programs: [...programs], participants: [...participants] };
}
