import type { ItemReport } from './item-reports';
import type { ResultItem } from './judged-results';
import type { Result } from './result-row';

/** Which item a row tells of. */
export interface ItemFinder {
  /** Remembers the row's transaction as the item's. */
  find(row: Result): ResultItem | { message: string };
}

/**
 * Finds an item by the reference; else by the transaction, when that is known of an item; else by
 * address, currency and amount, where they fit one item alone. A reference that is not ours is of
 * another payout, or of something that this one never paid. Whatever names an item has to tell its
 * sum.
 */
export function itemFinder(
  items: readonly ResultItem[],
  reportsOf: (item: ResultItem) => readonly ItemReport[],
): ItemFinder {
  const byReference = new Map(items.map((item) => [item.reference, item]));
  const byTransaction = transactionsOf(items, reportsOf);
  const byPayment = paymentsOf(items);

  const candidates = ({
    reference,
    id,
    of,
    emails,
    currency,
    amountCents,
  }: Result): ResultItem[] => {
    if (reference !== null) return listOf(byReference.get(reference));
    const known = byTransaction.get(of || id);
    if (known) return [known];
    const keys = emails.map((email) => keyOf({ email, currency, amountCents }));
    return [...new Set(keys.flatMap((key) => byPayment.get(key) ?? []))];
  };
  return {
    find: (row) => {
      const [item, ...others] = candidates(row);
      if (!item) return { message: 'No item of this payout fits.' };
      if (others.length > 0) return { message: 'Several items of this payout fit.' };
      if (!isItsSum(item, row))
        return { message: 'The sum or the currency is not that of the item.' };
      if (row.id !== '' && row.kind !== 'back') byTransaction.set(row.id, item);
      return item;
    },
  };
}

function listOf<T>(one: T | undefined): T[] {
  return one === undefined ? [] : [one];
}

function transactionsOf(
  items: readonly ResultItem[],
  reportsOf: (item: ResultItem) => readonly ItemReport[],
): Map<string, ResultItem> {
  const known = new Map<string, ResultItem>();
  for (const item of items) {
    const told = reportsOf(item).flatMap(({ id, of }) => [id, of]);
    for (const id of [item.transactionId ?? '', ...told]) if (id !== '') known.set(id, item);
  }
  return known;
}

function paymentsOf(items: readonly ResultItem[]): Map<string, ResultItem[]> {
  const index = new Map<string, ResultItem[]>();
  for (const item of items) {
    if (item.email === null) continue;
    const key = keyOf(item);
    const same = index.get(key);
    if (same) same.push(item);
    else index.set(key, [item]);
  }
  return index;
}

interface Payment {
  email: string | null;
  currency: string | null;
  amountCents: number | null;
}

function keyOf({ email, currency, amountCents }: Payment): string {
  return `${amountCents ?? ''} ${currency ?? ''} ${email ?? ''}`;
}

/** What a row does not say is not compared. */
function isItsSum(item: ResultItem, { currency, amountCents }: Result): boolean {
  if (currency !== null && currency !== item.currency) return false;
  return amountCents === null || amountCents === item.amountCents;
}
