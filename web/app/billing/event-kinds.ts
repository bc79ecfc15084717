/** The events that an endpoint at a biller sends us; one that a key registers has them by itself. */
export const billerEventKinds = {
  stripe: [
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
  ],
  paddle: [
    'transaction.completed',
    'transaction.updated',
    'adjustment.created',
    'adjustment.updated',
    'subscription.created',
  ],
  polar: ['order.paid', 'order.updated', 'order.refunded', 'refund.updated'],
} as const;
