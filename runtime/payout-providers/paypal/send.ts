import { ownOf } from '../../../entities/rules/values/look-up';
import type { ProviderAccess, SendAnswer } from '../provider';
import { wordOf, type Read } from './answers';
import { call, type Called } from './call';
import { listOf, objectOf, textOf, type Json } from './json';

/**
 * Errors by which PayPal says that it took nothing, with the statuses that they count with
 * (docs/paying-partners.md). USER_BUSINESS_ERROR is none of them: it says too many things.
 */
const refusals: Readonly<Record<string, readonly number[]>> = {
  VALIDATION_ERROR: [400, 403, 422],
  INSUFFICIENT_FUNDS: [400, 403, 422],
  NON_HOLDING_CURRENCY: [400, 403, 422],
  AUTHORIZATION_ERROR: [400, 403, 422],
  REQUIRED_SCOPE_MISSING: [403],
  INVALID_REQUEST: [400],
  NOT_AUTHORIZED: [403],
};
const refusing = [400, 403, 422];

function isRefusal({ status, kept: { name } }: Read): boolean {
  if (status === null || name === null) return false;
  // Errors of the account that would pay: restricted, locked, without a confirmed address.
  if (/^SENDER_[A-Z_]+$/.test(name)) return refusing.includes(status);
  return ownOf(refusals, name)?.includes(status) ?? false;
}

/** Says a batch, once. All that is not surely taken or surely not is `unknown`. */
export async function send(access: ProviderAccess, request: string): Promise<SendAnswer> {
  const called = await call(access, {
    method: 'POST',
    path: '/v1/payments/payouts',
    body: request,
  });
  const meaning = meaningOf(called);
  const { before } = called;
  const isFound = meaning.kind === 'taken' || meaning.kind === 'known';
  // A 401 that speaks of the batch refuses nothing, whatever comes after it.
  if (!isFound && before && speaksOfBatch(before)) return { kind: 'unknown', answer: before.kept };
  return meaning;
}

function meaningOf(called: Called): SendAnswer {
  if (called.kind === 'answered') return meaningOfSend(called, called.isRefusedAnew);
  const { answer, why } = called;
  return why === 'away' ? { kind: 'not_sent', answer } : { kind: 'refused', receivers: [], answer };
}

function meaningOfSend(read: Read, isRefusedAnew: boolean): SendAnswer {
  const { status, json, kept: answer } = read;
  if (status === 201) return taken(read);
  const details = listOf(objectOf(json)['details']);
  // PayPal documents this answer with status 400 alone. With another status the batch may be there,
  // so nothing counts as refused.
  const known = details.find(namesSenderBatch);
  if (known) {
    const providerBatchId = status === 400 ? idOfLink(known) : null;
    return providerBatchId === null
      ? { kind: 'unknown', answer }
      : { kind: 'known', providerBatchId, answer };
  }
  if (tellsOfBatch(read)) return { kind: 'unknown', answer };
  if (status === 429) return { kind: 'busy', answer };
  if (status === 401 && isRefusedAnew) return { kind: 'refused', receivers: [], answer };
  if (!isRefusal(read)) return { kind: 'unknown', answer };
  const receivers = details.flatMap(receiverOf);
  return { kind: 'refused', receivers, answer };
}

function taken({ json, kept: answer }: Read): SendAnswer {
  const header = objectOf(objectOf(json)['batch_header']);
  const providerBatchId = idOf(header['payout_batch_id']);
  return providerBatchId === null
    ? { kind: 'unknown', answer }
    : { kind: 'taken', providerBatchId, word: wordOf(header['batch_status']), answer };
}

/** Whether our id is the reason, which may stand in any of its words. */
function namesSenderBatch({ field, issue, description }: Json): boolean {
  return [field, issue, description].some(namesSenderId);
}

function namesSenderId(value: unknown): boolean {
  return /sender[^a-z]?batch[^a-z]?id/i.test(textOf(value) ?? '');
}

function speaksOfBatch(read: Read): boolean {
  return listOf(objectOf(read.json)['details']).some(namesSenderBatch) || tellsOfBatch(read);
}

/** What has a batch, or speaks of the id of one, is no refusal. */
function tellsOfBatch({ json, kept }: Read): boolean {
  const { batch_header: header, message } = objectOf(json);
  return header !== undefined || namesSenderId(message) || namesSenderId(kept.name);
}

/** What a path of ours may end with. */
export function idOf(value: unknown): string | null {
  const id = textOf(value);
  return id !== null && /^[A-Za-z0-9_-]{1,64}$/.test(id) ? id : null;
}

/** The batch that has this id already: the last part of its link, which is never dialled. */
function idOfLink(detail: Json): string | null {
  for (const { href } of [...listOf(detail['link']), ...listOf(detail['links'])]) {
    const url = textOf(href);
    if (url === null || !URL.canParse(url)) continue;
    const id = idOf(new URL(url).pathname.split('/').at(-1));
    if (id !== null) return id;
  }
  return null;
}

/** The place of an item whose address is why, from 0. */
function receiverOf({ field }: Json): number[] {
  const place = /items\[(\d{1,5})\]\.receiver$|items\/(\d{1,5})\/receiver$/.exec(
    textOf(field) ?? '',
  );
  return place ? [Number(place[1] ?? place[2])] : [];
}
