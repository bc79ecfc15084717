import { insertAll } from '../../../entities/database/insert-all';
import { execute, query } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import type { StoredCustomer } from '../../../entities/rules/imports/stored';
import type { FirstPayments } from '../../../entities/rules/payments/sale';
import type { ImportRow } from '../../../entities/tables/imports/import-row.entity';
import { CustomerBinding } from '../../../entities/tables/customers/customer-binding.entity';
import { Customer } from '../../../entities/tables/customers/customer.entity';
import { lockNames } from '../../customers/names';
import { insertAliases } from '../../customers/write';
import { enqueueAll } from '../../journal/outbox';
import {
  customerOf,
  factsOf,
  idsOf,
  judgeCustomers,
  type CustomerVerdict,
} from '../judge/customers';
import type { Judged } from '../judge/verdict';
import { keepRecords, type Booked, type Booking } from './booking';

interface Binding {
  row: ImportRow;
  told: StoredCustomer;
  /** The row in `customers`. */
  customer: string;
  participantId: string;
  isNew: boolean;
}

/** Says whose customers they are, since when, and what they paid first over there. */
export async function bookCustomers(
  booking: Booking,
  rows: readonly ImportRow[],
): Promise<Judged<CustomerVerdict>[]> {
  const { tx, context } = booking;
  await lockNames(
    tx,
    context.scope,
    rows.flatMap((row) => idsOf(customerOf(row))),
  );
  const judged: Judged<CustomerVerdict>[] = [];
  for (let left = rows; left.length > 0;) {
    const { first, rest } = withoutTwins(left);
    judged.push(...(await bookUnlike(booking, first)));
    left = rest;
  }
  return judged.toSorted((a, b) => a.row.n - b.row.n);
}

/** Splits rows: the first one of each customer, and the further ones, which are judged once the customer is made. */
function withoutTwins(rows: readonly ImportRow[]): { first: ImportRow[]; rest: ImportRow[] } {
  const named = new Set<string>();
  const first: ImportRow[] = [];
  const rest: ImportRow[] = [];
  for (const row of rows) {
    const ids = idsOf(customerOf(row));
    (ids.some((id) => named.has(id)) ? rest : first).push(row);
    for (const id of ids) named.add(id);
  }
  return { first, rest };
}

async function bookUnlike(
  booking: Booking,
  rows: readonly ImportRow[],
): Promise<Judged<CustomerVerdict>[]> {
  const { tx, held, context } = booking;
  const judged = await judgeCustomers(tx, held, { rows, phase: 'apply' });
  const bindings: Binding[] = [];
  for (const { row, verdict } of judged) {
    if (!('outcome' in verdict) || verdict.participantId === null) continue;
    if (verdict.outcome !== 'new' && verdict.outcome !== 'changed') continue;
    const { participantId, customer } = verdict;
    const id = customer ?? newId(context.now);
    const told = customerOf(row);
    bindings.push({ row, told, customer: id, participantId, isNew: customer === null });
  }
  await makeCustomers(
    booking,
    bindings.filter(({ isNew }) => isNew),
  );
  await addAliases(booking, bindings);
  const booked = await bindAll(booking, bindings);
  await keepRecords(booking, 'customers', booked);
  await askForCredit(booking, bindings);
  return judged;
}

/** When they came: as it is told, else with their first payment. */
function boundAtOf({ boundAt, firstPaidAt }: StoredCustomer, cutover: Date): Date {
  const told = boundAt ?? firstPaidAt;
  return told === null ? cutover : new Date(told);
}

async function makeCustomers(
  { tx, held, context }: Booking,
  made: readonly Binding[],
): Promise<void> {
  const { workspaceId, mode, programId, cutover } = held;
  await insertAll(tx, {
    into: Customer,
    rows: made.map(({ told, customer, participantId }) => ({
      id: customer,
      workspaceId,
      mode,
      customerId: told.customerId,
      participantId,
      programId,
      source: 'import' as const,
      boundAt: boundAtOf(told, cutover),
      firstPaidAt: told.firstPaidAt === null ? null : new Date(told.firstPaidAt),
      firstPayments: firstOf(told, programId),
      lastPaidAt: told.firstPaidAt === null ? null : new Date(told.firstPaidAt),
      createdAt: context.now,
    })),
  });
}

function firstOf({ firstPaidAt }: StoredCustomer, programId: string): FirstPayments {
  if (firstPaidAt === null) return {};
  return { [programId]: { paidAt: firstPaidAt, periodAt: firstPaidAt } };
}

