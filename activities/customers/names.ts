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

const keyOf = (workspaceId: string, mode: string): string =>
  `hashtextextended(concat_ws(':', 'customer', ${workspaceId}, ${mode}, name), 0)`;

/** Nothing else makes or names customers of these ids until the transaction ends. */
export async function lockNames(tx: Tx, scope: Scope, names: readonly string[]): Promise<void> {
  await query(
    tx,
    `SELECT pg_advisory_xact_lock(key) FROM (
       SELECT DISTINCT ${keyOf('$1::text', '$2::text')} AS key
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
      WHERE NOT pg_try_advisory_xact_lock(${keyOf('workspace_id', 'mode')})`,
    [
      names.map(({ scope }) => scope.workspaceId),
      names.map(({ scope }) => scope.mode),
      names.map(({ name }) => name),
    ],
  );
  return new Set(taken.map(({ place }) => place - 1));
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
