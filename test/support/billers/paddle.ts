import { createHmac, randomBytes } from 'node:crypto';
import type {
  IAdjustmentNotificationResponse,
  IEventsResponse,
  ISubscriptionCreatedNotificationResponse,
  ITransactionNotificationResponse,
} from '@paddle/paddle-node-sdk';

/** Events of Paddle's in the shapes that its SDK publishes: TypeScript compares them. */
export type PaddleEvent<Data = object> = IEventsResponse<Data>;

/** An id as Paddle's are: a prefix and 26 letters and digits. */
export function paddleId(prefix: string): string {
  return `${prefix}_01${randomBytes(12).toString('hex')}`;
}

export const paddleSecret = `pdl_ntfset_${'a1'.repeat(20)}`;

export function paddleSignature(
  body: string | Buffer,
  at = new Date(),
  secret = paddleSecret,
): string {
  const ts = Math.floor(at.getTime() / 1_000);
  const h1 = createHmac('sha256', secret).update(`${ts}:`).update(body).digest('hex');
  return `ts=${ts};h1=${h1}`;
}

interface Told {
  type?: string;
  at?: Date;
  eventId?: string;
}

function eventOf<Data extends object>(
  type: string,
  data: Data,
  { at = new Date(), eventId }: Told,
) {
  return {
    event_id: eventId ?? paddleId('evt'),
    event_type: type,
    occurred_at: at.toISOString().replace('Z', '123Z'),
    notification_id: paddleId('ntf'),
    data,
  } as PaddleEvent<Data>;
}

export interface PaddleSale extends Told {
  id?: string;
  click?: string;
  customerId?: string;
  customer?: string | null;
  subscription?: string | null;
  discount?: string | null;
  status?: ITransactionNotificationResponse['status'];
  origin?: ITransactionNotificationResponse['origin'];
  currency?: string;
  total?: number;
  tax?: number;
  grandTotal?: number;
  fee?: number | null;
  paidAt?: Date;
  invoice?: string | null;
  period?: Date;
}

const usualSale = {
  status: 'completed',
  origin: 'web',
  subscription: null,
  discount: null,
  invoice: null,
  total: 11_900,
  tax: 1_900,
  fee: 500,
  currency: 'EUR',
} as const;

function customData({ click, customerId }: PaddleSale): Record<string, string> | null {
  if (click === undefined && customerId === undefined) return null;
  return {
    ...(click === undefined ? {} : { aff_click_id: click }),
    ...(customerId === undefined ? {} : { customer_id: customerId }),
  };
}

/** A transaction, completed unless told: 119.00 with 19.00 of tax. */
export function paddleTransaction(
  told: PaddleSale = {},
): PaddleEvent<ITransactionNotificationResponse> {
  const sale = { id: paddleId('txn'), customer: paddleId('ctm'), ...usualSale, ...told };
  const { total, tax, fee, grandTotal = total, paidAt = told.at ?? new Date(), period } = sale;
  const at = paidAt.toISOString();
  const currency = sale.currency as ITransactionNotificationResponse['currency_code'];
  const data: ITransactionNotificationResponse = {
    id: sale.id,
    status: sale.status,
    customer_id: sale.customer,
    address_id: null,
    business_id: null,
    custom_data: customData(told),
    currency_code: currency,
    origin: sale.origin,
    subscription_id: sale.subscription,
    invoice_id: sale.invoice,
    invoice_number: null,
    collection_mode: 'automatic',
    discount_id: sale.discount,
    billing_details: null,
    billing_period: period ? { starts_at: period.toISOString(), ends_at: at } : null,
    items: [],
    details: {
      tax_rates_used: [],
      totals: {
        subtotal: String(total - tax),
        discount: '0',
        tax: String(tax),
        total: String(total),
        credit: String(total - grandTotal),
        credit_to_balance: '0',
        balance: '0',
        grand_total: String(grandTotal),
        grand_total_tax: '0',
        fee: fee === null ? null : String(fee),
        earnings: null,
        currency_code: currency,
      },
      line_items: [],
    },
    payments: [
      {
        payment_attempt_id: 'a',
        stored_payment_method_id: 'b',
        amount: String(total),
        status: 'captured',
        created_at: at,
        captured_at: at,
      },
    ],
    checkout: null,
    created_at: at,
    updated_at: at,
    billed_at: at,
    revised_at: null,
  };
  return eventOf(sale.type ?? 'transaction.completed', data, sale);
}

export interface PaddleReturn extends Told {
  id?: string;
  transaction: string;
  action?: IAdjustmentNotificationResponse['action'];
  status?: IAdjustmentNotificationResponse['status'];
  subtotal?: number;
}

/** An approved refund of 50.00 before tax, unless told. */
export function paddleAdjustment(told: PaddleReturn): PaddleEvent<IAdjustmentNotificationResponse> {
  const { at = new Date(), subtotal = 5_000 } = told;
  const totals = {
    subtotal: String(subtotal),
    tax: '0',
    total: String(subtotal),
    fee: '0',
    earnings: '0',
    currency_code: 'EUR' as const,
    retained_fee: '0',
  };
  const data: IAdjustmentNotificationResponse = {
    id: told.id ?? paddleId('adj'),
    action: told.action ?? 'refund',
    type: 'partial',
    transaction_id: told.transaction,
    subscription_id: null,
    customer_id: paddleId('ctm'),
    reason: 'because',
    credit_applied_to_balance: false,
    currency_code: 'EUR',
    status: told.status ?? 'approved',
    items: [],
    totals,
    created_at: at.toISOString(),
    updated_at: at.toISOString(),
  };
  return eventOf(told.type ?? 'adjustment.updated', data, told);
}

/** The event that a subscription began, and by which transaction. */
export function paddleSubscription(
  told: Told & { id: string; transaction: string },
): PaddleEvent<Partial<ISubscriptionCreatedNotificationResponse>> {
  const data = { id: told.id, transaction_id: told.transaction, status: 'active' as const };
  return eventOf('subscription.created', data, told);
}

export function paddleDiscount(told: Told & { id: string; code: string | null }): PaddleEvent {
  return eventOf('discount.created', { id: told.id, code: told.code, status: 'active' }, told);
}
