import { insertOf, layOut, parametersOf } from '../../entities/database/bulk-rows';
import { tableOf } from '../../entities/database/columns';
import { prepared, type Tx } from '../../entities/database/sql';
import { newId } from '../../entities/ids';
import type { FirstPayments } from '../../entities/rules/payments/sale';
import type { Scope } from '../../entities/rules/values/mode';
import { CustomerAlias } from '../../entities/tables/customers/customer-alias.entity';
import { CustomerBinding } from '../../entities/tables/customers/customer-binding.entity';
import { Customer } from '../../entities/tables/customers/customer.entity';
import { bindingRow, currentOf, earliestOf, type NewBinding } from './write';

export interface NewCustomer {
  scope: Scope;
  now: Date;
  customerId: string;
  /** True where only a biller has named the id so far, as with Stripe's `cus_...`. */
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
  if (customers.length === 0) return [];
  const made = customers.map((customer) => ({ id: newId(), ...customer }));
  const [written] = await prepared<{ made: number }>(tx, {
    name: 'insert_customers',
    text: statement,
    values: parametersOf(sets, newCustomerRows(made)),
  });
  return written?.made === made.length ? made.map(({ id }) => id) : null;
}

/** A new customer under the id that their row will have. */
export type MadeCustomer = NewCustomer & { id: string };

/** Rows of new customers for the tables below, in one order of their names. */
export function newCustomerRows(customers: readonly MadeCustomer[]) {
  const sorted = customers.toSorted((a, b) => (a.customerId < b.customerId ? -1 : 1));
  return {
    customers: sorted.map(customerRow),
    names: sorted.map(aliasRow),
    bindings: sorted.flatMap(({ id, scope, now, binding }) =>
      binding ? [bindingRow({ customer: id, scope, now, binding })] : [],
    ),
  };
}

function customerRow({ id, scope, now, binding, ...told }: MadeCustomer) {
  const { workspaceId, mode } = scope;
  const { customerId, firstPayments, lastPaidAt } = told;
  const paid = { firstPaidAt: earliestOf(firstPayments), firstPayments, lastPaidAt };
  return { id, workspaceId, mode, customerId, ...currentOf(binding), ...paid, createdAt: now };
}

function aliasRow({
  id,
  scope: { workspaceId, mode },
  customerId,
  byBiller = false,
}: MadeCustomer) {
  return { workspaceId, mode, alias: customerId, customer: id, byBiller };
}

/** What is written of a new customer, in the order of such a statement. */
export const newCustomerTables = {
  customers: tableOf(Customer, [
    ...['id', 'workspaceId', 'mode', 'customerId', 'participantId', 'programId', 'source'],
    ...['boundAt', 'attribution', 'reason', 'firstPaidAt', 'firstPayments', 'lastPaidAt'],
    'createdAt',
  ]),
  names: tableOf(CustomerAlias, ['workspaceId', 'mode', 'alias', 'customer', 'byBiller']),
  bindings: tableOf(CustomerBinding, [
    ...['id', 'workspaceId', 'mode', 'customer', 'participantId', 'programId', 'source'],
    ...['boundAt', 'speaksFrom', 'paymentId', 'attribution', 'reason', 'createdAt'],
  ]),
};

const sets = layOut(newCustomerTables);
const isMade = 'r.customer IN (SELECT id FROM made)';

/** One trip for the three tables. */
const statement = `
  WITH made AS (${insertOf(sets.customers)} ON CONFLICT DO NOTHING RETURNING id),
  named AS (${insertOf(sets.names, isMade)} ON CONFLICT DO NOTHING RETURNING customer),
  bound AS (
    ${insertOf(sets.bindings, isMade)}
    ON CONFLICT ON CONSTRAINT uq_customer_binding_payment DO NOTHING)
  SELECT (SELECT count(*) FROM named)::int AS made`;
