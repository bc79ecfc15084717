export const inbox = {
  title: 'Inbox',
  empty: 'Nothing waits for you.',
  // What stands after a count: of one, of others.
  kinds: {
    applications: ['application of a partner', 'applications of partners'],
    review: ['commission to review', 'commissions to review'],
    fraudFlags: ['fraud flag', 'fraud flags'],
    deadLetters: ['webhook that could not be delivered', 'webhooks that could not be delivered'],
    stripeFailures: ['Stripe event that failed', 'Stripe events that failed'],
    billerFailures: [
      'event of Paddle or Polar that failed',
      'events of Paddle or Polar that failed',
    ],
    payoutsProcessing: ['payout on its way', 'payouts on their way'],
    payoutAttention: ['payment that needs a look', 'payments that need a look'],
    debts: ['partner who owes something', 'partners who owe something'],
  },
};
