import { cut } from '../values/cut';
import { customerIdOf, withoutUnseenEnds } from '../values/identifier';
import { divideHalfUp } from '../values/money';
import { billingOf, mergeBilling, type InvoiceBilling } from './invoice-billing';
import {
  amountAt,
  currencyOf,
  idAt,
  instantAt,
  integerAt,
  listAt,
  longestId,
  objectAt,
  textAt,
  valueAt,
  type Json,
} from '../billing/json';
import type { ConversionItem, ConversionMetadata } from '../values/sale-facts';
import { itemsOf, metadataOf } from './sold';
import { fromStripeUnits } from './units';

export interface Promotion {
  /** `promo_...`; the text that the buyer typed is only there when the object is expanded. */
  id: string | null;
  /** Null while it was not read; empty when Stripe knows no such code. */
  code: string | null;
}

/**
 * What a checkout session or an invoice says of one payment, in either shape of the API. `direct` is
 * a payment intent without either, whose charge names the click in its metadata.
 */
export interface PaymentFact extends InvoiceBilling {
  kind: 'session' | 'invoice' | 'direct';
  /** False for a session that is completed and not paid yet, and an invoice of which a part is. */
  paid: boolean;
  /** The amount after discounts, before tax, without shipping: what a commission is computed on. */
  amountCents: number;
  /** What the buyer paid, with tax and shipping; of an invoice what came by other ways than Stripe, too. */
  chargedCents: number;
  currency: string;
  /** ISO, whole seconds. */
  paidAt: string;
  /** When the buyer went through a checkout, paid or not: the moment for the click's window. */
  completedAt?: string | null;
  /** An invoice that began its subscription. */
  begins?: boolean;
  /** Stripe was asked, and no checkout made this invoice. */
  withoutCheckout?: boolean;
  /** Clicks named by metadata, the session's or invoice's own before the subscription's. */
  metadataClickIds: string[];
  clientReferenceId: string | null;
  /** A session of a Payment Link, whose reference comes with the link: a click at most. */
  isPaymentLink?: boolean;
  /** The merchant's own id of the customer, where a session's metadata gives it. */
  metadataCustomerId?: string | null;
  /** What was sold; null where not every line is told. */
  items?: ConversionItem[] | null;
  /** The session's or invoice's own, without what is ours. */
  metadata?: ConversionMetadata | null;
  /** The metadata of an invoice's subscription. */
  subscriptionMetadata?: ConversionMetadata | null;
  promotions: Promotion[];
  /** A discount was given and the event does not say by which code. */
  hidesPromotions: boolean;
  subscriptionId: string | null;
  customerId: string | null;
}

/** The key of a session's, invoice's or subscription's metadata that carries the click. */
export const clickMetadataKey = 'aff_click_id';

/** The key of a session's metadata that carries the merchant's id of the customer. */
const customerMetadataKey = 'customer_id';

/**
 * A checkout session. Its payment happened when the event was created: a session has no time of
 * payment of its own (docs/reference/payments.md, Amounts). `completed` is whether the event says
 * that the buyer went through it.
 */
export function readSession(session: Json, eventAt: string, completed: boolean): PaymentFact {
  const charged = amountAt(session, 'amount_total');
  const tax = amountAt(session, 'total_details', 'amount_tax');
  const shipping = shippingOf(session, amountAt(session, 'total_details', 'amount_shipping'));
  const status = textAt(session, 'payment_status');
  const promotions = promotionsOf([
    ...listAt(session, 'discounts'),
    ...listAt(session, 'total_details', 'breakdown', 'discounts'),
  ]);

  const currency = currencyOf(session);
  return {
    kind: 'session',
    paid: status === 'paid' || status === 'no_payment_required',
    amountCents: fromStripeUnits(Math.max(0, charged - tax - shipping), currency),
    chargedCents: fromStripeUnits(Math.max(0, charged), currency),
    currency,
    paidAt: eventAt,
    completedAt: completed ? eventAt : null,
    metadataClickIds: known([signalAt(session, 'metadata', clickMetadataKey)]),
    clientReferenceId: customerIdOf(signalAt(session, 'client_reference_id')),
    isPaymentLink: idAt(session, 'payment_link') !== null,
    metadataCustomerId: customerIdOf(signalAt(session, 'metadata', customerMetadataKey)),
    items: itemsOf(objectAt(session, 'line_items'), currency),
    metadata: metadataOf(objectAt(session, 'metadata')),
    promotions,
    hidesPromotions:
      promotions.length === 0 && amountAt(session, 'total_details', 'amount_discount') > 0,
    subscriptionId: idAt(session, 'subscription'),
    customerId: customerOf(session),
  };
}

/** A signal is kept as it was meant, and cut: a garbled value is no reason to lose the sale. */
export function signalAt(value: unknown, ...path: string[]): string | null {
  const signal = withoutUnseenEnds(textAt(value, ...path) ?? '');
  return signal === '' ? null : cut(signal, longestId);
}

/**
 * An invoice, in the shape before and since API version 2025-03-31. `paid` is whether all of it was,
 * by the event or by its status.
 */