async function addAliases({ tx, context }: Booking, bindings: readonly Binding[]): Promise<void> {
  const aliases = bindings.flatMap(({ told, customer }) =>
    idsOf(told).map((alias) => ({ customer, alias })),
  );
  await insertAliases(tx, context.scope, aliases);
}

/** A fact of the import for each; one that says otherwise by now takes the earlier times. */
async function bindAll(booking: Booking, bindings: readonly Binding[]): Promise<Booked[]> {
  const { tx, held, context } = booking;
  const { workspaceId, mode, programId, cutover } = held;
  const before = await bindingsBefore(booking, bindings);
  const made = bindings.map((binding) => {
    const boundAt = boundAtOf(binding.told, cutover);
    const { firstPaidAt } = binding.told;
    const first = firstPaidAt === null ? null : new Date(firstPaidAt);
    return {
      ...binding,
      boundAt,
      first,
      factId: before.get(binding.customer) ?? newId(context.now),
    };
  });
  const fresh = made.filter(({ customer }) => !before.has(customer));
  await insertAll(tx, {
    into: CustomerBinding,
    rows: fresh.map(({ factId: id, customer, participantId, boundAt, first }) => ({
      id,
      workspaceId,
      mode,
      customer,
      participantId,
      programId,
      source: 'import' as const,
      boundAt,
      speaksFrom: boundAt,
      cutover,
      firstPaidAt: first,
      createdAt: context.now,
    })),
  });
  await takeEarlier(
    booking,
    made.filter(({ customer }) => before.has(customer)),
  );
  return made.map(({ row, customer, told, isNew, factId }) => {
    return { row, recordId: customer, besideId: factId, made: isNew, told: factsOf(told) };
  });
}

/** Times that were told before move back, never on. */
async function takeEarlier(
  { tx, held }: Booking,
  again: readonly { factId: string; boundAt: Date; first: Date | null }[],
): Promise<void> {
  if (again.length === 0) return;
  await execute(
    tx,
    `UPDATE customer_bindings AS b
        SET bound_at = least(b.bound_at, t.bound_at), speaks_from = least(b.speaks_from, t.bound_at),
            first_paid_at = least(b.first_paid_at, t.first_paid_at),
            cutover = greatest(b.cutover, $4)
       FROM unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) AS t (id, bound_at, first_paid_at)
      WHERE b.id = t.id`,
    [
      again.map(({ factId }) => factId),
      again.map(({ boundAt }) => boundAt),
      again.map(({ first }) => first),
      held.cutover,
    ],
  );
}

/** The fact that an import before left, of those whom it bound. */
async function bindingsBefore(
  { tx }: Booking,
  bindings: readonly Binding[],
): Promise<Map<string, string>> {
  const known = bindings.filter(({ isNew }) => !isNew).map(({ customer }) => customer);
  if (known.length === 0) return new Map();
  const rows = await query<{ customer: string; id: string }>(
    tx,
    `SELECT customer, id FROM customer_bindings
      WHERE customer = ANY ($1::uuid[]) AND source = 'import' ORDER BY id FOR UPDATE`,
    [known],
  );
  return new Map(rows.map(({ customer, id }) => [customer, id]));
}

/**
 * Whoever is here already, or has paid something that was told before, is looked at anew once this is
 * committed: what they paid may be somebody's now.
 */
async function askForCredit(booking: Booking, bindings: readonly Binding[]): Promise<void> {
  const { tx, context } = booking;
  const { scope, now: availableAt } = context;
  const paid = await query<{ customer: string }>(
    tx,
    `SELECT DISTINCT n.customer FROM unnest($3::uuid[], $4::text[]) AS n (customer, alias)
      WHERE EXISTS (SELECT 1 FROM stripe_payments AS p
              WHERE p.workspace_id = $1 AND p.mode = $2 AND p.customer_id = n.alias)
         OR EXISTS (SELECT 1 FROM conversions AS c
              WHERE c.workspace_id = $1 AND c.mode = $2 AND NOT c.attributed AND c.customer_id <> ''
                AND c.customer_id = n.alias)`,
    [
      scope.workspaceId,
      scope.mode,
      bindings.flatMap(({ customer, told }) => idsOf(told).map(() => customer)),
      bindings.flatMap(({ told }) => idsOf(told)),
    ],
  );
  const customers = new Set([
    ...paid.map(({ customer }) => customer),
    ...bindings.filter(({ isNew }) => !isNew).map(({ customer }) => customer),
  ]);
  const { workspaceId, mode } = scope;
  await enqueueAll(
    tx,
    [...customers].map((customer) => ({
      topic: 'credit' as const,
      ref: customer,
      workspaceId,
      payload: { mode, customers: [customer], payments: [] },
      availableAt,
    })),
  );
}
