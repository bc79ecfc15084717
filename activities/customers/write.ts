import { insertAll } from '../../entities/database/insert-all';
import { prepared, type Tx } from '../../entities/database/sql';
import { update } from '../../entities/database/update';
import { newId } from '../../entities/ids';
import type { BindingSource } from '../../entities/rules/customers/binding';
import type { FirstPayments } from '../../entities/rules/payments/sale';
import type { Scope } from '../../entities/rules/values/mode';
import { CustomerAlias } from '../../entities/tables/customers/customer-alias.entity';
import { CustomerBinding } from '../../entities/tables/customers/customer-binding.entity';
import { Customer } from '../../entities/tables/customers/customer.entity';

/** A fact that says whose a customer is; without a partner it takes them away. */
export type NewBinding = Pick<
  CustomerBinding,
  'participantId' | 'programId' | 'boundAt' | 'speaksFrom' | 'paymentId' | 'attribution' | 'reason'
> & { source: BindingSource };

export interface CustomerRow {
  id: string;
  seen: string;
}

/** What of a customer `u` a plan rests on: equal texts are the same state. */
export const seenSql = `concat_ws('/', u.participant_id, u.source, u.bound_at, u.last_paid_at,
  u.first_payments)`;

/** Locks customers in one order; without waiting those that somebody else has are left out. */
export function lockCustomers(
  tx: Tx,
  ids: readonly string[],
  { waits }: { waits: boolean },
): Promise<CustomerRow[]> {
  return prepared<CustomerRow>(tx, {
    name: waits ? 'lock_customers' : 'lock_free_customers',
    text: `SELECT u.id, ${seenSql} AS seen FROM customers AS u
            WHERE u.id = ANY ($1::uuid[]) ORDER BY u.id FOR UPDATE ${waits ? '' : 'SKIP LOCKED'}`,
    values: [ids],
  });
}

/** When a customer first paid at all. */
export function earliestOf(firsts: FirstPayments): Date | null {
  const [first] = Object.values(firsts)
    .map(({ paidAt }) => paidAt)
    .sort();
  return first === undefined ? null : new Date(first);
}

/** What the customer's own row says of the binding that holds now. */
export function currentOf(binding: NewBinding | null) {
  const { participantId = null, programId = null, attribution = null } = binding ?? {};
  const { source = null, boundAt = null, reason = null } = binding ?? {};
  return { participantId, programId, source, boundAt, attribution, reason };
}

export interface AddedBinding {
  /** The row in `customers`. */
  customer: string;
  scope: Scope;
  now: Date;
  binding: NewBinding;
}

/** Adds facts to the histories of customers; a sale's is there once. */
export async function insertBindings(tx: Tx, added: readonly AddedBinding[]): Promise<void> {
  await insertAll(tx, {
    into: CustomerBinding,
    rows: added.map(bindingRow),
    onConflict: 'ON CONFLICT ON CONSTRAINT uq_customer_binding_payment DO NOTHING',
  });
}

/** A fact as a row of a customer's history. */
export function bindingRow({ customer, scope: { workspaceId, mode }, now, binding }: AddedBinding) {
  return { id: newId(), workspaceId, mode, customer, ...binding, createdAt: now };
}

/** Adds ids that customers are known by, those that nobody has yet; returns how many. */
export function insertAliases(
  tx: Tx,
  { workspaceId, mode }: Scope,
  aliases: readonly { customer: string; alias: string; byBiller?: boolean }[],
): Promise<number> {
  const rows = aliases.map(({ customer, alias, byBiller = false }) => ({
    workspaceId,
    mode,
    alias,
    customer,
    byBiller,
  }));
  return insertAll(tx, { into: CustomerAlias, rows, onConflict: 'ON CONFLICT DO NOTHING' });
}

export interface CustomerState {
  /** What holds now, or took the customer away last; null for one whom nobody ever had. */
  binding: NewBinding | null;
  firstPayments: FirstPayments;
  lastPaidAt: Date | null;
}

/** Writes what is known by now of a locked customer; whose they are stays where it is left out. */
export async function saveCustomer(
  tx: Tx,
  id: string,
  {
    binding,
    firstPayments,
    lastPaidAt,
  }: Omit<CustomerState, 'binding'> & Partial<Pick<CustomerState, 'binding'>>,
): Promise<void> {
  const bound = binding === undefined ? {} : currentOf(binding);
  const paid = { firstPayments, firstPaidAt: earliestOf(firstPayments), lastPaidAt };
  await update(tx, Customer, { set: { ...bound, ...paid }, where: { id } });
}

/** Whether the row says that already: equal texts are the same state. */
export function isSaved(
  row: LockedCustomer,
  { binding, firstPayments, lastPaidAt }: CustomerState,
): boolean {
  const { attribution: _, ...bound } = currentOf(binding);
  const now = { ...bound, firstPaidAt: earliestOf(firstPayments), lastPaidAt };
  const isSame = Object.entries(now).every(
    ([key, value]) => JSON.stringify(row[key as keyof typeof now]) === JSON.stringify(value),
  );
  return isSame && textOf(row.firstPayments) === textOf(firstPayments);
}

/** A customer's row, as it is while it is locked. */
export type LockedCustomer = Pick<Customer, (typeof lockedColumns)[number]>;

export const lockedColumns = [
  'id',
  'participantId',
  'programId',
  'source',
  'boundAt',
  'reason',
  'firstPayments',
  'firstPaidAt',
  'lastPaidAt',
] as const satisfies (keyof Customer)[];

function textOf(firstPayments: FirstPayments): string {
  const all = Object.entries(firstPayments).map(
    ([programId, { paidAt, periodAt, payments = 0 }]) =>
      `${programId} ${paidAt} ${periodAt} ${payments}`,
  );
  return all.sort().join();
}
