import { useDeps } from '../../support/app';
import {
  chargeRefunded,
  chargeSucceeded,
  checkoutCompleted,
  disputeClosed,
  invoicePaid,
  invoicePaymentPaid,
  refundCreated,
  stripeId,
} from '../../support/stripe/events';
import { buildStory, inEveryOrder, on } from '../../support/stripe/story';

/**
 * Sequences in which a sum, and not only whose it is, once went by the order of telling. Where the others of
 * their kind are tried; files without a folder are in this one:
 *
 * - one of two parts of an invoice given back or disputed: here, and rules/stripe/parts.test.ts
 * - payments of unequal sums, the later one told first: stories.test.ts
 * - a payment before the account that it is of: stories.test.ts, reported.test.ts
 * - two conversions that turn out to be one payment, one of them rejected: stories.test.ts
 * - credit that pays all: here; a part: rules/stripe/amounts.test.ts
 * - a click on session and payment intent, the charge first: stories.test.ts
 * - a month that the shop reports first, with an expired click: stories.test.ts
 * - a sign-up told late, by every name: reported.test.ts
 * - one sale from two sources at one moment: billing/stripe/sales-from.test.ts
 * - an old subscription after an unbinding; a new binding and what was paid before: stories.test.ts
 * - a dispute in another currency: here, and rules/stripe/disputed.test.ts
 * - months of a late first payment, an invoice with thirty days to pay: stories.test.ts
 * - invoice.payment_succeeded in place of invoice.paid: here
 * - months that are closed: api/payouts/statement.test.ts
 * - the debt of an erased partner: api/commissions/adjustments.test.ts
 * - flat terms and prorations: here
 * - refunds and failures of one second: rules/stripe/merges.test.ts
 * - a customer with more than a hundred open payments: billing/stripe/bounds.test.ts
 * - months within a programme: rules/payments/timeline.test.ts
 * - ids of programs that had none: rules/stripe/payment-fact.test.ts, api/customers/customers.test.ts
 */
const deps = useDeps();

describe('an invoice that was paid in two parts', () => {
  it('keeps what the other part earns when one is given back, in every order', async () => {
    const seen = await inEveryOrder(deps, {}, (story) => {
      const [invoice, paymentIntent, charge] = [stripeId('in'), stripeId('pi'), stripeId('ch')];
      const part = { charge, paymentIntent, amount: 4_000 };
      const ids = { customer: story.cus, subscription: stripeId('sub'), invoice };
      return [
        () =>
          story.send(invoicePaid({ ...ids, amount: 10_000, paidAt: on(1), click: story.click })),
        () => story.send(invoicePaymentPaid({ invoice, paymentIntent, at: on(1) })),
        () => story.send(chargeSucceeded({ ...part, at: on(1) })),
        () => story.send(chargeRefunded({ ...part, refunded: 4_000, at: on(2) })),
      ];
    });
    expect(seen).toEqual(new Set(['partner 1200']));
  });

  it('keeps half when one of two is given back, though the other’s charge is never told', async () => {
    const seen = await inEveryOrder(deps, {}, (story) => {
      const invoice = stripeId('in');
      const intents = [stripeId('pi'), stripeId('pi')] as const;
      const ids = { customer: story.cus, subscription: stripeId('sub'), invoice };
      const [paymentIntent] = intents;
      const refund = { charge: stripeId('ch'), paymentIntent, amount: 10_000, at: on(2) };
      return [
        () =>
          story.send(invoicePaid({ ...ids, amount: 20_000, paidAt: on(1), click: story.click })),
        ...intents.map(
          (one) => () => story.send(invoicePaymentPaid({ invoice, paymentIntent: one, at: on(1) })),
        ),
        () => story.send(refundCreated(refund)),
      ];
    });
    expect(seen).toEqual(new Set(['partner 2000']));
  });
});

it('a checkout that credit covered whole earns nothing, in both orders', async () => {
  const seen = await inEveryOrder(deps, {}, (story) => {
    const ids = { customer: story.cus, subscription: stripeId('sub'), invoice: stripeId('in') };
    const { click } = story;
    return [
      () => story.send(checkoutCompleted({ ...ids, paymentIntent: null, click, at: on(1) })),
      () =>
        story.send(
          invoicePaid({
            ...ids,
            amount: 10_000,
            amountPaid: 0,
            paidAt: on(1),
            object: { amount_due: 0 },
          }),
        ),
    ];
  });
  expect([...seen].filter((due) => due !== '' && due !== 'partner 0')).toEqual([]);
});

