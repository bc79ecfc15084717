import {
  amountAt,
  currencyOf,
  idAt,
  integerAt,
  isCurrencyCode,
  textAt,
  timeAt,
  valueAt,
  type Json,
} from '../billing/json';
import { clickIn, customerIn, signalIn } from '../billing/signals';
import type { ToldSale } from '../billing/told';
import { customerIdOf } from '../values/identifier';
import { divideHalfUp } from '../values/money';

/** What flat terms pay: not changes of a plan, nor what meters add in between. */
const wholePrices = new Set(['purchase', 'subscription_create', 'subscription_cycle']);

/** Orders that a checkout makes. */
export const beginningReasons: ReadonlySet<string> = new Set(['purchase', 'subscription_create']);

/** Orders that pay for a period of their subscription, which begins as the subscription says. */
const periodReasons = new Set(['subscription_create', 'subscription_cycle']);

/** An order of Polar's: all its tellings tell one payment, done once it is paid (docs/reference/billers.md, What is told and what is asked). */
export function readOrder(order: Json, told: Pick<ToldSale, 'toldAt' | 'receivedAt'>): ToldSale {
  const net = Math.max(0, amountAt(order, 'net_amount'));
  const total = Math.max(0, amountAt(order, 'total_amount'));
  const due = Math.max(0, integerAt(order, 'due_amount') ?? total);
  const reason = textAt(order, 'billing_reason') ?? '';
  const createdAt = timeAt(order, 'created_at') ?? told.receivedAt;
  const currency = currencyOf(order);
  const click = clickIn(order, 'metadata');
  return {
    kind: 'sale',
    ...told,
    isDone: valueAt(order, 'paid') === true && isCurrencyCode(currency),
    amountCents: total > 0 ? Math.min(net, scaled(net, due, total)) : 0,
    grossCents: due,
    currency,
    paidAt: createdAt,
    madeAt: createdAt,
    periodAt: periodReasons.has(reason) ? periodOf(order, createdAt) : null,
    isPart: !wholePrices.has(reason),
    begins: reason === 'subscription_create',
    clickIds: [...click, ...signalIn(order, 'metadata', 'reference_id')],
    metadataClickIds: click,
    ...discountIn(order, reason),
    own: [...customerIn(order, 'metadata'), ...externalIdOf(order)],
    billers: [idAt(order, 'customer_id') ?? idAt(order, 'customer')].filter((id) => id !== null),
    subscriptionId: idAt(order, 'subscription_id') ?? idAt(order, 'subscription'),
    feeCents: feeIn(order, currency),
    wholeCents: due,
    refundedCents: amountAt(order, 'refunded_amount') + amountAt(order, 'refunded_tax_amount'),
  };
}

/**
 * The subscription shows the period that it is in now. One that begins after the order was made is a later order's:
 * this one's began when it was made.
 */
function periodOf(order: Json, createdAt: string): string | null {
  const start = timeAt(order, 'subscription', 'current_period_start');
  return start !== null && start > createdAt ? createdAt : start;
}

/** A subscription's discount is shown on all that it pays later too: there it brought nobody. */
function discountIn(order: Json, reason: string): Pick<ToldSale, 'discountId' | 'code'> {
  if (!beginningReasons.has(reason)) return { discountId: null, code: '' };
  return {
    discountId: idAt(order, 'discount_id'),
    code: signalIn(order, 'discount', 'code')[0] ?? '',
  };
}

function externalIdOf(order: Json): string[] {
  return signalIn(order, 'customer', 'external_id').flatMap((id) => customerIdOf(id) ?? []);
}

function scaled(amount: number, part: number, whole: number): number {
  return Number(divideHalfUp(BigInt(amount) * BigInt(part), BigInt(whole)));
}

/** Unknown until its currency is told; in another currency there is no rate for it. */
function feeIn(order: Json, currency: string): number | null {
  const feeCurrency = textAt(order, 'platform_fee_currency')?.toLowerCase();
  return feeCurrency === currency ? integerAt(order, 'platform_fee_amount') : null;
}
