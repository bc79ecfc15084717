import { randomUUID } from 'node:crypto';
import { execute, prepared, queryOne, type Db } from '../../entities/database/sql';
import type { OutboxTopic } from './outbox';

/** One piece of work that a commit left behind. */
export interface Work {
  id: number;
  ref: string;
  payload: Record<string, unknown>;
  workspaceId: string;
  /** This one included. */
  attempts: number;
}

/** Rows that are leased to whoever holds the token. */
export interface Claim {
  topic: OutboxTopic;
  token: string;
  work: Work[];
}

export interface ClaimOptions {
  topic: OutboxTopic;
  now: Date;
  limit: number;
  /** Rows with a lower id are left alone: see `lowestFresh`. */
  from: number;
  /** Leaves rows alone that were tried this often. */
  triedBelow: number;
  /** Shares the claim among the workspaces that wait, those after this one; null for oldest first. */
  afterWorkspace: string | null;
}

/** Longer than any pause between two renewals. */
export const leaseMs = 30_000;

const isFree = `o.available_at <= $3 AND o.attempts < $4
  AND (o.lease_until IS NULL OR o.lease_until < now())`;

const lease = `
  UPDATE outbox o SET lease_token = $6, lease_until = now() + $7 * interval '1 millisecond',
    attempts = o.attempts + 1
    FROM picked WHERE o.topic = $1 AND o.id = picked.id
  RETURNING o.id, o.ref, o.payload, o.workspace_id AS "workspaceId", o.attempts`;

const oldestFirst = `
  WITH picked AS MATERIALIZED (
    SELECT o.id FROM outbox o WHERE o.topic = $1 AND o.id >= $2 AND ${isFree}
     ORDER BY o.id LIMIT $5 FOR UPDATE SKIP LOCKED)
  ${lease}`;

// The recursion jumps from workspace to workspace in the index, so that the hundred thousand rows of
// one cost the others nothing.
const someOfEach = `
  WITH RECURSIVE waiting AS (
    (SELECT o.workspace_id, 1 AS n FROM outbox o
      WHERE o.topic = $1 AND o.workspace_id > $8 AND o.id >= $2 ORDER BY o.workspace_id LIMIT 1)
    UNION ALL
    SELECT (SELECT o.workspace_id FROM outbox o
             WHERE o.topic = $1 AND o.workspace_id > w.workspace_id AND o.id >= $2
             ORDER BY o.workspace_id LIMIT 1), w.n + 1
      FROM waiting w WHERE w.workspace_id IS NOT NULL AND w.n < $5
  ), share AS (
    SELECT greatest(1, ceil($5::numeric / greatest(count(workspace_id), 1)))::int AS size FROM waiting
  ), picked AS MATERIALIZED (
    SELECT free.id FROM waiting w CROSS JOIN share CROSS JOIN LATERAL (
      SELECT o.id FROM outbox o
       WHERE o.topic = $1 AND o.workspace_id = w.workspace_id AND o.id >= $2 AND ${isFree}
       ORDER BY o.id LIMIT share.size FOR UPDATE SKIP LOCKED
    ) free LIMIT $5)
  ${lease}`;

/** Takes due rows for the time of a lease; another relay skips them meanwhile. */
export async function claimWork(db: Db, claim: ClaimOptions): Promise<Claim> {
  const { topic, now, limit, from, triedBelow, afterWorkspace } = claim;
  const token = randomUUID();
  const values = [topic, from, now, triedBelow, limit, token, leaseMs];
  const work =
    afterWorkspace === null
      ? await prepared<Work>(db, { name: 'outbox.claim', text: oldestFirst, values })
      : await prepared<Work>(db, {
          name: 'outbox.claim_shared',
          text: someOfEach,
          values: [...values, afterWorkspace],
        });
  return { topic, token, work: work.sort((a, b) => a.id - b.id) };
}

/** Ids of one topic, the last of them left out. */
export interface IdRange {
  from: number;
  to: number;
}

export interface DueWork {
  topic: OutboxTopic;
  /** The lowest that is due and not leased. */
  id: number;
}

/** Those of the topics that have work in their range which is due and not leased. */
export function dueWork(
  db: Db,
  ranges: readonly (readonly [OutboxTopic, IdRange])[],
  now: Date,
): Promise<DueWork[]> {
  const columns = [
    ranges.map(([topic]) => topic),
    ranges.map(([, { from }]) => from),
    ranges.map(([, { to }]) => to),
  ];
  return prepared<DueWork>(db, {
    name: 'outbox.due_work',
    text: `SELECT t.topic, due.id
       FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS t (topic, low, high)
      CROSS JOIN LATERAL (
        SELECT o.id FROM outbox o
         WHERE o.topic = t.topic AND o.id >= t.low AND o.id < t.high AND o.available_at <= $4
           AND (o.lease_until IS NULL OR o.lease_until < now())
         ORDER BY o.id LIMIT 1) AS due`,
    values: [...columns, now],
  });
}

/**
 * The lowest row from this id on that is due and was never tried. Rows that were done leave entries in
 * the index for as long as an old snapshot may see them, and who begins behind them need not walk over
 * them at each look. What is passed over here waits for a time of its own.
 */
export async function lowestFresh(
  db: Db,
  { topic, from }: { topic: OutboxTopic; from: number },
  now: Date,
): Promise<number> {
  const row = await queryOne<{ id: number }>(
    db,
    `SELECT coalesce(
       (SELECT id FROM outbox WHERE topic = $1 AND id >= $2 AND attempts = 0 AND available_at <= $3
         ORDER BY id LIMIT 1),
       (SELECT last_value FROM outbox_id_seq)) AS id`,
    [topic, from, now],
  );
  return row?.id ?? from;
}

/** Holds the lease for longer. */
export async function renewLease(db: Db, { topic, token, work }: Claim): Promise<void> {
  await execute(
    db,
    `UPDATE outbox SET lease_until = now() + $4 * interval '1 millisecond'
      WHERE topic = $1 AND id = ANY($2) AND lease_token = $3`,
    [topic, work.map(({ id }) => id), token, leaseMs],
  );
}
