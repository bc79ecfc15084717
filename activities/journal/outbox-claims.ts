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
  /** No row with a lower id is waiting: see `lowestId`. */
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

/** Those of the topics that have work which are not leased. */
export async function topicsWithWork(
  db: Db,
  from: ReadonlyMap<OutboxTopic, number>,
  now: Date,
): Promise<OutboxTopic[]> {
  const rows = await prepared<{ topic: OutboxTopic }>(db, {
    name: 'outbox.topics_with_work',
    text: `SELECT t.topic FROM unnest($1::text[], $2::bigint[]) AS t (topic, low)
      WHERE EXISTS (SELECT 1 FROM outbox o WHERE o.topic = t.topic AND o.id >= t.low
                       AND o.available_at <= $3 AND (o.lease_until IS NULL OR o.lease_until < now()))`,
    values: [[...from.keys()], [...from.values()], now],
  });
  return rows.map(({ topic }) => topic);
}

/**
 * Rows that were done leave entries in the index for as long as an old snapshot may see them. Who
 * remembers the lowest id need not walk over them at each look.
 */
export async function lowestId(db: Db, topic: OutboxTopic): Promise<number> {
  const row = await queryOne<{ id: number }>(
    db,
    `SELECT coalesce((SELECT id FROM outbox WHERE topic = $1 ORDER BY id LIMIT 1),
       (SELECT last_value FROM outbox_id_seq)) AS id`,
    [topic],
  );
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

/** How the rows of a claim ended. Who lost the lease meanwhile changes nothing. */
export interface ClaimOutcome {
  done: readonly number[];
  /** Failed for a reason of their own: id -> code. Tried again later with each attempt. */
  refused: ReadonlyMap<number, string>;
  /** Nothing is wrong with them. Not counted as an attempt; tried again in a moment. */
  putOff: readonly number[];
  /** Not counted as an attempt; free at once. */
  untouched: readonly number[];
  now: Date;
}

/** After this many attempts, about an hour, a row is taken out. */
export const attemptsAtMost = 20;

/** Gives the number of rows that were given up. */
export async function endClaim(db: Db, claim: Claim, outcome: ClaimOutcome): Promise<number> {
  const { done, refused, putOff, untouched, now } = outcome;
  const tried = new Map(claim.work.map(({ id, attempts }) => [id, attempts]));
  const isOver = (id: number): boolean => (tried.get(id) ?? 0) >= attemptsAtMost;
  const over = [...refused].filter(([id]) => isOver(id));
  const again = [...refused].filter(([id]) => !isOver(id));
  if (done.length > 0) await forget(db, claim, done);
  if (over.length > 0) await bury(db, claim, { over, now });
  if (again.length > 0) await backOff(db, claim, { again, now });
  await giveBack(db, claim, { ids: putOff, availableAt: new Date(now.getTime() + 1_000) });
  await giveBack(db, claim, { ids: untouched, availableAt: now });
  return over.length;
}

async function forget(db: Db, claim: Claim, ids: readonly number[]): Promise<void> {
  await prepared(db, {
    name: 'outbox.done',
    text: 'DELETE FROM outbox WHERE topic = $1 AND id = ANY($2) AND lease_token = $3',
    values: [claim.topic, ids, claim.token],
  });
}

type Failures = readonly (readonly [number, string])[];

async function bury(
  db: Db,
  claim: Claim,
  { over, now }: { over: Failures; now: Date },
): Promise<void> {
  await execute(
    db,
    `WITH gone AS (
       DELETE FROM outbox WHERE topic = $1 AND id = ANY($2) AND lease_token = $3 RETURNING *)
     INSERT INTO outbox_dead
       (id, topic, ref, payload, workspace_id, attempts, error_code, queued_at, died_at)
     SELECT gen_random_uuid(), g.topic, g.ref, g.payload, g.workspace_id, g.attempts, f.code,
       g.created_at, $5
       FROM gone g JOIN unnest($2::bigint[], $4::text[]) AS f (id, code) ON f.id = g.id`,
    [claim.topic, over.map(([id]) => id), claim.token, over.map(([, code]) => code), now],
  );
}

async function backOff(
  db: Db,
  claim: Claim,
  { again, now }: { again: Failures; now: Date },
): Promise<void> {
  await execute(
    db,
    `UPDATE outbox o SET lease_token = NULL, lease_until = NULL, error_code = f.code,
       available_at = $5::timestamptz
         + least(0.25 * power(2, least(o.attempts - 1, 12)), 300) * interval '1 second'
       FROM unnest($2::bigint[], $4::text[]) AS f (id, code)
      WHERE o.topic = $1 AND o.id = f.id AND o.lease_token = $3`,
    [claim.topic, again.map(([id]) => id), claim.token, again.map(([, code]) => code), now],
  );
}

async function giveBack(
  db: Db,
  claim: Claim,
  { ids, availableAt }: { ids: readonly number[]; availableAt: Date },
): Promise<void> {
  if (ids.length === 0) return;
  await execute(
    db,
    `UPDATE outbox SET lease_token = NULL, lease_until = NULL, available_at = $4,
       attempts = attempts - 1
      WHERE topic = $1 AND id = ANY($2) AND lease_token = $3`,
    [claim.topic, ids, claim.token, availableAt],
  );
}