export function readInvoice(invoice: Json, eventAt: string, paid: boolean): PaymentFact {
  const promotions = promotionsOf([
    valueAt(invoice, 'discount'),
    ...listAt(invoice, 'discounts'),
    ...listAt(invoice, 'total_discount_amounts').map((entry) => valueAt(entry, 'discount')),
  ]);
  const discounts = listAt(invoice, 'total_discount_amounts');
  const discounted = discounts.some((entry) => amountAt(entry, 'amount') > 0);

  const currency = currencyOf(invoice);
  return {
    kind: 'invoice',
    paid,
    amountCents: fromStripeUnits(partPaid(invoice, Math.max(0, netOf(invoice))), currency),
    chargedCents: fromStripeUnits(Math.max(0, paidWithTax(invoice)), currency),
    currency,
    begins: textAt(invoice, 'billing_reason') === beginningReason,
    ...billingOf(invoice),
    paidAt: instantAt(invoice, 'status_transitions', 'paid_at') ?? eventAt,
    metadataClickIds: known([
      signalAt(invoice, 'metadata', clickMetadataKey),
      signalAt(subscriptionDetails(invoice), 'metadata', clickMetadataKey),
    ]),
    clientReferenceId: null,
    items: itemsOf(objectAt(invoice, 'lines'), currency),
    metadata: metadataOf(objectAt(invoice, 'metadata')),
    subscriptionMetadata: metadataOf(objectAt(subscriptionDetails(invoice), 'metadata')),
    promotions,
    hidesPromotions: promotions.length === 0 && discounted,
    subscriptionId: subscriptionOf(invoice),
    customerId: customerOf(invoice),
  };
}

/** Accounts of Stripe's second version name a customer_account and no customer. */
export function customerOf(object: Json): string | null {
  return idAt(object, 'customer') ?? idAt(object, 'customer_account');
}

function subscriptionDetails(invoice: Json): Json {
  const since2025 = objectAt(invoice, 'parent', 'subscription_details');
  return Object.keys(since2025).length > 0 ? since2025 : objectAt(invoice, 'subscription_details');
}

function subscriptionOf(invoice: Json): string | null {
  return (
    idAt(invoice, 'subscription') ??
    idAt(invoice, 'parent', 'subscription_details', 'subscription') ??
    subscriptionOfLines(invoice)
  );
}

/** An upgrade's invoice of the oldest versions names its subscription on the lines only. */
function subscriptionOfLines(invoice: Json): string | null {
  for (const line of listAt(invoice, 'lines')) {
    const id =
      idAt(line, 'subscription') ??
      idAt(line, 'parent', 'subscription_item_details', 'subscription') ??
      idAt(line, 'parent', 'invoice_item_details', 'subscription');
    if (id) return id;
  }
  return null;
}

/** Total without tax and shipping. Versions before 2022 have no total_excluding_tax. */
function netOf(invoice: Json): number {
  const total = integerAt(invoice, 'total') ?? amountAt(invoice, 'amount_paid');
  const untaxed = integerAt(invoice, 'total_excluding_tax') ?? total - taxOf(invoice);
  return untaxed - shippingOf(invoice, amountAt(invoice, 'amount_shipping'));
}

function taxOf(invoice: Json): number {
  const taxes = [...listAt(invoice, 'total_tax_amounts'), ...listAt(invoice, 'total_taxes')];
  if (taxes.length === 0) return amountAt(invoice, 'tax');
  return taxes.reduce<number>((sum, tax) => sum + amountAt(tax, 'amount'), 0);
}

/**
 * Shipping without its tax: that is part of the tax of the whole, so that it would be taken off
 * twice. The sum beside it contains an inclusive tax; it stands in where no cost is told.
 */
function shippingOf(object: Json, sum: number): number {
  const cost = objectAt(object, 'shipping_cost');
  const withTax = integerAt(cost, 'amount_total');
  return withTax === null ? sum : withTax - amountAt(cost, 'amount_tax');
}

/**
 * The part that money came in for, half up: what a credit balance or a credit note covered does not
 * count. An invoice paid outside of Stripe was paid whole, but for such credit.
 */
function partPaid(invoice: Json, net: number): number {
  const total = amountAt(invoice, 'total');
  const paid = integerAt(invoice, 'amount_paid') ?? total;
  const isOutside = valueAt(invoice, 'paid_out_of_band') === true;
  const came = paid === 0 ? amountAt(invoice, 'amount_due') : paid;
  if (isOutside || came >= total) return net;
  return Number(divideHalfUp(BigInt(net) * BigInt(Math.max(0, came)), BigInt(total)));
}

/** What was paid of an invoice with tax, wherever: paid outside of Stripe it was paid as it was due. */
function paidWithTax(invoice: Json): number {
  const total = amountAt(invoice, 'total');
  const paid = integerAt(invoice, 'amount_paid') ?? total;
  const due = integerAt(invoice, 'amount_due');
  if (valueAt(invoice, 'paid_out_of_band') === true) return Math.max(paid, due ?? total);
  return paid === 0 ? (due ?? 0) : paid;
}

