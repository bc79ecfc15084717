import type { Json } from '../../../entities/rules/billing/json';
import {
  newShape,
  oldShape,
  stripeFixture,
  type StripeTestEvent,
  type StripeVersion,
} from './fixtures';

let counter = 0;

/** Ids as Stripe makes them, new at every call. */
export function stripeId(prefix: string): string {
  counter += 1;
  return `${prefix}_${process.pid}x${Date.now().toString(36)}x${counter}`;
}

/** Seconds of an instant, as Stripe tells times. */
function seconds(at: Date): number {
  return Math.floor(at.getTime() / 1_000);
}

interface Common {
  version?: StripeVersion;
  /** The event's time; now unless told. */
  at?: Date;
  /** Further fields of the object. */
  object?: Json;
}

function event(
  name: string,
  object: Json,
  { version = newShape, at = new Date(), object: more }: Common,
) {
  const id = stripeId('evt');
  return stripeFixture(version, name, { ...object, ...more }, { id, created: seconds(at) });
}

export interface CheckoutOptions extends Common {
  session?: string;
  paymentIntent?: string | null;
  invoice?: string | null;
  subscription?: string | null;
  customer?: string | null;
  /** metadata.aff_click_id */
  click?: string;
  reference?: string;
  /** The amount before tax, without shipping; 21 % tax comes on top when told. */
  amount?: number;
  tax?: number;
  shipping?: number;
  currency?: string;
  paymentStatus?: 'paid' | 'unpaid' | 'no_payment_required';
}

export function checkoutCompleted(options: CheckoutOptions = {}): StripeTestEvent {
  return event('checkout.session.completed', sessionObject(options), options);
}

export function asyncPaymentSucceeded(options: CheckoutOptions = {}): StripeTestEvent {
  return event('checkout.session.async_payment_succeeded', sessionObject(options), options);
}

function sessionObject(options: CheckoutOptions): Json {
  const { amount = 10_000, tax = 0, shipping = 0 } = options;
  return {
    id: options.session ?? stripeId('cs_test'),
    payment_intent: options.paymentIntent === undefined ? stripeId('pi') : options.paymentIntent,
    invoice: options.invoice ?? null,
    subscription: options.subscription ?? null,
    customer: options.customer ?? null,
    mode: options.subscription ? 'subscription' : 'payment',
    metadata: options.click === undefined ? {} : { aff_click_id: options.click },
    client_reference_id: options.reference ?? null,
    currency: options.currency ?? 'usd',
    amount_subtotal: amount,
    amount_total: amount + tax + shipping,
    shipping_cost: null,
    total_details: { amount_discount: 0, amount_shipping: shipping, amount_tax: tax },
    payment_status: options.paymentStatus ?? 'paid',
  };
}

export interface InvoiceOptions extends Common {
  invoice?: string;
  subscription?: string | null;
  customer?: string | null;
  /** The charge, in the old shape only: the new one does not tell. */
  charge?: string | null;
  paymentIntent?: string | null;
  amount?: number;
  tax?: number;
  paidAt?: Date;
  /** When it was made; when it was paid unless told. */
  createdAt?: Date;
  /** The time from which on it pays its subscription; no line is told without it. */
  periodStart?: Date;
  /** metadata.aff_click_id of the invoice, and of the subscription's details. */
  click?: string;
  subscriptionClick?: string;
  billingReason?: string;
  currency?: string;
  /** The part of the total; all of it unless told. */
  amountPaid?: number;
}

