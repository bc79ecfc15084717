import { query, type Tx } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import type { Scope } from '../../entities/rules/values/mode';

/** A customer whom one of some ids leads to. */
export interface NamedCustomer {
  id: string;
  customerId: string;
  participantId: string | null;
  /** Which of the ids led here. */
  names: string[];
}

/** Nothing else makes or names customers of these ids until the transaction ends. */
export async function lockNames(tx: Tx, scope: Scope, names: readonly string[]): Promise<void> {
  await query(
    tx,
    `SELECT pg_advisory_xact_lock(key) FROM (
       SELECT DISTINCT hashtextextended(concat_ws(':', 'customer', $1::text, $2::text, name), 0) AS key
         FROM unnest($3::text[]) AS name ORDER BY 1) AS keys`,
    [scope.workspaceId, scope.mode, names],
  );
}

export function findByNames(
  tx: Tx,
  { workspaceId, mode }: Scope,
  names: readonly string[],
): Promise<NamedCustomer[]> {
  return query<NamedCustomer>(
    tx,
    `SELECT u.id, u.customer_id AS "customerId", u.participant_id AS "participantId",
            array_agg(a.alias) AS names
       FROM customer_aliases AS a JOIN customers AS u ON u.id = a.customer
      WHERE a.workspace_id = $1 AND a.mode = $2 AND a.alias = ANY ($3::text[])
      GROUP BY u.id`,
    [workspaceId, mode, names],
  );
}

/** The customer of that id, of whom the aliases are or may become. CUSTOMER_ALIAS_TAKEN. */
export async function customerOfNames(
  tx: Tx,
  scope: Scope,
  { customerId, aliases }: { customerId: string; aliases: readonly string[] },
): Promise<NamedCustomer | undefined> {
  const found = await findByNames(tx, scope, [customerId, ...aliases]);
  const [own] = found;
  if (found.length > 1 || (own && own.customerId !== customerId)) {
    throw new AppError('CUSTOMER_ALIAS_TAKEN');
  }
  return own;
}
