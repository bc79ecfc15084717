import {
  digitsAt,
  idAt,
  isCurrencyCode,
  listAt,
  objectAt,
  textAt,
  timeAt,
  type Json,
} from '../billing/json';
import { clickIn, customerIn } from '../billing/signals';
import type { ToldSale } from '../billing/told';
import { divideHalfUp } from '../values/money';

/** What flat terms pay: not charges in between, nor changes of a plan. */
const wholePrices = new Set(['web', 'api', 'subscription_recurring']);

/** A change of how a subscription is paid is told as a transaction, and is none. */
const noPayment = 'subscription_payment_method_change';

/**
 * A transaction of Paddle's: all its tellings tell one payment, done once it is completed (docs/reference/billers.md, What is told and what is asked).
 */
export function readTransaction(
  transaction: Json,
  told: Pick<ToldSale, 'toldAt' | 'receivedAt'>,
): ToldSale {
  const totals = objectAt(transaction, 'details', 'totals');
  const total = digitsAt(totals, 'total') ?? 0;
  const net = Math.max(0, total - (digitsAt(totals, 'tax') ?? 0));
  const grand = Math.max(0, digitsAt(totals, 'grand_total') ?? total);
  const billedAt = timeAt(transaction, 'billed_at');
  const at = billedAt ?? told.receivedAt;
  const origin = textAt(transaction, 'origin') ?? '';
  const currency = (textAt(transaction, 'currency_code') ?? '').toLowerCase();
  const click = clickIn(transaction, 'custom_data');
  return {
    kind: 'sale',
    ...told,
    isDone:
      textAt(transaction, 'status') === 'completed' &&
      origin !== noPayment &&
      isCurrencyCode(currency),
    amountCents: shareOf(net, grand, total),
    grossCents: grand,
    currency,
    paidAt: capturedAt(transaction) ?? at,
    madeAt: at,
    periodAt: timeAt(transaction, 'billing_period', 'starts_at'),
    isPart: !wholePrices.has(origin),
    begins: false,
    clickIds: click,
    metadataClickIds: click,
    ...discountIn(transaction, origin),
    own: customerIn(transaction, 'custom_data'),
    billers: [idAt(transaction, 'customer_id')].filter((id) => id !== null),
    subscriptionId: idAt(transaction, 'subscription_id'),
    feeCents: digitsAt(totals, 'fee'),
    wholeCents: net,
    refundedCents: 0,
  };
}

/** A subscription's discount is shown on all that it pays later too: there it brought nobody. Its code is told elsewhere. */
function discountIn(transaction: Json, origin: string): Pick<ToldSale, 'discountId' | 'code'> {
  const isLater = origin.startsWith('subscription_');
  const discountId = isLater ? null : idAt(transaction, 'discount_id');
  return { discountId, code: discountId === null ? '' : null };
}

/** The part that money came in for, half up: what credit covered does not count. */
export function shareOf(amount: number, paid: number, total: number): number {
  if (total <= 0 || paid <= 0) return 0;
  if (paid >= total) return amount;
  return Number(divideHalfUp(BigInt(amount) * BigInt(paid), BigInt(total)));
}

/** The latest time at which money was captured. */
function capturedAt(transaction: Json): string | null {
  const times = listAt(transaction, 'payments').flatMap((one) => timeAt(one, 'captured_at') ?? []);
  return times.sort().at(-1) ?? null;
}
