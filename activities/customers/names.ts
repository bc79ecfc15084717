import { query, type Tx } from '../../entities/database/sql';
import type { Scope } from '../../entities/rules/values/mode';

/** The key of the advisory lock on an id of a customer, as SQL. */
export function nameLockKey(workspaceId: string, mode: string, name: string): string {
  return `hashtextextended(concat_ws(':', 'customer', ${workspaceId}, ${mode}, ${name}), 0)`;
}

/** Nothing else makes or names customers of these ids until the transaction ends. */
export async function lockNames(tx: Tx, scope: Scope, names: readonly string[]): Promise<void> {
  await query(
    tx,
    `SELECT pg_advisory_xact_lock(key) FROM (
       SELECT DISTINCT ${nameLockKey('$1::text', '$2::text', 'name')} AS key
         FROM unnest($3::text[]) AS name ORDER BY 1) AS keys`,
    [scope.workspaceId, scope.mode, names],
  );
}

/**
 * As lockNames, of many scopes at once and without waiting: the places of those names that another
 * transaction has. The others are held.
 */
export async function tryLockNames(
  tx: Tx,
  names: readonly { scope: Scope; name: string }[],
): Promise<Set<number>> {
  const taken = await query<{ place: number }>(
    tx,
    `SELECT place::int AS place
       FROM unnest($1::text[], $2::text[], $3::text[])
         WITH ORDINALITY AS n (workspace_id, mode, name, place)
      WHERE NOT pg_try_advisory_xact_lock(${nameLockKey('workspace_id', 'mode', 'name')})`,
    [
      names.map(({ scope }) => scope.workspaceId),
      names.map(({ scope }) => scope.mode),
      names.map(({ name }) => name),
    ],
  );
  return new Set(taken.map(({ place }) => place - 1));
}
