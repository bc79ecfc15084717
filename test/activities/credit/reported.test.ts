import { useDeps } from '../../support/app';
import {
  chargeSucceeded,
  checkoutCompleted,
  invoicePaid,
  invoicePaymentPaid,
  stripeId,
} from '../../support/stripe/events';
import { buildStory, inEveryOrder, on } from '../../support/stripe/story';

/** Sequences that were found by trying what merchants and Stripe send. */
const deps = useDeps();

it('a click on the subscription and on the payment intent of its invoice makes one sale, in every order', async () => {
  const seen = await inEveryOrder(deps, { recurring: true }, (story) => {
    const [invoice, paymentIntent, charge] = [stripeId('in'), stripeId('pi'), stripeId('ch')];
    const ids = { customer: story.cus, subscription: stripeId('sub'), invoice };
    const object = { metadata: { aff_click_id: story.click } };
    return [
      () =>
        story.send(
          invoicePaid({ ...ids, amount: 10_000, paidAt: on(1), subscriptionClick: story.click }),
        ),
      () => story.send(chargeSucceeded({ charge, paymentIntent, object, at: on(1) })),
      () => story.send(invoicePaymentPaid({ invoice, paymentIntent, at: on(1) })),
    ];
  });
  expect(seen).toEqual(new Set(['partner 2000']));
});

describe('thirteen months of a plan that earns twelve', () => {
  const tellAll = async (how: 'newest first' | 'last first' | 'side by side') => {
    const story = await buildStory(deps, { recurring: true, recurringMonths: 12 });
    const ids = { customer: story.cus, subscription: stripeId('sub'), amount: 10_000 };
    const begins = (n: number): Date => new Date(Date.UTC(2026, n, 1, 12));
    const month = (n: number) => () =>
      story.send(
        invoicePaid({
          ...ids,
          periodStart: begins(n),
          paidAt: begins(n),
          subscriptionClick: story.click,
        }),
      );
    const months = Array.from({ length: 13 }, (_, n) => month(n));
    const [last, ...rest] = months.toReversed();
    const inTurn = how === 'last first' ? [last, ...rest.reverse()] : [last, ...rest];
    if (how === 'side by side') await Promise.all(months.map((tell) => tell()));
    else for (const tell of inTurn) await tell?.();
    await story.later();
    return story.due();
  };

  it.each(['newest first', 'last first', 'side by side'] as const)('told %s', async (how) => {
    expect(await tellAll(how)).toEqual([
      ...Array.from({ length: 12 }, () => 'partner 2000'),
      'partner 0',
    ]);
  });
});

describe('a sign-up beside its checkout, whichever is told first', () => {
  const all = (['client_reference_id', 'metadata'] as const).flatMap((by) =>
    (['its cus_', 'another cus_', 'no cus_'] as const).flatMap((cus) =>
      (['a time before', 'no time'] as const).map((time) => [by, cus, time] as const),
    ),
  );

  it.each(all)('by %s, with %s, with %s', async (by, cus, time) => {
    const seen = await inEveryOrder(deps, {}, (story) => {
      const buyer = { 'its cus_': story.cus, 'another cus_': stripeId('cus'), 'no cus_': null };
      const named =
        by === 'metadata'
          ? { object: { metadata: { customer_id: story.user } } }
          : { reference: story.user };
      return [
        () => story.send(checkoutCompleted({ ...named, customer: buyer[cus], at: on(1) })),
        () =>
          story.signUp(
            {
              aliases: cus === 'no cus_' ? [] : [story.cus],
              occurredAt: time === 'no time' ? null : on(0),
            },
            on(2),
          ),
      ];
    });
    expect(seen).toEqual(new Set(['partner 2000']));
  });
});

it('a sale that its report and its checkout name by other customers is the report’s, whichever is told first', async () => {
  const seen = await inEveryOrder(deps, { recurring: true }, (story) => {
    const { user: customerId, cus: customer, click: clickId } = story;
    const paymentIntent = stripeId('pi');
    const sale = { externalTransactionId: paymentIntent, customerId, clickId };
    const reference = stripeId('order');
    return [
      () => story.report({ ...sale, occurredAt: on(1) }),
      () => story.send(checkoutCompleted({ paymentIntent, customer, reference, at: on(1) })),
      // Asks for all of the customer's payments, once the sale is known.
      async () => {
        await story.signUp({ clickId: story.rivals, occurredAt: on(300) });
        await story.send(checkoutCompleted({ reference: customerId, at: on(9) }));
      },
    ];
  });
  expect(seen).toEqual(new Set(['partner 2000, partner 2000']));
});
