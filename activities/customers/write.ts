import { insertAll } from '../../entities/database/insert-all';
import { execute, query, type Tx } from '../../entities/database/sql';
import { newId } from '../../entities/ids';
import type { BindingSource } from '../../entities/rules/customers/binding';
import type { Scope } from '../../entities/rules/values/mode';
import { CustomerAlias } from '../../entities/tables/customers/customer-alias.entity';
import { Customer } from '../../entities/tables/customers/customer.entity';
import { update } from '../../entities/database/update';

/** Whose a customer is from now on. */
export interface NewBinding {
  participantId: string;
  programId: string;
  source: BindingSource;
  boundAt: Date;
  /** How a sign-up or a sale was attributed, as it is answered. */
  attribution: object | null;
}

const nobodys = {
  participantId: null,
  programId: null,
  source: null,
  boundAt: null,
  attribution: null,
};

export type CustomerRow = Pick<Customer, 'id' | 'participantId' | 'firstPaidAt'>;

/** Locks customers in one order; without waiting those that somebody else has are left out. */
export function lockCustomers(
  tx: Tx,
  ids: readonly string[],
  { waits }: { waits: boolean },
): Promise<CustomerRow[]> {
  return query<CustomerRow>(
    tx,
    `SELECT id, participant_id AS "participantId", first_paid_at AS "firstPaidAt"
       FROM customers WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE ${waits ? '' : 'SKIP LOCKED'}`,
    [ids],
  );
}

export interface NewCustomer {
  customerId: string;
  binding: NewBinding | null;
  firstPaidAt: Date | null;
}

/**
 * Makes customers, each known by one id; false when one of the ids is somebody's by now, and then
 * the transaction is of no use any more.
 */
export async function insertCustomers(
  tx: Tx,
  { scope, now }: { scope: Scope; now: Date },
  customers: readonly NewCustomer[],
): Promise<boolean> {
  const sorted = [...customers].sort((a, b) => (a.customerId < b.customerId ? -1 : 1));
  const rows = sorted.map(({ customerId, binding, firstPaidAt }) => ({
    id: newId(),
    workspaceId: scope.workspaceId,
    mode: scope.mode,
    customerId,
    ...(binding ?? nobodys),
    firstPaidAt,
    createdAt: now,
  }));
  const made = await insertAll(tx, { into: Customer, rows, onConflict: 'ON CONFLICT DO NOTHING' });
  if (made < rows.length) return false;
  const aliases = rows.map(({ id, customerId }) => ({ customer: id, alias: customerId }));
  return (await insertAliases(tx, scope, aliases)) === rows.length;
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

/** Binds a locked customer, anew or for the first time. */
export function bindCustomer(tx: Tx, id: string, binding: NewBinding): Promise<number> {
  const { participantId, programId, source, boundAt, attribution } = binding;
  return update(tx, Customer, {
    set: { participantId, programId, source, boundAt, attribution },
    where: { id },
  });
}

/** The first attributed payment of a locked customer; an earlier one stays the first. */
export function setFirstPaid(tx: Tx, id: string, at: Date): Promise<number> {
  return execute(
    tx,
    'UPDATE customers SET first_paid_at = least(first_paid_at, $2::timestamptz) WHERE id = $1',
    [id, at],
  );
}
