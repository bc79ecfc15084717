import type { Tx } from '../../entities/database/sql';
import {
  insertBindings,
  insertCustomers,
  lockCustomers,
  saveCustomer,
  type CustomerRow,
} from '../customers/write';
import { lockNames, tryLockNames } from '../customers/names';
import type { CustomerPlan } from './customer-plan';
import type { ConversionPlan } from './decide';

export interface KeptCustomers {
  /** Whether they are still as the plans saw them; else the transaction is of no use any more. */
  isKept: boolean;
  /** Conversions whose customer another transaction has at this moment. */
  locked: Set<string>;
}

type WithCustomer = ConversionPlan & { customer: CustomerPlan };

/**
 * Binds the customers of these conversions and keeps when they first paid. Of two sales of one
 * customer at once the second is read again: whether it is the first decides what it earns.
 */
export async function keepCustomers(
  tx: Tx,
  plans: readonly ConversionPlan[],
  { waits }: { waits: boolean },
): Promise<KeptCustomers> {
  const kept = plans.filter((plan): plan is WithCustomer => plan.customer !== null);
  const ids = kept.flatMap(({ customer }) => customer.known?.id ?? []);
  const rows = ids.length === 0 ? [] : await lockCustomers(tx, ids, { waits });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const unseen = kept.filter(({ customer }) => customer.known && !byId.has(customer.known.id));
  if (unseen.length > 0) {
    // One that is gone is read again, as one that is locked is.
    return waits
      ? refused
      : { isKept: true, locked: new Set(unseen.map(({ record }) => record.id)) };
  }
  if (kept.some(({ customer }) => !isAsSeen(customer, byId))) return refused;
  const locked = await holdNames(tx, kept, { waits });
  if (locked.size > 0) return { isKept: true, locked };
  for (const plan of kept) await addPayment(tx, plan);
  return { isKept: await insertNew(tx, kept), locked: new Set() };
}

const refused: KeptCustomers = { isKept: false, locked: new Set() };

function isAsSeen({ known }: CustomerPlan, rows: ReadonlyMap<string, CustomerRow>): boolean {
  return !known || rows.get(known.id)?.seen === known.seen;
}

async function addPayment(tx: Tx, { customer, scope, record }: WithCustomer): Promise<void> {
  const { known, binding, firstPayments, lastPaidAt } = customer;
  if (!known) return;
  const bound = binding ? { binding } : {};
  await saveCustomer(tx, known.id, { ...bound, firstPayments, lastPaidAt });
  if (!binding) return;
  await insertBindings(tx, [{ customer: known.id, scope, now: record.createdAt, binding }]);
}

/**
 * The names of new customers, so that their insert meets no other transaction's: a shared commit
 * waits for none, and is told whose conversions another one has.
 */
async function holdNames(
  tx: Tx,
  plans: readonly WithCustomer[],
  { waits }: { waits: boolean },
): Promise<Set<string>> {
  const fresh = plans.filter(({ customer }) => !customer.known);
  if (fresh.length === 0) return new Set();
  if (waits) {
    for (const { scope, customer } of fresh) await lockNames(tx, scope, [customer.customerId]);
    return new Set();
  }
  const names = fresh.map(({ scope, customer }) => ({ scope, name: customer.customerId }));
  const taken = await tryLockNames(tx, names);
  return new Set(fresh.filter((_, place) => taken.has(place)).map(({ record }) => record.id));
}

async function insertNew(tx: Tx, plans: readonly WithCustomer[]): Promise<boolean> {
  const fresh = plans.filter(({ customer }) => !customer.known);
  const made = await insertCustomers(
    tx,
    fresh.map(({ scope, customer, record }) => ({
      scope,
      now: record.createdAt,
      customerId: customer.customerId,
      binding: customer.binding,
      firstPayments: customer.firstPayments,
      lastPaidAt: customer.lastPaidAt,
    })),
  );
  return made !== null;
}
