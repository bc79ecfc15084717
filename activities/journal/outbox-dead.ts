import { selectList } from '../../entities/database/columns';
import { execute, query, type Db } from '../../entities/database/sql';
import { OutboxDeadRow } from '../../entities/tables/journal/outbox-dead-row.entity';
import type { Cause } from './cause';
import { enqueueSql } from './outbox';

/** Without its payload: what an operator needs is who it concerns, and why it failed. */
export type DeadWork = Omit<OutboxDeadRow, 'payload'>;

const listedAtMost = 1_000;

const columns = selectList(OutboxDeadRow, 'd', [
  'id',
  'topic',
  'ref',
  'workspaceId',
  'attempts',
  'errorCode',
  'queuedAt',
  'diedAt',
]);

/** What the relay gave up, oldest first; of one topic only, when it is named. */
export function listDeadWork(db: Db, topic?: string): Promise<DeadWork[]> {
  return query<DeadWork>(
    db,
    `SELECT ${columns} FROM outbox_dead AS d WHERE $1::text IS NULL OR d.topic = $1
      ORDER BY d.died_at, d.id LIMIT ${listedAtMost}`,
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
       availableAt: '$3',
       from: 'risen',
     })}`,
    [which.id ?? null, which.topic ?? null, now],
  );
}