it('a first month that credit covered whole is as a trial, in every order', async () => {
  const seen = await inEveryOrder(deps, { recurring: false }, (story) => {
    const ids = { customer: story.cus, subscription: stripeId('sub') };
    const first = { ...ids, invoice: stripeId('in'), amount: 10_000 };
    const { click } = story;
    return [
      () => story.send(checkoutCompleted({ ...first, paymentIntent: null, click, at: on(0) })),
      () =>
        story.send(
          invoicePaid({ ...first, amountPaid: 0, paidAt: on(0), object: { amount_due: 0 } }),
        ),
      () => story.send(invoicePaid({ ...ids, amount: 10_000, paidAt: on(31) })),
    ];
  });
  expect([...seen].map((books) => books.replace('partner 0, ', ''))).toEqual(
    [...seen].map(() => 'partner 2000'),
  );
});

it('a checkout that credit covered whole binds nobody, whichever of its parts is told first', async () => {
  const seen = await inEveryOrder(deps, { recurring: true }, (story) => {
    const [customer, invoice] = [story.cus, stripeId('in')];
    const covered = { customer, invoice, amount: 10_000 };
    const { click } = story;
    return [
      () => story.send(checkoutCompleted({ ...covered, paymentIntent: null, click, at: on(0) })),
      () =>
        story.send(
          invoicePaid({ ...covered, amountPaid: 0, paidAt: on(0), object: { amount_due: 0 } }),
        ),
      () => story.send(checkoutCompleted({ customer, at: on(9) })),
    ];
  });
  const books = [...seen].map((one) => one.replace('partner 0', '').replace(', nobody 0', ''));
  expect(books).toEqual(books.map(() => ''));
});

it('a dispute that is lost in another currency takes all, in every order', async () => {
  const seen = await inEveryOrder(deps, { acceptedCurrencies: ['jpy'] }, (story) => {
    const [charge, paymentIntent] = [stripeId('ch'), stripeId('pi')];
    const sale = { paymentIntent, amount: 10_000, currency: 'jpy' };
    const dispute = { charge, paymentIntent, amount: 6_700, status: 'lost', at: on(9) } as const;
    return [
      () => story.send(checkoutCompleted({ ...sale, click: story.click, at: on(1) })),
      () => story.send(chargeSucceeded({ ...sale, charge, at: on(1) })),
      () => story.send(disputeClosed({ ...dispute, object: { currency: 'usd' } })),
    ];
  });
  expect(seen).toEqual(new Set(['partner 0']));
});

it('invoice.payment_succeeded alone is a renewal, as invoice.paid is', async () => {
  const story = await buildStory(deps, { recurring: true });
  const ids = { customer: story.cus, subscription: stripeId('sub') };
  await story.send(
    checkoutCompleted({ ...ids, paymentIntent: null, click: story.click, at: on(0) }),
  );
  const paid = invoicePaid({ ...ids, amount: 10_000, paidAt: on(31) });
  await story.send({ ...paid, type: 'invoice.payment_succeeded' });

  expect(await story.due()).toEqual(['partner 2000', 'partner 2000']);
});

it('flat terms pay no proration, whichever invoice is told first', async () => {
  const flat = { commissionType: 'flat', rateBps: null, amountCents: 2_000, basis: null } as const;
  const seen = await inEveryOrder(deps, { ...flat, recurring: true }, (story) => {
    const ids = { customer: story.cus, subscription: stripeId('sub') };
    const month = { ...ids, subscriptionClick: story.click };
    const paid = (billingReason: string, amount: number, days: number) => () =>
      story.send(invoicePaid({ ...month, billingReason, amount, paidAt: on(days) }));
    return [
      paid('subscription_create', 10_000, 0),
      paid('subscription_update', 167, 15),
      paid('subscription_cycle', 10_000, 31),
    ];
  });
  expect(seen).toEqual(new Set(['partner 2000, partner 0, partner 2000']));
});
