import {
  mergeCharges,
  mergeDisputes,
  mergeRefunds,
  readCharge,
  readDispute,
  readRefund,
  refundTime,
} from './charge-fact';
import { cut } from '../values/cut';
import type { BillerFacts } from '../billing/rules';
import {
  idAt,
  instantAt,
  isJson,
  listAt,
  longestId,
  objectAt,
  storable,
  textAt,
  valueAt,
  type Json,
} from '../billing/json';
import {
  known,
  linksOfInvoice,
  linksOfInvoicePayment,
  linksOfSession,
  mergePayments,
  readInvoice,
  readSession,
} from './payment-fact';
import type { StripeObject } from './settlement';

/** The kinds that we act on, and that an endpoint registered by us asks for. */
export const stripeEventTypes = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'invoice.paid',
  'invoice_payment.paid',
  'charge.succeeded',
  'charge.captured',
  'charge.updated',
  'charge.refunded',
  'charge.refund.updated',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.dispute.closed',
] as const;
export type StripeEventType = (typeof stripeEventTypes)[number];

/**
 * Kinds that tell what one of those tells too, and that older endpoints have in its place: read, and
 * not asked for.
 */
const alsoRead = ['invoice.payment_succeeded'] as const;
type ReadEventType = StripeEventType | (typeof alsoRead)[number];

/** Whether events of a kind are acted on. */
export function isReadType(type: string): boolean {
  return Object.hasOwn(readers, type);
}

/** Whether events of a kind tell an invoice as paid. */
export function isInvoicePaid(type: string): boolean {
  return type === 'invoice.paid' || type === 'invoice.payment_succeeded';
}

/** What is kept of every signed event beside its raw bytes. */
export interface StripeEventHeader {
  stripeEventId: string;
  type: string;
  apiVersion: string | null;
  /** Id of the object that it is about. */
  objectId: string | null;
  livemode: boolean | null;
  /** Whether it happened in another account: a Connect platform's endpoint hears of those, too. */
  isOfConnectedAccount: boolean;
  /** ISO; null when the event names no time. */
  createdAt: string | null;
}

/** The header of a parsed body; null when it is no event: an object with a string id and type. */
export function readEventHeader(body: unknown): StripeEventHeader | null {
  if (!isJson(body)) return null;
  const { id, type } = body;
  if (!isShortText(id) || !isShortText(type)) return null;
  const livemode = valueAt(body, 'livemode');
  return {
    stripeEventId: id,
    type,
    apiVersion: cut(textAt(body, 'api_version') ?? '', longestId) || null,
    objectId: idAt(body, 'data', 'object', 'id'),
    livemode: typeof livemode === 'boolean' ? livemode : null,
    isOfConnectedAccount: (valueAt(body, 'account') ?? null) !== null,
    createdAt: instantAt(body, 'created'),
  };
}

/**
 * Why an event does not belong to a connection of this mode; null when it does. Ids of a connected account
 * mean nothing in the connection's own, which alone its key reads.
 */
export function whyForeign(
  { livemode, isOfConnectedAccount }: StripeEventHeader,
  mode: 'test' | 'live',
): string | null {
  if (isOfConnectedAccount) return 'The event is of a connected account (it has an account).';
  if (livemode === (mode === 'live')) return null;
  const said = livemode === null ? 'tells no livemode' : `has livemode ${String(livemode)}`;
  return `The event ${said}; this connection is in ${mode} mode.`;
}

function isShortText(value: unknown): value is string {
  if (typeof value !== 'string' || value === '' || value.length > longestId) return false;
  return storable(value) === value;
}

/** One event as facts about one payment. */
export interface StripeFacts extends BillerFacts {
  objects: StripeObject[];
}

/**
 * The facts of an event of any API version; null when its type or object is nothing of ours.
 * `receivedAt` (ISO) stands in for an event that names no time.
 */
export function readStripeFacts(event: unknown, receivedAt: string): StripeFacts | null {
  const object = objectAt(event, 'data', 'object');
  const id = idAt(object, 'id');
  const type = textAt(event, 'type');
  if (!id || !type) return null;
  const at = instantAt(event, 'created') ?? receivedAt;

  return isReadType(type) ? readers[type as ReadEventType]({ id, object, at }) : null;
}

interface Happened {
  id: string;
  object: Json;
  at: string;
}

type FactsReader = (happened: Happened) => StripeFacts | null;

const ofDispute: FactsReader = (happened) => disputeFacts(happened, false);

