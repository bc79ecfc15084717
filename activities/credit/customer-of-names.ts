import { execute, query, type Tx } from '../../entities/database/sql';
import type { CommandContext } from '../journal/cause';
import { lockNames } from '../customers/names';
import { insertCustomers } from '../customers/insert';
import { insertAliases, lockCustomers } from '../customers/write';

/** What a payment names its buyer by. */
export interface BuyerNames {
  /** The merchant's own ids, the surest first. */
  own: readonly string[];
  /** The processor's. */
  billers: readonly string[];
  /** The customer whom the payment is known to be of. */
  current: string | null;
}

interface Found {
  id: string;
  /** Every id that they are known by. */
  names: string[];
  /** The names among them that only payments gave, as the biller's own ids. */
  ofBillers: string[];
  isBound: boolean;
}

/** Ids that a customer may be known by, 50 besides their own; further ones are not kept. */
export const maxNames = 51;

/**
 * The customer of these names, made where nobody is known by any; from now on known by all of them that
 * are nobody else's. A customer whom the processor alone has named is folded into the merchant's own.
 * Null where nothing names one.
 */
export async function customerOfNames(
  tx: Tx,
  context: Pick<CommandContext, 'scope' | 'now'>,
  { own, billers, current }: BuyerNames,
): Promise<string | null> {
  const names = [...new Set([...own, ...billers])];
  const [first] = names;
  if (first === undefined) return current;
  await lockNames(tx, context.scope, names);
  const found = await findByNames(tx, context, names);
  if (found.length === 0) {
    // One whose ids were erased is not to be known by them again.
    return current ?? makeCustomer(tx, context, { first, names, own });
  }
  const kept = keptOf(found, names);
  for (const other of found) {
    if (other.id !== kept.id && isOfProcessor(other))
      await fold(tx, { from: other.id, into: kept });
  }
  await nameAll(tx, context, { kept, names, own });
  return kept.id;
}

/** Whether nothing but a biller's own ids lead to them: of Stripe's ids their form tells. */
export function isOfProcessor({ names, ofBillers }: Pick<Found, 'names' | 'ofBillers'>): boolean {
  return names.every((name) => /^(cus|acct)_/.test(name) || ofBillers.includes(name));
}

/** Folds a customer whom the processor alone has named into another: their ids, facts and payments. */
export async function fold(
  tx: Tx,
  { from, into }: { from: string; into: Pick<Found, 'id'> },
): Promise<void> {
  await lockCustomers(tx, [from, into.id], { waits: true });
  const tables = ['customer_aliases', 'customer_bindings', 'stripe_payments'] as const;
  for (const table of tables) {
    await execute(tx, `UPDATE ${table} SET customer = $2 WHERE customer = $1`, [from, into.id]);
  }
  await execute(tx, 'DELETE FROM customers WHERE id = $1', [from]);
}

export async function findByNames(
  tx: Tx,
  { scope: { workspaceId, mode } }: Pick<CommandContext, 'scope'>,
  names: readonly string[],
): Promise<Found[]> {
  return query<Found>(
    tx,
    `SELECT u.id, array_agg(a.alias ORDER BY a.alias) AS names,
            coalesce(array_agg(a.alias) FILTER (WHERE a.by_biller), '{}') AS "ofBillers",
            EXISTS (SELECT 1 FROM customer_bindings AS b WHERE b.customer = u.id) AS "isBound"
       FROM customers AS u JOIN customer_aliases AS a ON a.customer = u.id
      WHERE u.id IN (SELECT customer FROM customer_aliases
                      WHERE workspace_id = $1 AND mode = $2 AND alias = ANY ($3::text[]))
      GROUP BY u.id ORDER BY u.id`,
    [workspaceId, mode, names],
  );
}

/** A merchant's own before the processor's, one who is bound before one who is not, then by their names. */
function keptOf(found: readonly Found[], names: readonly string[]): Found {
  const place = (one: Found): number => names.findIndex((name) => one.names.includes(name));
  const [kept] = found.toSorted(
    (a, b) =>
      Number(isOfProcessor(a)) - Number(isOfProcessor(b)) ||
      Number(b.isBound) - Number(a.isBound) ||
      place(a) - place(b),
  );
  if (!kept) throw new Error('nobody is known by these names');
  return kept;
}

async function makeCustomer(
  tx: Tx,
  { scope, now }: Pick<CommandContext, 'scope' | 'now'>,
  { first, names, own }: { first: string; names: readonly string[]; own: readonly string[] },
): Promise<string> {
  const byBiller = (name: string): boolean => !own.includes(name);
  const made = await insertCustomers(tx, [
    {
      ...{ scope, now, customerId: first, byBiller: byBiller(first) },
      ...{ binding: null, firstPayments: {}, lastPaidAt: null },
    },
  ]);
  const id = made?.[0];
  if (id === undefined) throw new Error('the names are locked, and somebody is known by one');
  await insertAliases(
    tx,
    scope,
    names
      .filter((name) => name !== first)
      .map((alias) => ({ customer: id, alias, byBiller: byBiller(alias) })),
  );
  return id;
}

async function nameAll(
  tx: Tx,
  { scope }: Pick<CommandContext, 'scope'>,
  { kept, names, own }: { kept: Found; names: readonly string[]; own: readonly string[] },
): Promise<void> {
  const room = Math.max(0, maxNames - kept.names.length);
  const added = names.filter((name) => !kept.names.includes(name)).slice(0, room);
  await insertAliases(
    tx,
    scope,
    added.map((alias) => ({ customer: kept.id, alias, byBiller: !own.includes(alias) })),
  );
  const claimed = own.filter((name) => kept.ofBillers.includes(name));
  if (claimed.length > 0) {
    await execute(
      tx,
      'UPDATE customer_aliases SET by_biller = false WHERE customer = $1 AND alias = ANY ($2::text[])',
      [kept.id, claimed],
    );
  }
  const [surest] = own;
  if (surest === undefined || !isOfProcessor(kept)) return;
  await execute(
    tx,
    `UPDATE customers AS u SET customer_id = $2 WHERE u.id = $1
        AND EXISTS (SELECT 1 FROM customer_aliases AS a WHERE a.customer = u.id AND a.alias = $2)`,
    [kept.id, surest],
  );
}
