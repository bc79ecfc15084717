import { execute, type Tx } from '../../entities/database/sql';
import type { Scope } from '../../entities/rules/values/mode';

/**
 * Deletes these aliases of customers who were never bound to a partner and never paid: a sign-up that was not
 * attributed keeps no alias from another customer. A customer's own id stays.
 */
export async function releaseAliases(
  tx: Tx,
  { workspaceId, mode }: Scope,
  names: readonly string[],
): Promise<void> {
  await execute(
    tx,
    `DELETE FROM customer_aliases AS a USING customers AS u
      WHERE a.workspace_id = $1 AND a.mode = $2 AND a.alias = ANY ($3::text[])
        AND u.id = a.customer AND u.customer_id <> a.alias
        AND u.last_paid_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM customer_bindings AS b WHERE b.customer = u.id)
        AND NOT EXISTS (SELECT 1 FROM stripe_payments AS p WHERE p.customer = u.id)`,
    [workspaceId, mode, names],
  );
}
