import { tableOf } from '../../entities/database/columns';
import { listed } from '../../entities/database/moving';
import { newId } from '../../entities/ids';
import { AuditLogEntry } from '../../entities/tables/journal/audit-log-entry.entity';
import { Event } from '../../entities/tables/journal/event.entity';
import { OutboxRow } from '../../entities/tables/journal/outbox-row.entity';
import type { EventContent } from '../../entities/rules/webhooks/objects';
import type { Actor } from '../../entities/rules/values/actor';
import { enqueueSql, eventTopics, type OutboxTopic } from './outbox';

// These are for statements that write what many changes leave behind at once; one change uses `record`.

/** The tables of the journal, for `layOut`. */
export const journalTables = {
  events: tableOf(Event),
  work: tableOf(OutboxRow),
  audit: tableOf(AuditLogEntry),
};

export interface AuditEntry {
  /** Null for what concerns no workspace, such as a partner's own sign-in. */
  workspaceId: string | null;
  actor: Actor;
  /** `<thing>.<past tense>`, such as `api_key.created`. */
  action: string;
  target: { type: string; id: string | null };
  /** Ids, codes and numbers that a copy of the line has to tell by itself. */
  details?: Record<string, string | number | null> | undefined;
  requestId?: string | undefined;
  at: Date;
}

/** An event before the database numbers it. */
export type NewEventRow = Omit<Event, 'seq' | 'type' | 'object'> & EventContent;

export type NewWorkRow = Pick<
  OutboxRow,
  'topic' | 'ref' | 'payload' | 'workspaceId' | 'availableAt' | 'requestId'
>;

/** The work of sending the events on: those of a workspace in one commit are one piece. */
export function announcementsOf(events: readonly NewEventRow[]): NewWorkRow[] {
  const byWorkspace = new Map<
    string,
    Omit<NewWorkRow, 'topic'> & { payload: { others: string[] } }
  >();
  for (const { id, workspaceId, occurredAt, requestId } of events) {
    const known = byWorkspace.get(workspaceId);
    if (known) known.payload.others.push(id);
    else {
      const payload = { others: [] };
      const work = { ref: id, payload, workspaceId, availableAt: occurredAt, requestId };
      byWorkspace.set(workspaceId, work);
    }
  }
  return eventTopics.flatMap((topic) =>
    [...byWorkspace.values()].map((work) => ({ topic, ...work })),
  );
}

/**
 * The same in SQL, where only the statement itself knows which events it writes: `events` names
 * their rows with id, workspace_id, occurred_at and request_id.
 */
export function announceSql(events: string): string {
  return enqueueSql({
    topic: { column: 'topic' },
    ref: 'ids[1]',
    payload: `jsonb_build_object('others', to_jsonb(ids[2:]))`,
    workspaceId: 'workspace_id',
    availableAt: 'at',
    requestId: 'request_id',
    from: `(SELECT workspace_id, array_agg(id ORDER BY id) AS ids, min(occurred_at) AS at,
                   min(request_id) AS request_id
              FROM ${events} GROUP BY workspace_id) AS announced,
           unnest(ARRAY[${listed(eventTopics)}]) AS topic`,
  });
}

/** Work on one row, such as a signal to its workflow. */
export function workRow(
  topic: OutboxTopic,
  { ref, workspaceId, availableAt, requestId }: Omit<NewWorkRow, 'topic' | 'payload'>,
): NewWorkRow {
  return { topic, ref, payload: {}, workspaceId, availableAt, requestId };
}

export function auditRow({ actor, target, ...entry }: AuditEntry): AuditLogEntry {
  return {
    id: newId(),
    workspaceId: entry.workspaceId,
    actorType: actor.type,
    actorId: actor.id,
    operator: actor.note?.operator ?? null,
    reasonCode: actor.note?.reasonCode ?? null,
    action: entry.action,
    targetType: target.type,
    targetId: target.id,
    details: entry.details ?? null,
    requestId: entry.requestId ?? null,
    createdAt: entry.at,
  };
}
