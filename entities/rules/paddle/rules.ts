import {
  digitsAt,
  idAt,
  isJson,
  objectAt,
  preciseTimeAt,
  shortTextAt,
  textAt,
  type Json,
} from '../billing/json';
import { signalIn } from '../billing/signals';
import type { BillerRules } from '../billing/rules';
import { toldRules, type ToldFacts, type ToldReturn } from '../billing/told';
import { ownOf } from '../values/look-up';
import { readTransaction } from './transaction';

/** The kinds that an endpoint registered by us asks for. */
export const paddleEventTypes = [
  'transaction.completed',
  'transaction.updated',
  'adjustment.created',
  'adjustment.updated',
  'subscription.created',
] as const;

/** Paddle, as all billers are read. */
export const paddleRules: BillerRules = {
  ...toldRules,
  eventTypes: paddleEventTypes,
  isRead: (type) => readerOf(type) !== null,
  // An invoice's number too: the seller's prefix and a count.
  isPaymentId: (id) => /^((txn|inv)_[a-z0-9]{1,250}|\d{1,12}-\d{1,12})$/.test(id),
  headerOf(body) {
    const billerEventId = shortTextAt(body, 'event_id');
    const type = shortTextAt(body, 'event_type');
    if (!isJson(body) || billerEventId === null || type === null) return null;
    const objectId = idAt(body, 'data', 'id');
    return { billerEventId, type, apiVersion: null, objectId, foreign: () => null };
  },
  factsOf(body, receivedAt) {
    const data = objectAt(body, 'data');
    const id = idAt(data, 'id');
    const read = readerOf(textAt(body, 'event_type') ?? '');
    if (!id || !read) return null;
    const toldAt = preciseTimeAt(body, 'occurred_at') ?? receivedAt;
    return read({ id, data, told: { toldAt, receivedAt } });
  },
};

interface Told {
  id: string;
  data: Json;
  told: { toldAt: string; receivedAt: string };
}

type FactsReader = (told: Told) => ToldFacts | null;

const none = { objects: [], ids: [], email: null };

function readerOf(type: string): FactsReader | null {
  if (type.startsWith('transaction.')) return transactionFacts;
  if (type === 'adjustment.created' || type === 'adjustment.updated') return adjustmentFacts;
  if (type === 'subscription.created') return subscriptionFacts;
  return /^discount\.(created|updated|imported)$/.test(type) ? discountFacts : null;
}

/** A transaction, which its invoice leads to too. */
export function transactionFacts({ id, data, told }: Told): ToldFacts {
  const ids = [id, idAt(data, 'invoice_id'), idAt(data, 'invoice_number')];
  return {
    objects: [{ id, fact: readTransaction(data, told) }],
    ids: ids.filter((one) => one !== null),
    email: null,
  };
}

const actions: Readonly<Record<string, ToldReturn['what']>> = {
  refund: 'refund',
  chargeback: 'chargeback',
  chargeback_reverse: 'chargeback_reverse',
  chargeback_warning: 'warning',
  chargeback_warning_reverse: 'warning_reverse',
};

const states: Readonly<Record<string, ToldReturn['state']>> = {
  approved: 'counts',
  reversed: 'undone',
};

/** Credit is no money back; nor is what was not approved, and the tax of a tax adjustment. */
function adjustmentFacts({ id, data, told }: Told): ToldFacts | null {
  const transaction = idAt(data, 'transaction_id');
  if (transaction === null) return null;
  const what = ownOf(actions, textAt(data, 'action') ?? '');
  const state = ownOf(states, textAt(data, 'status') ?? '') ?? 'none';
  const fact: ToldReturn = {
    kind: 'return',
    ...told,
    what: what ?? 'refund',
    state: what === undefined ? 'none' : state,
    // What is given back may be written with a sign: the action says which way the money went.
    cents: Math.abs(digitsAt(data, 'totals', 'subtotal') ?? 0),
  };
  return { objects: [{ id, fact }], ids: [transaction], email: null };
}

/** The first transaction of a subscription is older than it, and does not name it. */
function subscriptionFacts({ id, data, told }: Told): ToldFacts | null {
  const transaction = idAt(data, 'transaction_id');
  if (transaction === null) return null;
  const fact = { kind: 'subscription' as const, ...told, subscriptionId: id };
  return { objects: [{ id, fact }], ids: [transaction], email: null };
}

function discountFacts({ id, data, told: { toldAt } }: Told): ToldFacts {
  return { ...none, discounts: [{ id, code: signalIn(data, 'code')[0] ?? '', toldAt }] };
}