const readers: Record<ReadEventType, FactsReader> = {
  'checkout.session.completed': (happened) => sessionFacts(happened, true),
  'checkout.session.async_payment_succeeded': (happened) => sessionFacts(happened, false),
  'invoice.paid': (happened) => invoiceFacts(happened, true),
  // Each part of an invoice that is paid in parts is a payment that succeeded.
  'invoice.payment_succeeded': (happened) =>
    invoiceFacts(happened, (textAt(happened.object, 'status') ?? 'paid') === 'paid'),
  'invoice_payment.paid': ({ object }) => linkFacts(linksOfInvoicePayment(object)),
  'charge.succeeded': chargeFacts,
  'charge.captured': chargeFacts,
  'charge.updated': chargeFacts,
  'charge.refunded': chargeFacts,
  'refund.created': refundFacts,
  'refund.updated': refundFacts,
  'refund.failed': refundFacts,
  'charge.refund.updated': refundFacts,
  'charge.dispute.created': ofDispute,
  'charge.dispute.funds_withdrawn': ofDispute,
  'charge.dispute.funds_reinstated': ofDispute,
  'charge.dispute.closed': (happened) => disputeFacts(happened, true),
};

function sessionFacts({ id, object: session, at }: Happened, completed: boolean): StripeFacts {
  return {
    objects: [{ id, fact: readSession(session, at, completed) }],
    ids: known([id, ...linksOfSession(session)]),
    email: textAt(session, 'customer_details', 'email') ?? textAt(session, 'customer_email'),
  };
}

function invoiceFacts({ id, object: invoice, at }: Happened, paid: boolean): StripeFacts {
  return {
    objects: [{ id, fact: readInvoice(invoice, at, paid) }],
    ids: known([id, ...linksOfInvoice(invoice)]),
    email: textAt(invoice, 'customer_email'),
  };
}

function linkFacts(ids: string[]): StripeFacts | null {
  return ids.length > 1 ? { objects: [], ids, email: null } : null;
}

function chargeFacts({ id, object: charge, at }: Happened): StripeFacts {
  const refunds = listAt(charge, 'refunds').flatMap((refund) => {
    const refundId = idAt(refund, 'id');
    if (!refundId || !isJson(refund)) return [];
    const fact = readRefund({ charge: id, ...refund }, refundTime(refund, at));
    return [{ id: refundId, fact: fact.failedAt ? { ...fact, failedAt: at } : fact }];
  });
  return {
    objects: [{ id, fact: readCharge(charge, at) }, ...refunds],
    ids: known([
      id,
      idAt(charge, 'payment_intent'),
      idAt(charge, 'invoice'),
      ...refunds.map((refund) => refund.id),
    ]),
    email: null,
  };
}

function refundFacts({ id, object: refund, at }: Happened): StripeFacts {
  const fact = readRefund(refund, at);
  return {
    objects: [{ id, fact }],
    ids: known([fact.chargeId, fact.paymentIntentId]),
    email: null,
  };
}

function disputeFacts({ id, object: dispute, at }: Happened, closed: boolean): StripeFacts {
  return {
    objects: [{ id, fact: readDispute(dispute, at, closed) }],
    ids: known([id, idAt(dispute, 'charge'), idAt(dispute, 'payment_intent')]),
    email: null,
  };
}

/** What two facts of one object say together; symmetric, and the same when repeated. */
export function mergeFacts(a: StripeObject['fact'], b: StripeObject['fact']): StripeObject['fact'] {
  return a && b ? mergeKnown(a, b) : (a ?? b);
}

type KnownFact = NonNullable<StripeObject['fact']>;

/** Facts of one object are of one kind; should they not be, the first stands. */
function mergeKnown(a: KnownFact, b: KnownFact): KnownFact {
  if (isPayment(a)) return isPayment(b) ? mergePayments(a, b) : a;
  if (a.kind === 'charge') return b.kind === 'charge' ? mergeCharges(a, b) : a;
  if (a.kind === 'refund') return b.kind === 'refund' ? mergeRefunds(a, b) : a;
  return a.kind === 'dispute' && b.kind === 'dispute' ? mergeDisputes(a, b) : a;
}

function isPayment(
  fact: NonNullable<StripeObject['fact']>,
): fact is Extract<StripeObject['fact'], { kind: 'session' | 'invoice' }> {
  return fact.kind === 'session' || fact.kind === 'invoice';
}
