/** What happens. */
export const eventKinds = [
  'conversion.created',
  'conversion.refunded',
  'conversion.fraud_detected',
  'commission.created',
  'commission.approved',
  'commission.rejected',
  'commission.refunded',
  'commission.paid',
  'commission.updated',
  'participant.applied',
  'participant.approved',
  'participant.rejected',
  'participant.suspended',
  'participant.erased',
  'participant.moved',
  'payout.created',
  'payout.completed',
  'payout.cancelled',
  'payout.item_returned',
  'payout.item_updated',
  'webhook.test',
] as const;

/** The kinds that an endpoint may subscribe to; `*` is all of them, those of later releases too. */
export const askedKinds = ['*', ...eventKinds] as const;

/** The kinds that are ticked in a form. */
export const kindsOf = (ticked: string) =>
  askedKinds.filter((one) => ticked.split(',').includes(one));
