import { decimalsOf } from '../../../entities/rules/values/currency';
import type {
  AskAnswer,
  ItemAnswer,
  KeptAnswer,
  ListedBatch,
  ListedItem,
  ProviderAccess,
} from '../provider';
import { messageOf, wordOf, type Read } from './answers';
import { call, type Called } from './call';
import { listOf, minorUnits, objectOf, textOf, type Json } from './json';
import { idOf } from './send';

const pageSize = 1_000;
/** More than a batch of fifteen thousand items has. */
const mostPages = 20;

/** A batch with all that is listed of it, to the last page. */
export async function ask(access: ProviderAccess, providerBatchId: string): Promise<AskAnswer> {
  const items = new Map<string, ListedItem>();
  let seen = 0;
  for (let page = 1; page <= mostPages; page += 1) {
    const called = await call(access, {
      method: 'GET',
      path: `/v1/payments/payouts/${providerBatchId}?page_size=${pageSize}&page=${page}&total_required=true`,
    });
    const failed = failureOf(called);
    if (failed) return failed;
    const { json, kept } = called as Read;
    const listed = listOf(json?.['items']);
    for (const row of listed) addTo(items, readItem(row));
    seen += listed.length;
    const batch = readHeader(objectOf(json), [...items.values()]);
    if (!batch) return { kind: 'unknown', answer: kept };
    const pages =
      countOf(json?.['total_pages']) ?? pagesOf(batch, { page, listed: listed.length, seen });
    if (page >= pages || listed.length === 0) return { kind: 'batch', batch, answer: kept };
  }
  return { kind: 'unknown', answer: tooLong };
}

/** How many pages there are, where that is not told. */
function pagesOf(
  { totalItems }: ListedBatch,
  { page, listed, seen }: { page: number; listed: number; seen: number },
): number {
  return listed < pageSize || seen === totalItems ? page : page + 1;
}

const tooLong: KeptAnswer = {
  httpStatus: 200,
  name: null,
  message: 'The list of items has no end.',
  debugId: null,
};

/**
 * A list that moves while it is read may show one twice: the later page is newer, and money that went out counts. Of
 * what has no id each row is a payment, save by one transaction.
 */
function addTo(items: Map<string, ListedItem>, item: ListedItem): void {
  const { providerItemId, transactionId } = item;
  const key = providerItemId ?? (transactionId && `of ${transactionId}`) ?? `${items.size} rows`;
  const before = items.get(key);
  if (before?.word === 'SUCCESS' && item.word !== 'SUCCESS') return;
  items.set(key, item);
}

/** One item, in a call of its own. */
export async function askItem(access: ProviderAccess, providerItemId: string): Promise<ItemAnswer> {
  const called = await call(access, {
    method: 'GET',
    path: `/v1/payments/payouts-item/${providerItemId}`,
  });
  const failed = failureOf(called);
  if (failed) return failed;
  const { json, kept } = called as Read;
  const item = readItem(objectOf(json));
  if (item.word === null) return { kind: 'unknown', answer: kept };
  return { kind: 'item', item, batchWord: null, answer: kept };
}

type Failed = { kind: 'missing' | 'access' | 'unknown'; answer: KeptAnswer };

function failureOf(called: Called): Failed | undefined {
  if (called.kind === 'no_token') {
    return { kind: called.why === 'refused' ? 'access' : 'unknown', answer: called.answer };
  }
  const { status, json, kept: answer } = called;
  if (status === 200 && json !== null) return undefined;
  if (status === 404) return { kind: 'missing', answer };
  return { kind: status === 401 || status === 403 ? 'access' : 'unknown', answer };
}

function readHeader(json: Json, items: readonly ListedItem[]): ListedBatch | null {
  const header = objectOf(json['batch_header']);
  const providerBatchId = idOf(header['payout_batch_id']);
  if (providerBatchId === null) return null;
  const amount = objectOf(header['amount']);
  return {
    providerBatchId,
    senderBatchId: textOf(objectOf(header['sender_batch_header'])['sender_batch_id']),
    word: wordOf(header['batch_status']),
    currency: currencyOf(amount),
    amount: decimalOf(amount['value']),
    totalItems: countOf(json['total_items']),
    items,
  };
}

function countOf(value: unknown): number | null {
  const count = typeof value === 'string' ? Number(value) : value;
  return typeof count === 'number' && Number.isInteger(count) && count >= 0 ? count : null;
}

/** Described as a text; a number is one all the same. */
function decimalOf(value: unknown): string | null {
  return typeof value === 'number' ? String(value) : textOf(value);
}

function currencyOf(amount: Json): string | null {
  return textOf(amount['currency'])?.toLowerCase() ?? null;
}

function readItem(row: Json): ListedItem {
  const sent = objectOf(row['payout_item']);
  const amount = objectOf(sent['amount']);
  const error = errorOf(row['errors']);
  return {
    reference: textOf(sent['sender_item_id']),
    address: textOf(sent['receiver']),
    currency: currencyOf(amount),
    amount: decimalOf(amount['value']),
    providerItemId: idOf(row['payout_item_id']),
    transactionId: idOf(row['transaction_id']),
    word: wordOf(row['transaction_status']),
    errorName: wordOf(error['name']),
    errorMessage: messageOf(error['message']),
    processedAt: timeOf(row['time_processed']),
    fee: feeOf(objectOf(row['payout_item_fee'])),
  };
}

/** Described as one object, and seen as a list. */
function errorOf(errors: unknown): Json {
  return listOf(errors)[0] ?? {};
}

function timeOf(value: unknown): Date | null {
  const at = new Date(textOf(value) ?? '');
  const year = at.getUTCFullYear();
  return year >= 1 && year <= 9_999 ? at : null;
}

function feeOf(fee: Json): ListedItem['fee'] {
  const currency = currencyOf(fee);
  if (currency === null || !/^[a-z]{3}$/.test(currency)) return null;
  const amountCents = minorUnits(fee['value'], decimalsOf(currency));
  return amountCents === null ? null : { amountCents, currency };
}
