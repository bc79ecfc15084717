import { execute, query, type Db } from '../../entities/database/sql';

export interface DeadWork {
  id: string;
  topic: string;
  ref: string;
  workspaceId: string;
  attempts: number;
  errorCode: string;
  queuedAt: Date;
  diedAt: Date;
}

const listedAtMost = 1_000;

/** What the relay gave up, oldest first; of one topic only, when it is named. */
export function listDeadWork(db: Db, topic?: string): Promise<DeadWork[]> {
  return query<DeadWork>(
    db,
    `SELECT id, topic, ref, workspace_id AS "workspaceId", attempts, error_code AS "errorCode",
       queued_at AS "queuedAt", died_at AS "diedAt"
       FROM outbox_dead WHERE $1::text IS NULL OR topic = $1
      ORDER BY died_at, id LIMIT ${listedAtMost}`,
    [topic ?? null],
  );
}

/** Queues it again, its attempts counted from the start: one row by its id, a topic, or all. */
export function retryDeadWork(
  db: Db,
  which: { id?: string; topic?: string },
  now: Date,
): Promise<number> {
  return execute(
    db,
    `WITH risen AS (
       DELETE FROM outbox_dead
        WHERE ($1::uuid IS NULL OR id = $1) AND ($2::text IS NULL OR topic = $2) RETURNING *)
     INSERT INTO outbox (topic, ref, payload, workspace_id, available_at)
     SELECT topic, ref, payload, workspace_id, $3 FROM risen`,
    [which.id ?? null, which.topic ?? null, now],
  );
}
