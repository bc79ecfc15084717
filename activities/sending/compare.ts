import { decimalsOf } from '../../entities/rules/values/currency';
import type { PayoutBatch } from '../../entities/tables/payouts/payout-batch.entity';
import type { Vault } from '../../runtime/crypto/vault';
import type { ListedBatch, ListedItem } from '../../runtime/payout-providers/provider';
import type { BatchItem } from './batches';

/** Whether what a provider lists is this batch; `partial`: as far as it is listed. */
export type Compared = 'same' | 'partial' | 'differs';

/** Compares by the sender's id, the currency, the sum, and of each item reference, address and sum. */
export function compareBatch(
  vault: Pick<Vault, 'contactHash'>,
  { batch, items }: { batch: PayoutBatch; items: readonly BatchItem[] },
  listed: ListedBatch,
): Compared {
  if (!isSameHeader(batch, listed)) return 'differs';
  const own = new Map(items.map((item) => [item.reference, item]));
  const isOwn = (one: ListedItem): boolean => {
    const item = own.get(one.reference ?? '');
    return item !== undefined && isSameItem(vault, item, one);
  };
  if (!listed.items.every(isOwn)) return 'differs';
  const seen = new Set(listed.items.filter(isWhole).map(({ reference }) => reference));
  if (seen.size === items.length) return 'same';
  // All that the provider says that it has was seen, and it is still not all of ours.
  const isAll = listed.totalItems !== null && seen.size > 0 && listed.totalItems <= seen.size;
  return isAll ? 'differs' : 'partial';
}

function isSameHeader(batch: PayoutBatch, listed: ListedBatch): boolean {
  const { senderBatchId, currency, amountCents, itemCount } = batch;
  return (
    listed.senderBatchId === senderBatchId &&
    (listed.totalItems ?? 0) <= itemCount &&
    isItsSum({ currency, amountCents }, listed)
  );
}

/** Whom it pays and how much: what does not tell that is listed, and not seen yet. */
function isWhole({ address, currency, amount }: ListedItem): boolean {
  return address !== null && currency !== null && amount !== null;
}

/** Reference aside: whom it pays and how much, as far as that is told. */
export function isSameItem(
  vault: Pick<Vault, 'contactHash'>,
  item: BatchItem,
  listed: ListedItem,
): boolean {
  if (!isItsSum(item, listed)) return false;
  // The address of who was erased meanwhile is not known any more.
  if (listed.address === null || item.addressHash === null) return true;
  return vault.contactHash(listed.address.toLowerCase()) === item.addressHash;
}

/** Whether the sum is the item's; a currency or an amount that is not told is not compared. */
function isItsSum(
  { currency, amountCents }: Pick<BatchItem, 'currency' | 'amountCents'>,
  listed: Pick<ListedItem, 'currency' | 'amount'>,
): boolean {
  if (listed.currency !== null && listed.currency !== currency) return false;
  return listed.amount === null || isSum(listed.amount, amountCents, currency);
}

/** Sums as numbers: `9.8` and `9.80` are one. */
function isSum(text: string, amountCents: number, currency: string): boolean {
  const units = Number(text) * 10 ** decimalsOf(currency);
  return Math.round(units) === amountCents && Math.abs(units - amountCents) < 0.01;
}