export function invoicePaid(options: InvoiceOptions = {}): StripeTestEvent {
  const {
    version = newShape,
    amount = 2_000,
    tax = 0,
    paidAt = options.at ?? new Date(),
  } = options;
  const details = {
    metadata:
      options.subscriptionClick === undefined ? {} : { aff_click_id: options.subscriptionClick },
  };
  const subscription = options.subscription ?? null;
  const shape: Json =
    version === oldShape
      ? {
          subscription,
          subscription_details: details,
          charge: options.charge ?? null,
          payment_intent: options.paymentIntent ?? null,
          tax,
          total_tax_amounts: [],
        }
      : {
          parent: subscription && {
            type: 'subscription_details',
            subscription_details: { ...details, subscription },
          },
          total_taxes: [],
        };
  const object: Json = {
    id: options.invoice ?? stripeId('in'),
    customer: options.customer ?? null,
    metadata: options.click === undefined ? {} : { aff_click_id: options.click },
    billing_reason: options.billingReason ?? 'subscription_cycle',
    amount_due: amount + tax,
    amount_paid: options.amountPaid ?? amount + tax,
    currency: options.currency ?? 'usd',
    total: amount + tax,
    total_excluding_tax: amount,
    subtotal: amount,
    created: seconds(options.createdAt ?? paidAt),
    lines: { object: 'list', data: linesFrom(options.periodStart, version), has_more: false },
    status_transitions: { paid_at: seconds(paidAt), finalized_at: seconds(paidAt) },
    ...shape,
  };
  return event('invoice.paid', object, options);
}

function linesFrom(periodStart: Date | undefined, version: StripeVersion): Json[] {
  if (periodStart === undefined) return [];
  const period = { start: seconds(periodStart), end: seconds(periodStart) + 30 * 86_400 };
  return version === oldShape
    ? [{ type: 'subscription', period }]
    : [{ parent: { type: 'subscription_item_details' }, period }];
}

export function invoicePaymentPaid(options: {
  invoice: string;
  paymentIntent: string;
  at?: Date;
}): StripeTestEvent {
  const object = {
    id: stripeId('inpay'),
    invoice: options.invoice,
    payment: { type: 'payment_intent', payment_intent: options.paymentIntent },
  };
  return event('invoice_payment.paid', object, options);
}

export interface ChargeOptions extends Common {
  charge: string;
  paymentIntent?: string | null;
  amount?: number;
  refunded?: number;
  /** What was captured of it; all unless told. */
  captured?: number;
  currency?: string;
  balanceTransaction?: unknown;
}

export function chargeUpdated(options: ChargeOptions): StripeTestEvent {
  return event('charge.updated', chargeObject(options), options);
}

export function chargeSucceeded(options: ChargeOptions): StripeTestEvent {
  return event('charge.succeeded', chargeObject(options), options);
}

export function chargeRefunded(options: ChargeOptions): StripeTestEvent {
  return event('charge.refunded', chargeObject(options), options);
}

function chargeObject(options: ChargeOptions): Json {
  const { amount = 10_000 } = options;
  return {
    id: options.charge,
    payment_intent: options.paymentIntent ?? null,
    amount,
    amount_captured: options.captured ?? amount,
    captured: options.captured !== 0,
    amount_refunded: options.refunded ?? 0,
    refunded: options.refunded === amount,
    currency: options.currency ?? 'usd',
    balance_transaction: options.balanceTransaction ?? null,
  };
}

export interface RefundOptions extends Common {
  refund?: string;
  charge?: string | null;
  paymentIntent?: string | null;
  amount: number;
}

export function refundCreated(options: RefundOptions): StripeTestEvent {
  return event('refund.created', refundObject(options, 'succeeded'), {
    ...options,
    version: newShape,
  });
}

export function refundFailed(options: RefundOptions): StripeTestEvent {
  return event('refund.failed', refundObject(options, 'failed'), { ...options, version: newShape });
}

function refundObject(options: RefundOptions, status: string): Json {
  return {
    id: options.refund ?? stripeId('re'),
    charge: options.charge ?? null,
    payment_intent: options.paymentIntent ?? null,
    amount: options.amount,
    status,
  };
}

export interface DisputeOptions extends Common {
  dispute?: string;
  charge: string;
  paymentIntent?: string | null;
  amount: number;
}

export function disputeCreated(options: DisputeOptions): StripeTestEvent {
  return event('charge.dispute.created', disputeObject(options, 'needs_response'), options);
}

export function disputeClosed(
  options: DisputeOptions & { status: 'won' | 'lost' | 'warning_closed' },
): StripeTestEvent {
  const name = `charge.dispute.closed.${options.status === 'lost' ? 'lost' : 'won'}`;
  return event(name, disputeObject(options, options.status), options);
}

function disputeObject(options: DisputeOptions, status: string): Json {
  return {
    id: options.dispute ?? stripeId('du'),
    charge: options.charge,
    payment_intent: options.paymentIntent ?? null,
    amount: options.amount,
    status,
  };
}
