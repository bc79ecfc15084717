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
  kind?: WorkKind;
  /** Of a claim that this one adds to. */
  token?: string;
}

/** `fresh` is due since its commit; all other work is delayed, and claimed by `claimDelayed`. */
export type WorkKind = 'any' | 'fresh';

/** Longer than any pause between two renewals. */
export const leaseMs = 30_000;

/**
 * The condition of the indexes ix_outbox_delayed_*: they hold the few rows that are delayed and
 * nothing of all others, so that a look at those walks over nothing that was done.
 */
export const isDelayed = `o.available_at - o.created_at > '5 seconds'::interval`;

const isOfKind: Record<WorkKind, string> = { any: '', fresh: `AND NOT (${isDelayed})` };

export const isUnleased = '(o.lease_until IS NULL OR o.lease_until < now())';
/** With $3 for now, and $4 for the attempts from which on a row is left alone. */
export const isFree = `o.available_at <= $3 AND o.attempts < $4 AND ${isUnleased}`;

/** Leases the rows of `picked`, with $1 for the topic, $6 for the token and $7 for the time of the lease. */
export const lease = `
  UPDATE outbox o SET lease_token = $6, lease_until = now() + $7 * interval '1 millisecond',
    attempts = o.attempts + 1
    FROM picked WHERE o.topic = $1 AND o.id = picked.id
  RETURNING o.id, o.ref, o.payload, o.workspace_id AS "workspaceId", o.attempts`;

const oldestFirst = (kind: WorkKind): string => `
  WITH picked AS MATERIALIZED (
    SELECT o.id FROM outbox o WHERE o.topic = $1 AND o.id >= $2 ${isOfKind[kind]} AND ${isFree}
     ORDER BY o.id LIMIT $5 FOR UPDATE SKIP LOCKED)
  ${lease}`;

// The recursion jumps from workspace to workspace in the index, so that the hundred thousand rows of
// one cost the others nothing.
const someOfEach = (kind: WorkKind): string => `
  WITH RECURSIVE waiting AS (
    (SELECT o.workspace_id, 1 AS n FROM outbox o
      WHERE o.topic = $1 AND o.workspace_id > $8 AND o.id >= $2 ${isOfKind[kind]}
      ORDER BY o.workspace_id LIMIT 1)
    UNION ALL
    SELECT (SELECT o.workspace_id FROM outbox o
             WHERE o.topic = $1 AND o.workspace_id > w.workspace_id AND o.id >= $2 ${isOfKind[kind]}
             ORDER BY o.workspace_id LIMIT 1), w.n + 1
      FROM waiting w WHERE w.workspace_id IS NOT NULL AND w.n < $5
  ), share AS (
    SELECT greatest(1, ceil($5::numeric / greatest(count(workspace_id), 1)))::int AS size FROM waiting
  ), picked AS MATERIALIZED (
    SELECT free.id FROM waiting w CROSS JOIN share CROSS JOIN LATERAL (
      SELECT o.id FROM outbox o
       WHERE o.topic = $1 AND o.workspace_id = w.workspace_id AND o.id >= $2 ${isOfKind[kind]}
         AND ${isFree}
       ORDER BY o.id LIMIT share.size FOR UPDATE SKIP LOCKED
    ) free LIMIT $5),
  leased AS (${lease})
  SELECT leased.*, round.behind
    FROM (SELECT (SELECT w.workspace_id FROM waiting w WHERE w.n = $5) AS behind) AS round
    LEFT JOIN leased ON true`;

const statements = {
  any: { alone: oldestFirst('any'), shared: someOfEach('any') },
  fresh: { alone: oldestFirst('fresh'), shared: someOfEach('fresh') },
};

export interface SharedClaim extends Claim {
  /** There may be more behind this workspace, the last that was looked at; null when all were. */
  behind: string | null;
}

/** Takes due rows for the time of a lease; another relay skips them meanwhile. */
export async function claimWork(db: Db, claim: ClaimOptions): Promise<SharedClaim> {
  const { topic, now, limit, from, triedBelow, afterWorkspace } = claim;
  const { kind = 'any', token = randomUUID() } = claim;
  const { alone, shared } = statements[kind];
  const values = [topic, from, now, triedBelow, limit, token, leaseMs];
  if (afterWorkspace === null) {
    const work = await prepared<Work>(db, { name: `outbox.claim.${kind}`, text: alone, values });
    return { topic, token, work: inOrder(work), behind: null };
  }
  const rows = await prepared<SharedRow>(db, {
    name: `outbox.claim_shared.${kind}`,
    text: shared,
    values: [...values, afterWorkspace],
  });
  const work = rows.flatMap(({ behind: _, ...row }) => (row.id === null ? [] : [row]));
  return { topic, token, work: inOrder(work), behind: rows[0]?.behind ?? null };
}

/** One row without work says where the round has come to when there was none. */
type SharedRow = { behind: string | null } & (Work | { id: null });

const inOrder = (work: Work[]): Work[] => work.sort((a, b) => a.id - b.id);

export interface DueWork {
  topic: OutboxTopic;
  /** From the given id on. */
  fresh: boolean;
  delayed: boolean;
}

/** What of each topic is due and not leased. */
export function dueWork(
  db: Db,
  from: ReadonlyMap<OutboxTopic, number>,
  now: Date,
): Promise<DueWork[]> {
  // In order and one at most: as EXISTS the planner would read all that is due, for all topics at once.
  const first = (where: string, order: string): string => `(
    SELECT true FROM outbox o
     WHERE o.topic = t.topic AND o.available_at <= $3 AND ${isUnleased} AND ${where}
     ORDER BY ${order} LIMIT 1) IS NOT NULL`;
  return prepared<DueWork>(db, {
    name: 'outbox.due_work',
    text: `SELECT t.topic,
         ${first(`o.id >= t.low ${isOfKind.fresh}`, 'o.id')} AS fresh,
         ${first(isDelayed, 'o.available_at')} AS delayed
       FROM unnest($1::text[], $2::bigint[]) AS t (topic, low)`,
    values: [[...from.keys()], [...from.values()], now],
  });
}

/** Ids of one topic, the last of them left out. */
export interface IdRange {
  topic: OutboxTopic;
  from: number;
  to?: number;
}

/**
 * The lowest row of the range that is not delayed; undefined for none. Rows that were done leave
 * entries in the index for as long as an old snapshot may see them, and who begins behind them need
 * not walk over them at each look.
 */
export async function lowestFresh(
  db: Db,
  { topic, from, to = Number.MAX_SAFE_INTEGER }: IdRange,
): Promise<number | undefined> {
  const row = await queryOne<{ id: number }>(
    db,
    `SELECT o.id FROM outbox o WHERE o.topic = $1 AND o.id >= $2 AND o.id < $3 ${isOfKind.fresh}
      ORDER BY o.id LIMIT 1`,
    [topic, from, to],
  );
  return row?.id;
}

/** No row has a higher one, unless its transaction is still open. */
export async function lastId(db: Db): Promise<number> {
  const row = await queryOne<{ id: number }>(db, 'SELECT last_value AS id FROM outbox_id_seq');
  return row?.id ?? 0;
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
