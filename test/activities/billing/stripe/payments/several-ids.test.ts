import { useDeps } from '../../../../support/app';
import { buildReport, recordConversion } from '../../../../support/build/conversions';
import {
  chargeRefunded,
  chargeSucceeded,
  checkoutCompleted,
  invoicePaid,
  invoicePaymentPaid,
  stripeId,
} from '../../../../support/stripe/events';
import { newShape } from '../../../../support/stripe/fixtures';
import { buildStripeShop, conversionsOf, type StripeShop } from '../../../../support/stripe/shop';

const deps = useDeps();

const hour = 3_600_000;
const ago = (ms: number): Date => new Date(Date.now() - ms);
const read = (shop: StripeShop) => conversionsOf(deps.db.manager, shop.scope);

describe('one payment under several ids (payments.md, One payment, one conversion)', () => {
  it.each([['session first'], ['invoice first']])(
    'is one conversion: checkout and its first invoice, %s',
    async (order) => {
      const shop = await buildStripeShop(deps);
      const click = await shop.click(ago(hour));
      const ids = {
        invoice: stripeId('in'),
        subscription: stripeId('sub'),
        customer: stripeId('cus'),
      };
      const session = checkoutCompleted({ ...ids, click, paymentIntent: null, amount: 2_000 });
      const invoice = invoicePaid({
        ...ids,
        subscriptionClick: click,
        billingReason: 'subscription_create',
      });

      await shop.send(...(order === 'session first' ? [session, invoice] : [invoice, session]));

      expect(await read(shop)).toMatchObject([
        { eventType: 'purchase', externalTransactionId: ids.invoice, amountCents: 2_000 },
      ]);
    },
  );

  it.each(['session first', 'invoice first'])(
    'is one conversion when the session does not name its invoice, %s',
    async (order) => {
      const shop = await buildStripeShop(deps, { recurring: true });
      const click = await shop.click(ago(hour));
      const ids = { subscription: stripeId('sub'), customer: stripeId('cus') };
      const session = checkoutCompleted({ ...ids, click, paymentIntent: null, amount: 2_000 });
      const invoice = invoicePaid({ ...ids, billingReason: 'subscription_create' });

      await shop.send(...(order === 'session first' ? [session, invoice] : [invoice, session]));

      const conversions = await read(shop);
      expect(conversions).toHaveLength(1);
      expect(conversions[0]?.aliases).toEqual(
        [session.data.object['id'], invoice.data.object['id']].sort(),
      );
    },
  );

  it('is one conversion when the invoice that came first carried no signal', async () => {
    const shop = await buildStripeShop(deps);
    const ids = {
      invoice: stripeId('in'),
      subscription: stripeId('sub'),
      customer: stripeId('cus'),
    };

    await shop.send(invoicePaid({ ...ids, billingReason: 'subscription_create' }));
    expect(await shop.statuses()).toEqual(['ignored']);
    await shop.send(
      checkoutCompleted({ ...ids, click: await shop.click(ago(hour)), paymentIntent: null }),
    );

    expect(await read(shop)).toHaveLength(1);
    expect(await shop.statuses()).toEqual(['processed', 'processed']);
  });

  it.each(['before', 'after'] as const)(
    'is one conversion with a report by API %s it',
    async (when) => {
      const shop = await buildStripeShop(deps);
      const click = await shop.click(ago(hour));
      const paymentIntent = stripeId('pi');
      const event = checkoutCompleted({ click, paymentIntent });
      const report = () =>
        recordConversion(
          deps.db.manager,
          { scope: shop.scope, now: new Date() },
          buildReport({
            externalTransactionId: paymentIntent,
            clickId: click,
            amountCents: 10_000,
          }),
        );

      if (when === 'before') {
        await report();
        await shop.send(event);
      } else {
        await shop.send(event);
        await expect(report()).rejects.toMatchObject({ code: 'CONVERSION_DUPLICATE' });
      }

      expect(await read(shop)).toMatchObject([
        { aliases: expect.arrayContaining([paymentIntent]) },
      ]);
      expect(await read(shop)).toHaveLength(1);
    },
  );

  it('is known by every id to a report by API that comes later', async () => {
    const shop = await buildStripeShop(deps);
    const ids = { session: stripeId('cs_test'), paymentIntent: stripeId('pi') };
    const charge = stripeId('ch');
    const click = await shop.click(ago(hour));
    await shop.send(
      checkoutCompleted(ids),
      chargeSucceeded({ charge, paymentIntent: ids.paymentIntent }),
    );
    expect(await read(shop)).toEqual([]);

    const report = (externalTransactionId: string) =>
      recordConversion(
        deps.db.manager,
        { scope: shop.scope, now: new Date() },
        buildReport({ externalTransactionId, clickId: click, amountCents: 10_000 }),
      );
    await report(ids.session);

    for (const id of [ids.session, ids.paymentIntent, charge]) {
      await expect(report(id)).rejects.toMatchObject({ code: 'CONVERSION_DUPLICATE' });
    }
    expect(await read(shop)).toHaveLength(1);
  });

  it('never earns twice when two reports by API turn out to be one payment', async () => {
    const shop = await buildStripeShop(deps);
    const invoice = stripeId('in');
    const paymentIntent = stripeId('pi');
    for (const externalTransactionId of [invoice, paymentIntent]) {
      await recordConversion(
        deps.db.manager,
        { scope: shop.scope, now: new Date() },
        buildReport({
          externalTransactionId,
          clickId: await shop.click(),
          amountCents: 2_000,
        }),
      );
    }

    await shop.send(invoicePaymentPaid({ invoice, paymentIntent }));

    const amounts = (await read(shop)).map(({ commission }) => commission?.amountCents);
    expect(amounts.sort()).toEqual([0, 400]);
  });

  it('joins a new-shape invoice and its charge by invoice_payment.paid, in any order', async () => {
    const shop = await buildStripeShop(deps);
    const [invoice, paymentIntent, charge] = [stripeId('in'), stripeId('pi'), stripeId('ch')];
    const click = await shop.click(ago(hour));

    await shop.send(
      chargeRefunded({ charge, paymentIntent, amount: 2_000, refunded: 1_000 }),
      invoicePaid({ version: newShape, invoice, click, subscription: stripeId('sub') }),
    );
    expect(await read(shop)).toMatchObject([{ commission: { amountCents: 400 } }]);
    expect(await shop.statuses()).toEqual(['waiting', 'processed']);

    await shop.send(invoicePaymentPaid({ invoice, paymentIntent }));
    expect(await read(shop)).toMatchObject([
      { aliases: [charge, invoice, paymentIntent].sort(), commission: { amountCents: 200 } },
    ]);
    expect(await shop.statuses()).toEqual(['processed', 'processed', 'processed']);
  });
});
