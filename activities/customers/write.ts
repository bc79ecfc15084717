import { insertAll } from '../../entities/database/insert-all';
import { execute, query, type Tx } from '../../entities/database/sql';
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
export const seenSql = `concat_ws('/', u.participant_id, u.source, u.bound_at, u.last_paid_at)`;

/** Locks customers in one order; without waiting those that somebody else has are left out. */
export function lockCustomers(
  tx: Tx,
  ids: readonly string[],
  { waits }: { waits: boolean },
): Promise<CustomerRow[]> {
  return query<CustomerRow>(
    tx,
    `SELECT u.id, ${seenSql} AS seen FROM customers AS u
      WHERE u.id = ANY ($1::uuid[]) ORDER BY u.id FOR UPDATE ${waits ? '' : 'SKIP LOCKED'}`,
    [ids],
  );
}

export interface NewCustomer {
  scope: Scope;
  now: Date;
  customerId: string;
  binding: NewBinding | null;
  firstPayments: FirstPayments;
  lastPaidAt: Date | null;
}

/**
 * Makes customers, each known by one id; null when one of the ids is somebody's by now, and then the
 * transaction is of no use any more. Else their ids, in order.
 */
export async function insertCustomers(
  tx: Tx,
  customers: readonly NewCustomer[],
): Promise<string[] | null> {
  if (customers.length === 0) return [];
  const sorted = customers.toSorted((a, b) => (a.customerId < b.customerId ? -1 : 1));
  const made = sorted.map((customer) => ({ id: newId(), ...customer }));
  const rows = made.map(({ id, scope, customerId, binding, firstPayments, lastPaidAt, now }) => ({
    id,
    workspaceId: scope.workspaceId,
    mode: scope.mode,
    customerId,
    ...currentOf(binding),
    firstPaidAt: earliestOf(firstPayments),
    firstPayments,
    lastPaidAt,
    createdAt: now,
  }));
  const onConflict = 'ON CONFLICT DO NOTHING';
  const count = await insertAll(tx, { into: Customer, rows, onConflict });
  if (count < rows.length) return null;
  const aliases = rows.map(({ id, customerId, workspaceId, mode }) => ({
    workspaceId,
    mode,
    alias: customerId,
    customer: id,
  }));
  const named = await insertAll(tx, { into: CustomerAlias, rows: aliases, onConflict });
  if (named < rows.length) return null;
  await insertBindings(
    tx,
    made.flatMap(({ id, scope, now, binding }) =>
      binding ? [{ customer: id, scope, now, binding }] : [],
    ),
  );
  const ids = new Map(made.map(({ id, customerId }) => [customerId, id]));
  return customers.map(({ customerId }) => ids.get(customerId) ?? '');
}

function earliestOf(firsts: FirstPayments): Date | null {
  const [first] = Object.values(firsts)
    .map(({ paidAt }) => paidAt)
    .sort();
  return first === undefined ? null : new Date(first);
}

/** What the customer's own row says of the binding that holds now. */
function currentOf(binding: NewBinding | null) {
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
    rows: added.map(({ customer, scope: { workspaceId, mode }, now, binding }) => ({
      id: newId(),
      workspaceId,
      mode,
      customer,
      ...binding,
      createdAt: now,
    })),
    onConflict: 'ON CONFLICT ON CONSTRAINT uq_customer_binding_payment DO NOTHING',
  });
}

/** Adds ids that customers are known by, those that nobody has yet; returns how many. */
export function insertAliases(
  tx: Tx,
  { workspaceId, mode }: Scope,
  aliases: readonly { customer: string; alias: string }[],
): Promise<number> {
  const rows = aliases.map(({ customer, alias }) => ({ workspaceId, mode, alias, customer }));
  return insertAll(tx, { into: CustomerAlias, rows, onConflict: 'ON CONFLICT DO NOTHING' });
}

export interface CustomerState {
  /** What holds now, or took the customer away last; null for one whom nobody ever had. */
  binding: NewBinding | null;
  firstPayments: FirstPayments;
  lastPaidAt: Date | null;
}

/** Writes what follows from all facts of a locked customer, where it differs. */
export async function saveCustomer(tx: Tx, id: string, state: CustomerState): Promise<void> {
  const { participantId, programId, source, boundAt, attribution, reason } = currentOf(
    state.binding,
  );
  const { firstPayments, lastPaidAt } = state;
  await execute(
    tx,
    `UPDATE customers SET participant_id = $2, program_id = $3, source = $4, bound_at = $5,
            attribution = $6, reason = $7, first_payments = $8, last_paid_at = $9,
            first_paid_at = $10
      WHERE id = $1 AND (participant_id, program_id, source, bound_at, reason, first_payments,
                         last_paid_at, first_paid_at)
        IS DISTINCT FROM ($2::uuid, $3::uuid, $4::text, $5::timestamptz, $7::text, $8::jsonb,
                          $9::timestamptz, $10::timestamptz)`,
    [
      id,
      participantId,
      programId,
      source,
      boundAt,
      attribution && JSON.stringify(attribution),
      reason,
      JSON.stringify(firstPayments),
      lastPaidAt,
      earliestOf(firstPayments),
    ],
  );
}

/** A locked customer's latest payment, in time order: whose they are by it, and what came first. */
export async function addLatest(
  tx: Tx,
  id: string,
  latest: { binding: NewBinding | null; firstPayments: FirstPayments; paidAt: Date },
): Promise<void> {
  const { binding, firstPayments, paidAt } = latest;
  const { participantId, programId, source, boundAt, attribution } = currentOf(binding);
  await execute(
    tx,
    `UPDATE customers AS u
        SET participant_id = CASE WHEN $2::uuid IS NULL THEN u.participant_id ELSE $2 END,
            program_id = CASE WHEN $2::uuid IS NULL THEN u.program_id ELSE $3 END,
            source = CASE WHEN $2::uuid IS NULL THEN u.source ELSE $4 END,
            bound_at = CASE WHEN $2::uuid IS NULL THEN u.bound_at ELSE $5 END,
            attribution = CASE WHEN $2::uuid IS NULL THEN u.attribution ELSE $6 END,
            first_payments = $7::jsonb || u.first_payments,
            first_paid_at = least(u.first_paid_at, $8), last_paid_at = greatest(u.last_paid_at, $9)
      WHERE u.id = $1`,
    [
      id,
      participantId,
      programId,
      source,
      boundAt,
      attribution && JSON.stringify(attribution),
      JSON.stringify(firstPayments),
      earliestOf(firstPayments),
      paidAt,
    ],
  );
}
