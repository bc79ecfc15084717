import { useDeps } from '../../../support/app';
import { trailOf } from '../../../support/stored/commission-trail';
import type { StripeTestEvent } from '../../../support/stripe/fixtures';
import {
  chargeRefunded,
  chargeSucceeded,
  chargeUpdated,
  checkoutCompleted,
  disputeClosed,
  disputeCreated,
  invoicePaid,
  invoicePaymentPaid,
  refundCreated,
  stripeId,
} from '../../../support/stripe/events';
import { buildStripeShop, conversionsOf, type StripeShop } from '../../../support/stripe/shop';

const deps = useDeps();

const date = (text: string): Date => new Date(`${text}T12:00:00Z`);
const read = (shop: StripeShop) => conversionsOf(deps.db.manager, shop.scope);
const subscriber = () => ({ subscription: stripeId('sub'), customer: stripeId('cus') });

async function subscribed(terms: Parameters<typeof buildStripeShop>[1] = {}) {
  const shop = await buildStripeShop(deps, { recurring: true, ...terms });
  const ids = subscriber();
  const click = await shop.click(date('2026-01-01'));
  const invoice = stripeId('in');
  const first = { ...ids, click, invoice, paymentIntent: null, at: date('2026-01-02') };
  return { shop, ids, first };
}

it('an upgrade between two cycles is a renewal of its own amount', async () => {
  const { shop, ids, first } = await subscribed();
  const upgrade = { billingReason: 'subscription_update', amount: 700 };
  await shop.send(
    checkoutCompleted({ ...first, amount: 2_000 }),
    invoicePaid({ ...ids, ...upgrade, paidAt: date('2026-01-15') }),
    invoicePaid({ ...ids, paidAt: date('2026-02-02') }),
  );
  const amounts = (await read(shop)).map(({ commission }) => commission?.amountCents);
  expect(amounts).toEqual([400, 140, 400]);
});

it('a coupon of 100 % leaves the first paid invoice to be the first payment', async () => {
  const { shop, ids, first } = await subscribed({ recurringMonths: 2 });
  const free = { amount: 0, paymentStatus: 'no_payment_required' } as const;
  await shop.send(
    checkoutCompleted({ ...first, ...free }),
    invoicePaid({ ...ids, invoice: first.invoice, amount: 0, paidAt: date('2026-01-02') }),
    ...['2026-02-02', '2026-03-02', '2026-04-02'].map((day) =>
      invoicePaid({ ...ids, paidAt: date(day) }),
    ),
  );
  expect(await read(shop)).toMatchObject([
    { eventType: 'purchase', commission: { amountCents: 400 } },
    { eventType: 'renewal', commission: { amountCents: 400 } },
    { eventType: 'renewal', commission: null },
  ]);
});

it('refunds of two charges of one invoice add up', async () => {
  const { shop, first } = await subscribed();
  const { invoice } = first;
  const parts = [6_000, 4_000].map((amount) => ({
    charge: stripeId('ch'),
    paymentIntent: stripeId('pi'),
    amount,
  }));
  await shop.send(checkoutCompleted(first));
  for (const part of parts) {
    const { paymentIntent } = part;
    await shop.send(invoicePaymentPaid({ invoice, paymentIntent }), chargeSucceeded(part));
  }
  for (const part of parts) {
    await shop.send(chargeRefunded({ ...part, refunded: part.amount / 2 }));
  }
  expect(await read(shop)).toMatchObject([
    { refundedCents: 5_000, commission: { amountCents: 1_000 } },
  ]);
});

it('a dispute that is won after a refund leaves the refund', async () => {
  const shop = await buildStripeShop(deps);
  const ids = { charge: stripeId('ch'), paymentIntent: stripeId('pi') };
  const click = await shop.click(date('2026-01-01'));
  const dispute = { ...ids, dispute: stripeId('du'), amount: 7_500 };
  await shop.send(
    checkoutCompleted({ click, paymentIntent: ids.paymentIntent, at: date('2026-01-02') }),
    chargeRefunded({ ...ids, refunded: 2_500 }),
    disputeCreated(dispute),
    disputeClosed({ ...dispute, status: 'won' }),
  );
  expect(await read(shop)).toMatchObject([
    { refundedCents: 2_500, commission: { amountCents: 1_500, reasons: [] } },
  ]);
});

it('a subscription that switches its currency earns in the one that was paid', async () => {
  const { shop, ids, first } = await subscribed();
  await shop.send(
    checkoutCompleted(first),
    invoicePaid({ ...ids, currency: 'eur', paidAt: date('2026-02-02') }),
  );
  expect(await read(shop)).toMatchObject([
    { commission: { reasons: [] } },
    { commission: { amountCents: 400, reasons: ['CURRENCY_MISMATCH'] } },
  ]);
});

it('krona of a checkout and of its charge are whole units', async () => {
  const shop = await buildStripeShop(deps, { currency: 'isk' });
  const ids = { charge: stripeId('ch'), paymentIntent: stripeId('pi') };
  const click = await shop.click(date('2026-01-01'));
  const isk = { currency: 'isk', amount: 500_000 };
  await shop.send(
    checkoutCompleted({ ...isk, click, paymentIntent: ids.paymentIntent, at: date('2026-01-02') }),
    chargeRefunded({ ...ids, ...isk, refunded: 250_000 }),
  );
  expect(await read(shop)).toMatchObject([
    { amountCents: 5_000, refundedCents: 2_500, commission: { amountCents: 500 } },
  ]);
});

describe('a payment that is captured in steps', () => {
  const [charge, refund] = [stripeId('ch'), stripeId('re')];
  const steps = (paymentIntent: string) => {
    const ids = { charge, paymentIntent };
    return [
      chargeUpdated({ ...ids, captured: 6_000, at: date('2026-01-02') }),
      refundCreated({ ...ids, refund, amount: 3_000, at: date('2026-01-03') }),
      chargeUpdated({ ...ids, captured: 6_000, refunded: 3_000, at: date('2026-01-03') }),
      {
        ...chargeUpdated({ ...ids, captured: 10_000, refunded: 3_000, at: date('2026-01-04') }),
        type: 'charge.captured',
      },
    ];
  };

  it.each([
    ['in order', [0, 1, 2, 3], [2_000, 1_000, 1_000, 1_400]],
    ['the last step first', [3, 2, 1, 0], [1_400, 1_400, 1_400, 1_400]],
    ['told twice', [0, 3, 0, 1, 3, 2, 1], [2_000, 1_400, 1_400, 1_400, 1_400, 1_400, 1_400]],
  ])('has its refund as a share of all: %s', async (_name, order, dues) => {
    const shop = await buildStripeShop(deps);
    const paymentIntent = stripeId('pi');
    const click = await shop.click(date('2026-01-01'));
    await shop.send(checkoutCompleted({ paymentIntent, click, at: date('2026-01-02') }));

    const events = steps(paymentIntent);
    for (const [n, step] of order.entries()) {
      await shop.send({ ...events[step], id: stripeId('evt') } as StripeTestEvent);
      expect(await read(shop)).toMatchObject([{ commission: { amountCents: dues[n] } }]);
    }
    const [conversion] = await read(shop);
    const trail = await trailOf(deps.db.manager, conversion?.commission?.id ?? '');
    expect(trail.owed).toBe(1_400);
    expect(conversion?.refundedCents).toBe(3_000);
  });
});
