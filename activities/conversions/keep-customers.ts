import type { Tx } from '../../entities/database/sql';
import { insertCustomers, insertFreeCustomers, type NewCustomer } from '../customers/insert';
import { insertBindings, lockCustomers, saveCustomer, type CustomerRow } from '../customers/write';
import { lockNames } from '../customers/names';
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
  for (const plan of kept) await addPayment(tx, plan);
  return insertNew(tx, kept, { waits });
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
 * New customers, under names that no other transaction makes at this moment: a shared commit waits for
 * none, and is told whose conversions another one has.
 */
async function insertNew(
  tx: Tx,
  plans: readonly WithCustomer[],
  { waits }: { waits: boolean },
): Promise<KeptCustomers> {
  const fresh = plans.filter(({ customer }) => !customer.known);
  const rows = fresh.map(newCustomer);
  if (waits) {
    for (const { scope, customerId } of rows) await lockNames(tx, scope, [customerId]);
    return { isKept: (await insertCustomers(tx, rows)) !== null, locked: new Set() };
  }
  const { isMade, taken } = await insertFreeCustomers(tx, rows);
  const locked = fresh.filter((_, place) => taken.has(place)).map(({ record }) => record.id);
  return { isKept: isMade || locked.length > 0, locked: new Set(locked) };
}

function newCustomer({ scope, customer, record }: WithCustomer): NewCustomer {
  const { customerId, binding, firstPayments, lastPaidAt } = customer;
  return { scope, now: record.createdAt, customerId, binding, firstPayments, lastPaidAt };
}
