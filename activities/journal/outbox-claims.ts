import { randomUUID } from 'node:crypto';
import { execute, prepared, queryOne, type Db } from '../../entities/database/sql';
import type { OutboxTopic } from './outbox';

/** One piece of work that a commit left behind. */
export interface Work {
  id: number;
  ref: string;
  payload: Record<string, unknown>;
  workspaceId: string;
  /** The request that it follows. */
  requestId: string | null;
  /** This one included. */
  attempts: number;
  /** How often it was put off, none of them counted as an attempt. */
  deferrals: number;
  /** Time from its commit to its claim. */
  waitedSeconds: number;
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
  /** Rows that were due before are left alone: see `oldestWork`. */
  since: Date;
  /** Leaves rows alone that were tried this often. */
  triedBelow: number;
  /** Shares the claim among the workspaces that wait, those after this one; null for oldest first. */
  afterWorkspace: string | null;
}

/** Longer than any pause between two renewals; what a process that died had claimed waits for so long. */
export const leaseMs = 10_000;

const isUnleased = '(o.lease_until IS NULL OR o.lease_until < now())';

// $1 topic, $2 since, $3 now, $4 attempts from which on a row is left alone, $5 limit, $6 token, $7 lease.
const isDue = 'o.available_at BETWEEN $2 AND $3';
const isFree = `${isDue} AND o.attempts < $4 AND ${isUnleased}`;

const lease = `
  UPDATE outbox o SET lease_token = $6, lease_until = now() + $7 * interval '1 millisecond',
    attempts = o.attempts + 1
    FROM picked WHERE o.topic = $1 AND o.id = picked.id
  RETURNING o.id, o.ref, o.payload, o.workspace_id AS "workspaceId",
    o.request_id AS "requestId", o.attempts, o.deferrals,
    extract(epoch FROM clock_timestamp() - o.created_at)::float8 AS "waitedSeconds"`;

const oldestFirst = `
  WITH picked AS MATERIALIZED (
    SELECT o.id FROM outbox o WHERE o.topic = $1 AND ${isFree}
     ORDER BY o.available_at, o.id LIMIT $5 FOR UPDATE SKIP LOCKED)
  ${lease}`;

// The recursion jumps from workspace to workspace in the index, so that the hundred thousand rows of
// one cost the others nothing.
const someOfEach = `
  WITH RECURSIVE waiting AS (
    (SELECT o.workspace_id, 1 AS n FROM outbox o
      WHERE o.topic = $1 AND o.workspace_id > $8 AND ${isDue}
      ORDER BY o.workspace_id LIMIT 1)
    UNION ALL
    SELECT (SELECT o.workspace_id FROM outbox o
             WHERE o.topic = $1 AND o.workspace_id > w.workspace_id AND ${isDue}
             ORDER BY o.workspace_id LIMIT 1), w.n + 1
      FROM waiting w WHERE w.workspace_id IS NOT NULL AND w.n < $5
  ), share AS (
    SELECT greatest(1, ceil($5::numeric / greatest(count(workspace_id), 1)))::int AS size FROM waiting
  ), picked AS MATERIALIZED (
    SELECT free.id FROM waiting w CROSS JOIN share CROSS JOIN LATERAL (
      SELECT o.id FROM outbox o
       WHERE o.topic = $1 AND o.workspace_id = w.workspace_id AND ${isFree}
       ORDER BY o.available_at, o.id LIMIT share.size FOR UPDATE SKIP LOCKED
    ) free LIMIT $5),
  leased AS (${lease})
  SELECT leased.*, round.behind
    FROM (SELECT (SELECT w.workspace_id FROM waiting w WHERE w.n = $5) AS behind) AS round
    LEFT JOIN leased ON true`;

export interface SharedClaim extends Claim {
  /** There may be more behind this workspace, the last that was looked at; null when all were. */
  behind: string | null;
}

/** Takes due rows for the time of a lease; another relay skips them meanwhile. */
export async function claimWork(db: Db, claim: ClaimOptions): Promise<SharedClaim> {
  const { topic, now, limit, since, triedBelow, afterWorkspace } = claim;
  const token = randomUUID();
  const values = [topic, since, now, triedBelow, limit, token, leaseMs];
  if (afterWorkspace === null) {
    const work = await prepared<Work>(db, { name: 'outbox.claim', text: oldestFirst, values });
    return { topic, token, work: inOrder(work), behind: null };
  }
  const rows = await prepared<SharedRow>(db, {
    name: 'outbox.claim_shared',
    text: someOfEach,
    values: [...values, afterWorkspace],
  });
  const work = rows.flatMap(({ behind: _, ...row }) => (row.id === null ? [] : [row]));
  return { topic, token, work: inOrder(work), behind: rows[0]?.behind ?? null };
}

/** One row without work says where the round has come to when there was none. */
type SharedRow = { behind: string | null } & (Work | { id: null });

const inOrder = (work: Work[]): Work[] => work.sort((a, b) => a.id - b.id);

/** The topics that have work that is due since then, and not leased. */
export async function dueTopics(
  db: Db,
  since: ReadonlyMap<OutboxTopic, Date>,
  now: Date,
): Promise<OutboxTopic[]> {
  // The subquery reads in order and one row at most: with EXISTS the planner would read all that is
  // due, for all topics at once.
  const rows = await prepared<{ topic: OutboxTopic }>(db, {
    name: 'outbox.due',
    text: `SELECT t.topic FROM unnest($1::text[], $2::timestamptz[]) AS t (topic, since)
      WHERE (SELECT true FROM outbox o
              WHERE o.topic = t.topic AND o.available_at BETWEEN t.since AND $3 AND ${isUnleased}
              ORDER BY o.available_at LIMIT 1) IS NOT NULL`,
    values: [[...since.keys()], [...since.values()], now],
  });
  return rows.map(({ topic }) => topic);
}

/**
 * When the oldest row of a topic is or was due; undefined for none. Rows that were done leave entries
 * in the index for as long as an old snapshot may see them: this look walks over all of them, and
 * those that begin behind need not.
 */
export async function oldestWork(db: Db, topic: OutboxTopic): Promise<Date | undefined> {
  const row = await queryOne<{ at: Date }>(
    db,
    `SELECT o.available_at AS at FROM outbox o WHERE o.topic = $1 ORDER BY o.available_at LIMIT 1`,
    [topic],
  );
  return row?.at;
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
