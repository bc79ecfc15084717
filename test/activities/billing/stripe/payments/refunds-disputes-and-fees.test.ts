import { useDeps } from '../../../../support/app';
import { buildReport, recordConversion } from '../../../../support/build/conversions';
import {
  chargeRefunded,
  chargeUpdated,
  checkoutCompleted,
  disputeClosed,
  disputeCreated,
  refundCreated,
  refundFailed,
  stripeId,
} from '../../../../support/stripe/events';
import { buildStripeShop, conversionsOf, type StripeShop } from '../../../../support/stripe/shop';

const deps = useDeps();

const hour = 3_600_000;
const ago = (ms: number): Date => new Date(Date.now() - ms);
const read = (shop: StripeShop) => conversionsOf(deps.db.manager, shop.scope);

describe('refunds, disputes and fees (payments.md, Refunds and disputes)', () => {
  it('that come before their payment are kept and applied when it comes', async () => {
    const shop = await buildStripeShop(deps);
    const [charge, paymentIntent] = [stripeId('ch'), stripeId('pi')];
    await shop.send(
      chargeRefunded({ charge, paymentIntent, refunded: 2_500 }),
      disputeCreated({ charge, paymentIntent, amount: 7_500 }),
    );
    expect(await shop.statuses()).toEqual(['waiting', 'waiting']);

    await shop.send(checkoutCompleted({ click: await shop.click(ago(hour)), paymentIntent }));

    expect(await read(shop)).toMatchObject([
      { refundedCents: 2_500, commission: { amountCents: 1_500, reasons: ['DISPUTED'] } },
    ]);
    expect(await shop.statuses()).toEqual(['processed', 'processed', 'processed']);
  });

  it('that come before a report by API are applied with it', async () => {
    const shop = await buildStripeShop(deps);
    const [charge, paymentIntent] = [stripeId('ch'), stripeId('pi')];
    await shop.send(chargeRefunded({ charge, paymentIntent, refunded: 10_000 }));

    const record = await recordConversion(
      deps.db.manager,
      { scope: shop.scope, now: new Date() },
      buildReport({
        externalTransactionId: paymentIntent,
        clickId: await shop.click(),
        amountCents: 10_000,
      }),
    );

    expect(record.commission).toMatchObject({ status: 'refunded', amountCents: 0 });
  });

  it('count by the amount of the report when no charge was ever told', async () => {
    const shop = await buildStripeShop(deps);
    const paymentIntent = stripeId('pi');
    await recordConversion(
      deps.db.manager,
      { scope: shop.scope, now: new Date() },
      buildReport({
        externalTransactionId: paymentIntent,
        clickId: await shop.click(),
        amountCents: 10_000,
      }),
    );

    const dispute = {
      charge: stripeId('ch'),
      paymentIntent,
      dispute: stripeId('du'),
      amount: 2_500,
    };
    await shop.send(disputeCreated(dispute), disputeClosed({ ...dispute, status: 'lost' }));

    expect(await read(shop)).toMatchObject([
      { refundedCents: 2_500, commission: { amountCents: 1_500, reasons: [] } },
    ]);
  });

  it('return the commission when the refund behind it fails', async () => {
    const shop = await buildStripeShop(deps);
    const [charge, paymentIntent, refund] = [stripeId('ch'), stripeId('pi'), stripeId('re')];
    const ids = { charge, paymentIntent };
    await shop.send(
      checkoutCompleted({ click: await shop.click(ago(hour)), paymentIntent }),
      chargeRefunded({ ...ids, refunded: 10_000 }),
      refundCreated({ ...ids, refund, amount: 10_000 }),
    );
    expect(await read(shop)).toMatchObject([{ commission: { status: 'refunded' } }]);

    await shop.send(refundFailed({ ...ids, refund, amount: 10_000 }));

    expect(await read(shop)).toMatchObject([
      { refundedCents: 0, commission: { status: 'pending', amountCents: 2_000 } },
    ]);
  });

  it('settle a net commission by the fee of the balance transaction', async () => {
    const shop = await buildStripeShop(deps, { basis: 'net' });
    const [charge, paymentIntent] = [stripeId('ch'), stripeId('pi')];
    await shop.send(checkoutCompleted({ click: await shop.click(ago(hour)), paymentIntent }));
    expect(await read(shop)).toMatchObject([
      { commission: { amountCents: 2_000, reasons: ['FEE_UNKNOWN'] } },
    ]);

    // 265 euro cents at 0.85 are 311.76 dollar cents: a fee of 312, 20 % of 9,688 is 1,937.6.
    const balanceTransaction = { id: 'txn_1', fee: 265, currency: 'eur', exchange_rate: 0.85 };
    await shop.send(chargeUpdated({ charge, paymentIntent, balanceTransaction }));

    expect(await read(shop)).toMatchObject([
      { commission: { amountCents: 1_938, reasons: [], feeCents: 312 } },
    ]);
  });

  it('of a payment that is none of ours are ignored', async () => {
    const shop = await buildStripeShop(deps);
    const [charge, paymentIntent] = [stripeId('ch'), stripeId('pi')];

    await shop.send(
      checkoutCompleted({ paymentIntent }),
      chargeRefunded({ charge, paymentIntent, refunded: 100 }),
    );

    expect(await shop.statuses()).toEqual(['ignored', 'ignored']);
  });
});
