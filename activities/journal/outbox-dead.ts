import { selectList } from '../../entities/database/columns';
import { execute, query, type Db } from '../../entities/database/sql';
import { OutboxDeadRow } from '../../entities/tables/journal/outbox-dead-row.entity';
import type { Cause } from './cause';
import { enqueueSql } from './outbox';
import type { Claim } from './outbox-claims';

/** A dead row without its payload: an operator has to know who it concerns, and why it failed. */
export type DeadWork = Omit<OutboxDeadRow, 'payload'>;

const columns = selectList(OutboxDeadRow, 'd', [
  'id',
  'topic',
  'ref',
  'workspaceId',
  'requestId',
  'attempts',
  'errorCode',
  'queuedAt',
  'diedAt',
  'times',
  'firstDiedAt',
]);

/** What the relay gave up, the 1,000 oldest first; of one topic only, when it is named. */
export function listDeadWork(db: Db, topic?: string): Promise<DeadWork[]> {
  return query<DeadWork>(
    db,
    `SELECT ${columns} FROM outbox_dead AS d WHERE $1::text IS NULL OR d.topic = $1
      ORDER BY d.died_at, d.id LIMIT 1000`,
    [topic ?? null],
  );
}

/** Queues it again, its attempts counted from the start: one row by its id, a topic, or all. */
export function retryDeadWork(
  db: Db,
  { now }: Cause,
  which: { id?: string; topic?: string },
): Promise<number> {
  return execute(
    db,
    `WITH risen AS (
       DELETE FROM outbox_dead
        WHERE ($1::uuid IS NULL OR id = $1) AND ($2::text IS NULL OR topic = $2) RETURNING *)
     ${enqueueSql({
       topic: { column: 'topic' },
       ref: 'ref',
       payload: 'payload',
       workspaceId: 'workspace_id',
       requestId: 'request_id',
       availableAt: '$3',
       from: 'risen',
     })}`,
    [which.id ?? null, which.topic ?? null, now],
  );
}

interface Deaths {
  ids: readonly number[];
  /** The reasons, one for each id. */
  codes: readonly string[];
  now: Date;
}

/**
 * Takes rows of a claim out of the outbox. Repairs may queue the same work again for as long as its cause lasts: its
 * id is made of it, so that it has one row, the latest, with how often it died.
 */
export async function moveToDeadLetters(
  db: Db,
  { topic, token }: Claim,
  { ids, codes, now }: Deaths,
): Promise<void> {
  await execute(
    db,
    `WITH gone AS (
       DELETE FROM outbox WHERE topic = $1 AND id = ANY($2) AND lease_token = $3 RETURNING *)
     INSERT INTO outbox_dead AS d (id, topic, ref, payload, workspace_id, request_id, attempts, error_code,
       queued_at, died_at, first_died_at)
     SELECT DISTINCT ON (g.ref, g.payload) md5(concat_ws(' ', g.topic, g.ref, g.payload))::uuid,
       g.topic, g.ref, g.payload, g.workspace_id, g.request_id, g.attempts, f.code, g.created_at, $5::timestamptz, $5
       FROM gone g JOIN unnest($2::bigint[], $4::text[]) AS f (id, code) ON f.id = g.id
      ORDER BY g.ref, g.payload, g.id DESC
     ON CONFLICT (id) DO UPDATE SET attempts = excluded.attempts, request_id = excluded.request_id, error_code = excluded.error_code,
       queued_at = excluded.queued_at, died_at = excluded.died_at, times = d.times + 1`,
    [topic, ids, token, codes, now],
  );
}
