import { insertOf, layOut, parametersOf, rowsOf } from '../../entities/database/bulk-rows';
import { tableOf } from '../../entities/database/columns';
import { prepared, type Tx } from '../../entities/database/sql';
import { newId } from '../../entities/ids';
import type { FirstPayments } from '../../entities/rules/payments/sale';
import type { Scope } from '../../entities/rules/values/mode';
import { CustomerAlias } from '../../entities/tables/customers/customer-alias.entity';
import { CustomerBinding } from '../../entities/tables/customers/customer-binding.entity';
import { Customer } from '../../entities/tables/customers/customer.entity';
import { nameLockKey } from './names';
import { currentOf, earliestOf, type NewBinding } from './write';

export interface NewCustomer {
  scope: Scope;
  now: Date;
  customerId: string;
  /** Set where only a biller has named the id so far, as with Stripe's `cus_...`. */
  byBiller?: boolean;
  binding: NewBinding | null;
  firstPayments: FirstPayments;
  lastPaidAt: Date | null;
}

/**
 * Makes customers, each known by one id, whose names the transaction holds (lockNames); null when one of
 * the ids is somebody's by now, and then the transaction is of no use any more. Else their ids, in order.
 */
export async function insertCustomers(
  tx: Tx,
  customers: readonly NewCustomer[],
): Promise<string[] | null> {
  const { made, ids } = await insert(tx, customers, 'held');
  return made === ids.length ? ids : null;
}

/**
 * Makes customers as insertCustomers does, but locks their names itself, without waiting. If another transaction
 * holds any of the names, nothing is written; `taken` has the places of those customers in the list.
 */
export async function insertFreeCustomers(
  tx: Tx,
  customers: readonly NewCustomer[],
): Promise<{ isMade: boolean; taken: Set<number> }> {
  const { made, ids, taken } = await insert(tx, customers, 'free');
  const places = new Set(taken.map((id) => ids.indexOf(id)));
  return { isMade: made === ids.length, taken: places };
}

interface Inserted {
  made: number;
  /** The new rows, in the order of the customers. */
  ids: string[];
  /** Those of them whose names another transaction has. */
  taken: string[];
}

async function insert(
  tx: Tx,
  customers: readonly NewCustomer[],
  names: keyof typeof statements,
): Promise<Inserted> {
  if (customers.length === 0) return { made: 0, ids: [], taken: [] };
  const given = customers.map((customer) => ({ id: newId(), ...customer }));
  const sorted = given.toSorted((a, b) => (a.customerId < b.customerId ? -1 : 1));
  const rows = {
    customers: sorted.map(customerRow),
    aliases: sorted.map(aliasRow),
    bindings: sorted.flatMap(bindingRow),
  };
  const [written] = await prepared<Omit<Inserted, 'ids'>>(tx, {
    name: `insert_customers_${names}`,
    text: statements[names],
    values: parametersOf(sets, rows),
  });
  return { made: 0, taken: [], ...written, ids: given.map(({ id }) => id) };
}

type Made = NewCustomer & { id: string };

function customerRow({ id, scope, now, customerId, binding, firstPayments, lastPaidAt }: Made) {
  const { workspaceId, mode } = scope;
  const paid = { firstPaidAt: earliestOf(firstPayments), firstPayments, lastPaidAt };
  return { id, workspaceId, mode, customerId, ...currentOf(binding), ...paid, createdAt: now };
}

function aliasRow({ id, scope: { workspaceId, mode }, customerId, byBiller = false }: Made) {
  return { workspaceId, mode, alias: customerId, customer: id, byBiller };
}

function bindingRow({ id, scope: { workspaceId, mode }, now, binding }: Made) {
  if (!binding) return [];
  return [{ id: newId(), workspaceId, mode, customer: id, ...binding, createdAt: now }];
}

const sets = layOut({
  customers: tableOf(Customer, [
    ...['id', 'workspaceId', 'mode', 'customerId', 'participantId', 'programId', 'source'],
    ...['boundAt', 'attribution', 'reason', 'firstPaidAt', 'firstPayments', 'lastPaidAt'],
    'createdAt',
  ]),
  aliases: tableOf(CustomerAlias, ['workspaceId', 'mode', 'alias', 'customer', 'byBiller']),
  bindings: tableOf(CustomerBinding, [
    ...['id', 'workspaceId', 'mode', 'customer', 'participantId', 'programId', 'source'],
    ...['boundAt', 'speaksFrom', 'paymentId', 'attribution', 'reason', 'createdAt'],
  ]),
});

/** One trip for the three tables: most sales are of a new customer. */
function statementOf(taken: string): string {
  const isMade = 'r.customer IN (SELECT id FROM made)';
  return `
    WITH taken AS MATERIALIZED (${taken}),
    made AS (
      ${insertOf(sets.customers, 'NOT EXISTS (SELECT FROM taken)')}
      ON CONFLICT DO NOTHING RETURNING id),
    named AS (
      ${insertOf(sets.aliases, isMade)}
      ON CONFLICT DO NOTHING RETURNING customer),
    bound AS (
      ${insertOf(sets.bindings, isMade)}
      ON CONFLICT ON CONSTRAINT uq_customer_binding_payment DO NOTHING)
    SELECT (SELECT count(*) FROM named)::int AS made,
           (SELECT coalesce(array_agg(customer), '{}') FROM taken) AS taken`;
}

const statements = {
  held: statementOf('SELECT NULL::uuid AS customer WHERE false'),
  free: statementOf(`
    SELECT r.customer FROM ${rowsOf(sets.aliases)}
     WHERE NOT pg_try_advisory_xact_lock(${nameLockKey('r.workspace_id', 'r.mode', 'r.alias')})`),
};
