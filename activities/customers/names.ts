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
