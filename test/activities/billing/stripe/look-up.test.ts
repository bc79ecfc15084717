import { queryOne } from '../../../../entities/database/sql';
import { buildPromoCode } from '../../../support/build/programs';
import {
  chargeRefunded,
  chargeUpdated,
  checkoutCompleted,
  invoicePaid,
  stripeId,
} from '../../../support/stripe/events';
import { newShape, oldShape, stripeFixture } from '../../../support/stripe/fixtures';
import { buildStripeShop, conversionsOf, type StripeShop } from '../../../support/stripe/shop';
import { useStripe } from '../../../support/stripe/suite';

const { deps, stripe } = useStripe();

const hour = 3_600_000;
const read = (shop: StripeShop) => conversionsOf(deps.db.manager, shop.scope);
const keyed = (terms: Parameters<typeof buildStripeShop>[1] = {}): Promise<StripeShop> =>
  buildStripeShop(deps, { restrictedKey: 'rk_test_key', ...terms });
const clickOf = (shop: StripeShop): Promise<string> => shop.click(new Date(Date.now() - hour));
const fee = (id: string, cents: number) => ({
  id,
  object: 'balance_transaction',
  fee: cents,
  currency: 'usd',
  exchange_rate: null,
});

describe("what events leave out is asked of Stripe's API", () => {
  it('the payment intent of a new-shape invoice', async () => {
    const shop = await keyed();
    const [invoice, paymentIntent, charge] = [stripeId('in'), stripeId('pi'), stripeId('ch')];
    stripe.set('/v1/invoice_payments', {
      object: 'list',
      data: [
        { id: 'inpay_0', status: 'canceled', invoice, payment: { payment_intent: stripeId('pi') } },
        { id: 'inpay_1', status: 'paid', invoice, payment: { payment_intent: paymentIntent } },
      ],
    });

    await shop.send(
      invoicePaid({
        version: newShape,
        invoice,
        click: await clickOf(shop),
        subscription: stripeId('sub'),
      }),
      chargeRefunded({ charge, paymentIntent, amount: 2_000, refunded: 1_000 }),
    );

    expect(await read(shop)).toMatchObject([
      {
        externalTransactionId: paymentIntent,
        aliases: [charge, invoice, paymentIntent].sort(),
        commission: { amountCents: 200 },
      },
    ]);
    const [call] = stripe.calls;
    expect(call?.query.get('invoice')).toBe(invoice);
  });

  it('the text of a promotion code', async () => {
    const shop = await keyed();
    await buildPromoCode(deps.db.manager, shop.participant, { code: 'ANNA10' });
    stripe.set('/v1/promotion_codes/promo_1SkPromoLy8aFfGhJk', {
      id: 'promo_1SkPromoLy8aFfGhJk',
      object: 'promotion_code',
      code: 'Anna10',
    });

    await shop.send(
      stripeFixture(newShape, 'checkout.session.completed.promotion', { customer: null }),
    );

    expect(await read(shop)).toMatchObject([{ attributed: true, amountCents: 10_800 }]);
  });

  it('the promotion code of an event that only tells a discount', async () => {
    const shop = await keyed();
    await buildPromoCode(deps.db.manager, shop.participant, { code: 'ANNA10' });
    const event = stripeFixture(oldShape, 'checkout.session.completed.promotion', {
      customer: null,
    });
    stripe.set(`/v1/checkout/sessions/${String(event.data.object['id'])}`, {
      object: 'checkout.session',
      discounts: [{ coupon: null, promotion_code: { id: 'promo_1', code: 'ANNA10' } }],
    });

    await shop.send(event);

    expect(await read(shop)).toMatchObject([{ attributed: true }]);
  });

  it('the fee, as soon as a payment of ours is told', async () => {
    const shop = await keyed({ basis: 'net' });
    const [paymentIntent, charge] = [stripeId('pi'), stripeId('ch')];
    stripe.set(`/v1/payment_intents/${paymentIntent}`, {
      id: paymentIntent,
      latest_charge: {
        id: charge,
        amount: 10_000,
        currency: 'usd',
        status: 'succeeded',
        balance_transaction: fee('txn_1', 320),
      },
    });

    await shop.send(checkoutCompleted({ click: await clickOf(shop), paymentIntent }));

    expect(await read(shop)).toMatchObject([
      {
        aliases: expect.arrayContaining([charge]),
        commission: { amountCents: 1_936, reasons: [], feeCents: 320 },
      },
    ]);
  });

  it('the fee that charge.updated brings later, or brought before', async () => {
    for (const order of ['later', 'before']) {
      const shop = await keyed({ basis: 'net' });
      const [paymentIntent, charge, balanceTransaction] = [
        stripeId('pi'),
        stripeId('ch'),
        stripeId('txn'),
      ];
      stripe.set(`/v1/balance_transactions/${balanceTransaction}`, fee(balanceTransaction, 320));
      const events = [
        checkoutCompleted({ click: await clickOf(shop), paymentIntent }),
        chargeUpdated({ charge, paymentIntent, balanceTransaction }),
      ];

      await shop.send(...(order === 'later' ? events : events.reverse()));

      expect(await read(shop)).toMatchObject([{ commission: { amountCents: 1_936, reasons: [] } }]);
    }
  });

  it('nothing, for a charge that is none of ours', async () => {
    const shop = await keyed();

    await shop.send(chargeUpdated({ charge: stripeId('ch'), balanceTransaction: 'txn_1' }));

    expect(stripe.calls).toEqual([]);
  });

  it('as far as the key may read: the sale counts and the connection tells', async () => {
    const shop = await keyed();
    stripe.unknownKeys.add('rk_test_key');

    await shop.send(invoicePaid({ click: await clickOf(shop), subscription: stripeId('sub') }));

    expect(await read(shop)).toHaveLength(1);
    expect(await lastError(shop)).toMatch(/key/);
    stripe.reset();
    await shop.send(invoicePaid({ click: await clickOf(shop), subscription: stripeId('sub') }));
    expect(await lastError(shop)).toBeNull();
  });

  it('later, when Stripe does not answer', async () => {
    const shop = await keyed();
    stripe.broken = true;
    const event = invoicePaid({ click: await clickOf(shop), subscription: stripeId('sub') });
    const [id = ''] = await shop.receive(event);

    await expect(shop.process(id)).rejects.toThrow();
    expect(await shop.statuses()).toEqual(['retrying']);
    expect(await read(shop)).toEqual([]);

    stripe.broken = false;
    await shop.process(id);
    expect(await shop.statuses()).toEqual(['processed']);
  });
});

async function lastError(shop: StripeShop): Promise<string | null | undefined> {
  const row = await queryOne<{ error: string | null }>(
    deps.db.manager,
    'SELECT last_error AS error FROM stripe_connections WHERE id = $1',
    [shop.connectionId],
  );
  return row?.error;
}
