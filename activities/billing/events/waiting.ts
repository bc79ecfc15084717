import { listed } from '../../../entities/database/moving';

/** What an event that waits says of itself. */
export const waitsFor = {
  /** A refund or dispute whose payment no event has joined. */
  payment: 'Its payment has not arrived.',
  checkout: 'It is not known yet whether a checkout made this invoice.',
  code: 'Its promotion code cannot be read: put a key that may read promotion codes.',
} as const;

/** Kinds that need a merchant's attention when they wait for long: all others are mere details. */
const returningKinds = [
  'charge.refunded',
  'charge.refund.updated',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'adjustment.created',
  'adjustment.updated',
  'order.refunded',
] as const;

/** Condition on `stripe_events AS e`: it waits for what a key, or the merchant, can bring. */
export const needsAttention = `e.status = 'waiting'
  AND (e.type IN (${listed(returningKinds)}) OR e.error = ${quoted(waitsFor.code)})`;

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
