import { execute, type Tx } from '../../entities/database/sql';
import { bindingsOf, type BindingFact } from '../../entities/rules/customers/bindings';
import type { FirstPayments } from '../../entities/rules/payments/sale';
import type { CustomerBinding } from '../../entities/tables/customers/customer-binding.entity';
import type { CommandContext } from '../journal/cause';
import { insertBindings, isSaved, saveCustomer, type NewBinding } from '../customers/write';
import type { AskedTimeline } from './answer';
import type { FoundTimeline } from './timeline';

/** Keeps of each customer what follows from all facts: the sales that bind, whose they are, what came first. */
export async function saveCustomers(
  tx: Tx,
  context: CommandContext,
  { found, ...asked }: AskedTimeline & { found: FoundTimeline },
): Promise<void> {
  for (const row of found.customers) {
    const customer = row.id;
    const facts = await saveSales(tx, context, { customer, found, asked });
    const state = {
      binding: currentOf(facts),
      firstPayments: firstsOf(asked, customer),
      lastPaidAt: lastPaidAt(asked, customer),
    };
    if (!isSaved(row, state)) await saveCustomer(tx, customer, state);
  }
}

interface OfCustomer {
  customer: string;
  found: FoundTimeline;
  asked: AskedTimeline;
}

/** The sales that bind are kept as facts; those that bind no more go. */
async function saveSales(
  tx: Tx,
  { scope, now }: CommandContext,
  { customer, found, asked }: OfCustomer,
): Promise<NewBinding[]> {
  const sales = (asked.credited.sales.get(customer) ?? []).map(
    ({ paymentId, ...fact }): NewBinding => ({
      ...fact,
      paymentId,
      attribution: null,
      reason: null,
    }),
  );
  const stored = found.bindings.filter((binding) => binding.customer === customer);
  const kept = stored.filter(
    (binding) => binding.paymentId === null || sales.some((sale) => isSame(binding, sale)),
  );
  const gone = stored.filter((binding) => !kept.includes(binding));
  if (gone.length > 0) {
    await execute(tx, 'DELETE FROM customer_bindings WHERE id = ANY ($1::uuid[])', [
      gone.map(({ id }) => id),
    ]);
  }
  const added = sales.filter((sale) => !kept.some((binding) => isSame(binding, sale)));
  await insertBindings(
    tx,
    added.map((binding) => ({ customer, scope, now, binding })),
  );
  return [...kept, ...added];
}

function isSame(binding: CustomerBinding, sale: NewBinding): boolean {
  return (
    binding.paymentId === sale.paymentId &&
    binding.participantId === sale.participantId &&
    binding.boundAt.getTime() === sale.boundAt.getTime()
  );
}

/** What holds now; where nothing does, what took the customer away. */
function currentOf(facts: readonly NewBinding[]): NewBinding | null {
  const last = bindingsOf(facts).at(-1);
  if (last && last.until === null) return last.fact;
  return facts.filter(isUnbinding).toSorted(byTime).at(-1) ?? null;
}

function isUnbinding({ participantId }: BindingFact): boolean {
  return participantId === null;
}

function byTime(a: BindingFact, b: BindingFact): number {
  return a.boundAt.getTime() - b.boundAt.getTime();
}

function firstsOf({ credited }: AskedTimeline, customer: string): FirstPayments {
  const firsts = credited.firsts.get(customer) ?? new Map<string, never>();
  return Object.fromEntries(
    [...firsts].map(([programId, { paidAt, periodAt, payments }]) => [
      programId,
      {
        paidAt: paidAt.toISOString(),
        periodAt: periodAt.toISOString(),
        ...(payments === null ? {} : { payments }),
      },
    ]),
  );
}

function lastPaidAt({ payments }: AskedTimeline, customer: string): Date | null {
  const paid = payments.filter((payment) => payment.customer === customer);
  return paid.at(-1)?.paid.at ?? null;
}
