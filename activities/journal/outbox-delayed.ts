import { prepared, type Db } from '../../entities/database/sql';
import { isDelayed, isFree, lease, leaseMs, type ClaimOptions, type Work } from './outbox-claims';

export interface DelayedClaim extends Pick<ClaimOptions, 'topic' | 'now' | 'limit' | 'triedBelow'> {
  token: string;
  /** Workspaces after this one only. */
  afterWorkspace: string;
}

export interface DelayedWork {
  work: Work[];
  /** There may be more behind this workspace; null at the end of a round. */
  behind: string | null;
}

/** One claim looks at this many workspaces at most. */
const visitedAtMost = 1_000;

// Most of what is delayed is not due yet: the recursion jumps from workspace to workspace, and a probe
// of the index shows whether the first in line of each is.
const visitSql = `
  WITH RECURSIVE waiting AS (
    (SELECT o.workspace_id, 1 AS n FROM outbox o
      WHERE o.topic = $1 AND o.workspace_id > $2 AND ${isDelayed}
      ORDER BY o.workspace_id LIMIT 1)
    UNION ALL
    SELECT (SELECT o.workspace_id FROM outbox o
             WHERE o.topic = $1 AND o.workspace_id > w.workspace_id AND ${isDelayed}
             ORDER BY o.workspace_id LIMIT 1), w.n + 1
      FROM waiting w WHERE w.workspace_id IS NOT NULL AND w.n < ${visitedAtMost})
  SELECT w.workspace_id AS id, (
      SELECT true FROM outbox o
       WHERE o.topic = $1 AND o.workspace_id = w.workspace_id AND ${isDelayed} AND ${isFree}
       ORDER BY o.available_at LIMIT 1) IS NOT NULL AS due
    FROM waiting w WHERE w.workspace_id IS NOT NULL ORDER BY w.workspace_id`;

const claimSql = `
  WITH picked AS MATERIALIZED (
    SELECT free.id FROM unnest($2::uuid[]) AS w (id) CROSS JOIN LATERAL (
      SELECT o.id FROM outbox o
       WHERE o.topic = $1 AND o.workspace_id = w.id AND ${isDelayed} AND ${isFree}
       ORDER BY o.available_at LIMIT $8 FOR UPDATE SKIP LOCKED
    ) AS free LIMIT $5)
  ${lease}`;

/** Takes delayed rows that have come due for the time of a lease, of each workspace its share. */
export async function claimDelayed(db: Db, claim: DelayedClaim): Promise<DelayedWork> {
  const { topic, now, limit, triedBelow, token, afterWorkspace } = claim;
  const visited = await prepared<{ id: string; due: boolean }>(db, {
    name: 'outbox.visit_delayed',
    text: visitSql,
    values: [topic, afterWorkspace, now, triedBelow],
  });
  const due = visited.flatMap(({ id, due }) => (due ? [id] : []));
  const some = due.slice(0, limit);
  if (some.length === 0) return { work: [], behind: lastOfMany(visited) };

  const share = Math.ceil(limit / some.length);
  const work = await prepared<Work>(db, {
    name: 'outbox.claim_delayed',
    text: claimSql,
    values: [topic, some, now, triedBelow, limit, token, leaseMs, share],
  });
  if (due.length > some.length) return { work, behind: some.at(-1) ?? null };
  return { work, behind: lastOfMany(visited) };
}

function lastOfMany(visited: readonly { id: string }[]): string | null {
  return visited.length < visitedAtMost ? null : (visited.at(-1)?.id ?? null);
}
