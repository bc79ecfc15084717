import { instantAt, listAt, textAt, valueAt, type Json } from '../billing/json';

/**
 * What an invoice says of when and why it was made. All of it is absent in facts that were stored
 * before it was read, and in those of sessions and charges.
 */
export interface InvoiceBilling {
  /** ISO: when the invoice was made, which may be long before it was paid. */
  createdAt?: string | null;
  /** ISO: from when on its subscription is paid by it; null for an invoice of no subscription. */
  periodStart?: string | null;
  /** Stripe's `billing_reason`. */
  billingReason?: string | null;
}

/** What bills an invoice, in the shape before and since API version 2025-03-31. */
export function billingOf(invoice: Json): InvoiceBilling {
  return {
    createdAt: instantAt(invoice, 'created'),
    periodStart: periodStartOf(listAt(invoice, 'lines')),
    billingReason: textAt(invoice, 'billing_reason'),
  };
}

/** The first line that a subscription made; what was prorated of a period before comes after it. */
function periodStartOf(lines: unknown[]): string | null {
  const ofSubscription = lines.filter(isOfSubscription);
  const line = ofSubscription.find((one) => !isProration(one)) ?? ofSubscription[0];
  return line === undefined ? null : instantAt(line, 'period', 'start');
}

function isOfSubscription(line: unknown): boolean {
  const kind = textAt(line, 'parent', 'type') ?? textAt(line, 'type');
  return kind === 'subscription' || kind === 'subscription_item_details';
}

function isProration(line: unknown): boolean {
  return (
    valueAt(line, 'proration') === true ||
    valueAt(line, 'parent', 'subscription_item_details', 'proration') === true
  );
}

/** What two events of one invoice say together, the first one's before the second's; `{}` of neither. */
export function mergeBilling(first: InvoiceBilling, second: InvoiceBilling): InvoiceBilling {
  const merged: InvoiceBilling = {};
  for (const key of ['createdAt', 'periodStart', 'billingReason'] as const) {
    const value = first[key] ?? second[key] ?? first[key];
    if (value !== undefined) merged[key] = value;
  }
  return merged;
}