/** Discounts as Stripe shows them: bare ids name no promotion code and are left out. */
export function promotionsOf(discounts: unknown[]): Promotion[] {
  const found = new Map<string, Promotion>();
  for (const entry of discounts) {
    const holder = valueAt(entry, 'promotion_code') ? entry : valueAt(entry, 'discount');
    const id = idAt(holder, 'promotion_code');
    const code = signalAt(holder, 'promotion_code', 'code');
    const key = id ?? code;
    if (key) found.set(key, { id, code: code ?? found.get(key)?.code ?? null });
  }
  return [...found.values()];
}

/**
 * What two events together say of one session or invoice: paid once is paid, and the first that says
 * so gives the time. Symmetric, so the order of arrival does not matter.
 */
export function mergePayments(a: PaymentFact, b: PaymentFact): PaymentFact {
  const [first, second] = precedes(a, b) ? [a, b] : [b, a];
  const completions = [first, second].flatMap(({ completedAt }) => completedAt ?? []).sort();
  return {
    ...first,
    ...mergeBilling(first, second),
    completedAt: completions[0] ?? null,
    begins: [first, second].some(({ begins }) => begins),
    withoutCheckout: [first, second].some(({ withoutCheckout }) => withoutCheckout),
    metadataClickIds: [...new Set([...first.metadataClickIds, ...second.metadataClickIds])],
    clientReferenceId: first.clientReferenceId ?? second.clientReferenceId,
    isPaymentLink: [first, second].some(({ isPaymentLink }) => isPaymentLink),
    metadataCustomerId: first.metadataCustomerId ?? second.metadataCustomerId ?? null,
    ...mergeSold(first, second),
    promotions: mergePromotions([...first.promotions, ...second.promotions]),
    hidesPromotions: first.hidesPromotions && second.hidesPromotions,
    subscriptionId: first.subscriptionId ?? second.subscriptionId,
    customerId: first.customerId ?? second.customerId,
  };
}

/** The first that says something of it. */
function mergeSold(
  first: PaymentFact,
  second: PaymentFact,
): Pick<PaymentFact, 'items' | 'metadata' | 'subscriptionMetadata'> {
  return {
    items: first.items ?? second.items ?? null,
    metadata: first.metadata ?? second.metadata ?? null,
    subscriptionMetadata: first.subscriptionMetadata ?? second.subscriptionMetadata ?? null,
  };
}

/** Each once; one that was read holds, and a text before none. */
function mergePromotions(promotions: Promotion[]): Promotion[] {
  const merged = new Map<string, Promotion>();
  for (const promotion of promotions) {
    const key = `${promotion.id ?? promotion.code}`;
    merged.set(key, { ...promotion, code: readBefore(merged.get(key), promotion.code) });
  }
  return [...merged.values()];
}

function readBefore(known: Promotion | undefined, code: string | null): string | null {
  return known?.code || code || (known?.code ?? code);
}

/** Whether a promotion code of the payment was not read yet: it may be a partner's. */
export function hasUnreadCode({ promotions, hidesPromotions }: PaymentFact): boolean {
  return hidesPromotions || promotions.some(({ code }) => code === null);
}

function precedes(a: PaymentFact, b: PaymentFact): boolean {
  if (a.paid !== b.paid) return a.paid;
  if (a.paidAt !== b.paidAt) return a.paidAt < b.paidAt;
  return JSON.stringify(a) <= JSON.stringify(b);
}

/** The other ids of Stripe's under which the same payment is known. */
export function linksOfSession(session: Json): string[] {
  const invoice = idAt(session, 'invoice');
  const subscription = idAt(session, 'subscription');
  return known([
    idAt(session, 'payment_intent'),
    invoice,
    invoice === null && subscription ? firstOf(subscription) : null,
  ]);
}

/**
 * A name of ours for the first payment of a subscription, for a checkout that does not name its
 * invoice: the invoice that began the subscription knows it too.
 */
function firstOf(subscription: string): string {
  return `${subscription}${nameMark}`;
}

const nameMark = '#first';
const beginningReason = 'subscription_create';

/** Whether an id is one of Stripe's, not a name of ours. */
export function isStripesOwn(id: string): boolean {
  return !id.endsWith(nameMark);
}

/** Before 2025-03-31 an invoice names its charge; since then only its list of payments does. */
export function linksOfInvoice(invoice: Json): string[] {
  const payments = listAt(invoice, 'payments').flatMap((payment) => linksOfInvoicePayment(payment));
  const subscription = subscriptionOf(invoice);
  const isFirst = textAt(invoice, 'billing_reason') === beginningReason;
  return known([
    idAt(invoice, 'payment_intent'),
    idAt(invoice, 'charge'),
    ...payments,
    isFirst && subscription ? firstOf(subscription) : null,
  ]);
}

/** The payment intent or charge of an invoice payment (`invoice_payment.paid`). */
export function linksOfInvoicePayment(payment: unknown): string[] {
  return known([
    idAt(payment, 'payment', 'payment_intent'),
    idAt(payment, 'payment', 'charge'),
    idAt(payment, 'invoice'),
  ]);
}

export function known(ids: (string | null)[]): string[] {
  return [...new Set(ids.filter((id) => id !== null))];
}
