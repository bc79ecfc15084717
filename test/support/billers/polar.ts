import { createHmac, randomUUID } from 'node:crypto';
import type { models } from '@polar-sh/sdk/2026-04';

type Order = models.Order;
type Refund = models.Refund;

/** An event of Polar's; what names it is a header beside it. */
export interface PolarEvent {
  webhookId: string;
  type: string;
  timestamp: string;
  data: object;
}

export const polarSecret = `whsec_${'b2'.repeat(16)}`;

export function polarHeaders(
  { webhookId }: Pick<PolarEvent, 'webhookId'>,
  body: string | Buffer,
  { at = new Date(), secret = polarSecret } = {},
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signed = createHmac('sha256', secret).update(`${webhookId}.${timestamp}.`).update(body);
  return {
    'webhook-id': webhookId,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signed.digest('base64')}`,
  };
}

interface Told {
  type?: string;
  at?: Date;
  webhookId?: string;
}

function eventOf(type: string, data: object, { at = new Date(), webhookId }: Told): PolarEvent {
  return { webhookId: webhookId ?? randomUUID(), type, timestamp: at.toISOString(), data };
}

export interface PolarSale extends Told {
  id?: string;
  click?: string;
  reference?: string;
  customerId?: string;
  customer?: string;
  externalId?: string | null;
  email?: string;
  subscription?: string | null;
  reason?: Order['billing_reason'];
  paid?: boolean;
  net?: number;
  tax?: number;
  balance?: number;
  refunded?: number;
  code?: string | null;
  checkout?: string | null;
  paidAt?: Date;
  period?: Date;
  fee?: number;
  feeCurrency?: string | null;
  currency?: string;
}

const usualOrder = {
  subscription: null,
  paid: true,
  net: 10_000,
  tax: 1_900,
  balance: 0,
  refunded: 0,
  currency: 'eur',
  checkout: null,
  fee: 450,
  feeCurrency: 'eur',
  externalId: null,
  email: 'buyer@example.com',
} as const;

function metadataOf({ click, reference, customerId }: PolarSale): Record<string, string> {
  return {
    ...(click === undefined ? {} : { aff_click_id: click }),
    ...(reference === undefined ? {} : { reference_id: reference }),
    ...(customerId === undefined ? {} : { customer_id: customerId }),
  };
}

function subscriptionOf({ subscription, period, paidAt }: PolarSale): Order['subscription'] {
  if (subscription === undefined || subscription === null) return null;
  const current_period_start = (period ?? paidAt ?? new Date()).toISOString();
  return { id: subscription, current_period_start } as Order['subscription'];
}

/** An order as Polar's API answers it, paid unless told: 100.00 and 19.00 of tax. */
export function polarOrder(told: PolarSale = {}): Order {
  const sale = { id: randomUUID(), customer: randomUUID(), ...usualOrder, ...told };
  const { net, tax, balance, refunded, customer, subscription, code } = sale;
  const order: Partial<Order> = {
    id: sale.id,
    created_at: (told.paidAt ?? told.at ?? new Date()).toISOString(),
    modified_at: null,
    status: refunded > 0 ? 'partially_refunded' : 'paid',
    paid: sale.paid,
    subtotal_amount: net,
    discount_amount: 0,
    net_amount: net,
    tax_amount: tax,
    total_amount: net + tax,
    applied_balance_amount: -balance,
    due_amount: net + tax - balance,
    refunded_amount: refunded,
    refunded_tax_amount: 0,
    currency: sale.currency,
    billing_reason: told.reason ?? (subscription === null ? 'purchase' : 'subscription_create'),
    customer_id: customer,
    subscription_id: subscription,
    checkout_id: sale.checkout,
    discount_id: code === undefined ? null : randomUUID(),
    metadata: metadataOf(told),
    platform_fee_amount: sale.fee,
    platform_fee_currency: sale.feeCurrency,
    customer: {
      id: customer,
      email: sale.email,
      external_id: sale.externalId,
    } as Order['customer'],
    discount: (code === undefined ? null : { code }) as Order['discount'],
    subscription: subscriptionOf(told),
    items: [],
  };
  return order as Order;
}

export function polarOrderEvent(sale: PolarSale = {}): PolarEvent {
  return eventOf(sale.type ?? 'order.paid', polarOrder(sale), sale);
}

export function polarRefund(order: string, told: Told = {}): PolarEvent {
  const refund: Partial<Refund> = { id: randomUUID(), order_id: order, status: 'succeeded' };
  return eventOf(told.type ?? 'refund.updated', refund, told);
}
