import {
  amountAt,
  idAt,
  isJson,
  objectAt,
  preciseTimeAt,
  shortTextAt,
  textAt,
  type Json,
} from '../billing/json';
import type { BillerRules } from '../billing/rules';
import { toldRules, type ToldFacts, type ToldReturn } from '../billing/told';
import { ownOf } from '../values/look-up';
import { beginningReasons, readOrder } from './order';

/** The kinds that an endpoint registered by us asks for. */
export const polarEventTypes = [
  'order.paid',
  'order.updated',
  'order.refunded',
  'refund.updated',
] as const;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What a read of a dispute is called here: Polar sends no events of them. */
export const disputeRead = 'dispute.read';

/** Polar, as all billers are read. Its deliveries are named by a header, and what we read by ourselves. */
export const polarRules: BillerRules = {
  ...toldRules,
  eventTypes: polarEventTypes,
  isRead: (type) => readerOf(type) !== null,
  isPaymentId: (id) => uuid.test(id),
  headerOf(body, deliveryId) {
    const type = shortTextAt(body, 'type');
    if (!isJson(body) || deliveryId === null || deliveryId === '' || type === null) return null;
    const objectId = idAt(body, 'data', 'id');
    return { billerEventId: deliveryId, type, apiVersion: null, objectId, foreign: () => null };
  },
  factsOf(body, receivedAt) {
    const data = objectAt(body, 'data');
    const id = idAt(data, 'id');
    const read = readerOf(textAt(body, 'type') ?? '');
    if (!id || !read) return null;
    const toldAt = preciseTimeAt(body, 'timestamp') ?? receivedAt;
    return read({ id, data, told: { toldAt, receivedAt } });
  },
};

interface Told {
  id: string;
  data: Json;
  told: { toldAt: string; receivedAt: string };
}

type FactsReader = (told: Told) => ToldFacts | null;

function readerOf(type: string): FactsReader | null {
  if (type.startsWith('order.')) return orderFacts;
  if (type.startsWith('refund.')) return refundFacts;
  return type === disputeRead ? disputeFacts : null;
}

/** An order, which the checkout that began it leads to too; later ones of a subscription have none of their own. */
export function orderFacts({ id, data, told }: Told): ToldFacts {
  const isFirst = beginningReasons.has(textAt(data, 'billing_reason') ?? '');
  const ids = [id, isFirst ? idAt(data, 'checkout_id') : null];
  return {
    objects: [{ id, fact: readOrder(data, told) }],
    ids: ids.filter((one) => one !== null),
    email: textAt(data, 'customer', 'email'),
  };
}

/** The order says what came back: a refund only makes us look at it. */
function refundFacts({ data }: Told): ToldFacts | null {
  const order = idAt(data, 'order_id');
  return order === null ? null : { objects: [], ids: [order], email: null };
}

const disputeStates: Readonly<Record<string, ToldReturn['state']>> = {
  early_warning: 'open',
  needs_response: 'open',
  under_review: 'open',
  lost: 'counts',
};

export function disputeFacts({ id, data, told }: Told): ToldFacts | null {
  const order = idAt(data, 'order_id');
  if (order === null) return null;
  const fact: ToldReturn = {
    kind: 'return',
    ...told,
    what: 'dispute',
    state: ownOf(disputeStates, textAt(data, 'status') ?? '') ?? 'none',
    cents: Math.max(0, amountAt(data, 'amount') + amountAt(data, 'tax_amount')),
  };
  return { objects: [{ id, fact }], ids: [order], email: null };
}
