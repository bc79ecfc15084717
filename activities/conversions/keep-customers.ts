import { insertOf, rowsOf, type RowSet } from '../../entities/database/bulk-rows';
import { tableOf } from '../../entities/database/columns';
import { newId } from '../../entities/ids';
import { Customer } from '../../entities/tables/customers/customer.entity';
import { newCustomerRows, newCustomerTables, type MadeCustomer } from '../customers/insert';
import { nameLockKey } from '../customers/names';
import { bindingRow, currentOf, earliestOf } from '../customers/write';
import type { CustomerPlan } from './customer-plan';
import type { ConversionPlan } from './decide';

// What sales leave of their customers is written by the statement that writes the sales: most are of a
// new customer, and a transaction of several statements would be four more trips.

type Kept = ConversionPlan & { customer: CustomerPlan };
type KnownKept = Kept & { customer: { known: NonNullable<CustomerPlan['known']> } };

/** New customers, what sales add to histories, and what is known by now of customers of before. */
export const customerTables = {
  ...newCustomerTables,
  saved: tableOf(Customer, [
    ...['id', 'participantId', 'programId', 'source', 'boundAt', 'attribution', 'reason'],
    ...['firstPaidAt', 'firstPayments', 'lastPaidAt'],
  ]),
};

type CustomerSets = Readonly<Record<keyof typeof customerTables, RowSet>>;

/** Rows for these tables, and of which conversion each new customer is. */
export interface CustomerRows {
  rows: Record<keyof typeof customerTables, object[]>;
  conversionOf: ReadonlyMap<string, string>;
}

export function customerRows(plans: readonly ConversionPlan[]): CustomerRows {
  const kept = plans.filter((plan): plan is Kept => plan.customer !== null);
  const made = kept.filter(({ customer }) => !customer.known).map(madeCustomer);
  const known = kept.filter((plan): plan is KnownKept => plan.customer.known !== null);
  const { customers, names, bindings } = newCustomerRows(made.map(({ customer }) => customer));
  return {
    rows: {
      ...{ customers, names, bindings: [...bindings, ...known.flatMap(addedBinding)] },
      saved: known.map(savedRow),
    },
    conversionOf: new Map(made.map(({ customer, conversionId }) => [customer.id, conversionId])),
  };
}

function madeCustomer({ scope, customer, record }: Kept): {
  customer: MadeCustomer;
  conversionId: string;
} {
  const { customerId, binding, firstPayments, lastPaidAt } = customer;
  const paid = { firstPayments, lastPaidAt };
  const made = { id: newId(), scope, now: record.createdAt, customerId, binding, ...paid };
  return { customer: made, conversionId: record.id };
}

function addedBinding({ scope, record, customer: { known, binding } }: KnownKept): object[] {
  if (!binding) return [];
  return [bindingRow({ customer: known.id, scope, now: record.createdAt, binding })];
}

function savedRow({ customer: { known, binding, firstPayments, lastPaidAt } }: KnownKept) {
  const firstPaidAt = earliestOf(firstPayments);
  return { id: known.id, ...currentOf(binding), firstPaidAt, firstPayments, lastPaidAt };
}

/** The parts of a statement that write them where it `isWhole`. */
export function customerParts(sets: CustomerSets, isWhole: string): string[] {
  return [
    `made_customers AS (${insertOf(sets.customers, isWhole)})`,
    `made_names AS (${insertOf(sets.names, isWhole)})`,
    `added_bindings AS (${insertOf(sets.bindings, isWhole)})`,
    `saved_customers AS (
      UPDATE customers AS u
         SET ${boundColumns.map(boundSql).join(', ')},
             first_paid_at = r.first_paid_at, first_payments = r.first_payments,
             last_paid_at = r.last_paid_at
        FROM ${rowsOf(sets.saved)} WHERE u.id = r.id AND ${isWhole})`,
  ];
}

const boundColumns = [
  'participant_id',
  'program_id',
  'source',
  'bound_at',
  'attribution',
  'reason',
];

/** A customer stays the same partner's where the sale does not bind them. */
function boundSql(column: string): string {
  return `${column} = CASE WHEN r.participant_id IS NULL THEN u.${column} ELSE r.${column} END`;
}

/**
 * The new customers whose names another transaction makes at this moment, and locks on all others. An open
 * transaction waits for it instead, and finds none.
 */
export function takenNames({ names }: CustomerSets, { waits }: { waits: boolean }): string {
  const key = nameLockKey('r.workspace_id', 'r.mode', 'r.alias');
  const isTaken = waits
    ? `pg_advisory_xact_lock(${key}) IS NULL`
    : `NOT pg_try_advisory_xact_lock(${key})`;
  return `SELECT r.customer FROM ${rowsOf(names)} WHERE ${isTaken}`;
}
