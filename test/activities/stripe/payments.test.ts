import { recordConversion } from '../../../activities/purchases/report-purchase';
import { newId } from '../../../entities/ids';
import { execute } from '../../../entities/database/sql';
import { openTestDeps, type TestDeps } from '../../support/app';
import { buildParticipant, buildPromoCode } from '../../support/build/programs';
import { buildReport } from '../../support/build/conversions';
import {
  asyncPaymentSucceeded,
  chargeRefunded,
  chargeSucceeded,
  chargeUpdated,
  checkoutCompleted,
  disputeClosed,
  disputeCreated,
  invoicePaid,
  invoicePaymentPaid,
  refundCreated,
  refundFailed,
  stripeId,
} from '../../support/stripe/events';
import { newShape, oldShape, stripeVersions } from '../../support/stripe/fixtures';
import { buildStripeShop, conversionsOf, type StripeShop } from '../../support/stripe/shop';

let deps: TestDeps;

beforeAll(async () => {
  deps = await openTestDeps();
});
afterAll(() => deps.close());

const hour = 3_600_000;
const day = 24 * hour;
const ago = (ms: number): Date => new Date(Date.now() - ms);
const read = (shop: StripeShop) => conversionsOf(deps.db.manager, shop.scope);

describe('a checkout', () => {
  it.each(stripeVersions)('of version %s earns its partner a commission', async (version) => {
    const shop = await buildStripeShop(deps);
    const at = new Date('2026-03-04T05:06:07Z');
    const click = await shop.click(new Date('2026-03-01T00:00:00Z'));
    const session = stripeId('cs_test');
    const paymentIntent = stripeId('pi');

    await shop.send(
      checkoutCompleted({ version, at, click, session, paymentIntent, tax: 2_100, shipping: 500 }),
    );

    expect(await read(shop)).toMatchObject([
      {
        externalTransactionId: paymentIntent,
        aliases: [session, paymentIntent].sort(),
        eventType: 'purchase',
        attributed: true,
        amountCents: 10_000,
        occurredAt: '2026-03-04T05:06:07.000Z',
        commission: { amountCents: 2_000, status: 'pending' },
      },
    ]);
    expect(await shop.statuses()).toEqual(['processed']);
  });

  it('is attributed by client_reference_id when metadata names no click of ours', async () => {
    const shop = await buildStripeShop(deps);
    const reference = await shop.click();

    await shop.send(checkoutCompleted({ click: newId(), reference }));

    expect(await read(shop)).toMatchObject([{ attributed: true }]);
  });

  it('is recorded as CLICK_NOT_FOUND when its only signal is an unknown metadata click', async () => {
    const shop = await buildStripeShop(deps);

    await shop.send(checkoutCompleted({ click: 'no click at all', reference: 'order 7' }));

    expect(await read(shop)).toMatchObject([
      { attributed: false, reason: 'CLICK_NOT_FOUND', commission: null },
    ]);
  });

  it('does not know a click of the other mode or of another workspace', async () => {
    const shop = await buildStripeShop(deps);
    const { workspaceId } = shop.scope;
    const live = await buildStripeShop(deps, { workspaceId, mode: 'live' });
    const foreign = await buildStripeShop(deps);

    await shop.send(
      checkoutCompleted({ click: await live.click() }),
      checkoutCompleted({ click: await foreign.click() }),
    );

    expect(await read(shop)).toMatchObject([
      { reason: 'CLICK_NOT_FOUND' },
      { reason: 'CLICK_NOT_FOUND' },
    ]);
  });

  it('without any signal of ours is no conversion', async () => {
    const shop = await buildStripeShop(deps);

    await shop.send(checkoutCompleted({ reference: 'order 7' }));

    expect(await read(shop)).toEqual([]);
    expect(await shop.statuses()).toEqual(['ignored']);
  });

  it('with the promotion code of a partner is attributed by it', async () => {
    const shop = await buildStripeShop(deps);
    await buildPromoCode(deps.db.manager, shop.participant, { code: 'ANNA10' });

    const discounts = [{ coupon: null, promotion_code: { id: 'promo_1', code: 'anna10' } }];
    await shop.send(checkoutCompleted({ object: { discounts } }));

    expect(await read(shop)).toMatchObject([{ attributed: true }]);
  });

  it('credits the promotion code when it is another partner than the click', async () => {
    const shop = await buildStripeShop(deps);
    const other = await buildParticipant(deps.db.manager, { program: shop.program });
    await buildPromoCode(deps.db.manager, other, { code: 'OTHER' });
    const click = await shop.click();

    const discounts = [{ coupon: null, promotion_code: { id: 'promo_1', code: 'OTHER' } }];
    await shop.send(checkoutCompleted({ click, object: { discounts } }));

    const [conversion] = await read(shop);
    expect(await participantOf(conversion?.id)).toBe(other.id);
  });

  it('that is not paid yet is no payment before it is', async () => {
    const shop = await buildStripeShop(deps);
    const click = await shop.click(ago(hour));
    const session = stripeId('cs_test');
    const paymentIntent = stripeId('pi');
    const common = { session, paymentIntent, click };

    await shop.send(checkoutCompleted({ ...common, paymentStatus: 'unpaid' }));
    expect(await read(shop)).toEqual([]);

    await shop.send(asyncPaymentSucceeded(common));
    expect(await read(shop)).toMatchObject([{ attributed: true }]);
    expect(await shop.statuses()).toEqual(['processed', 'processed']);
  });

  it('of zero amount is no payment', async () => {
    const shop = await buildStripeShop(deps);

    await shop.send(checkoutCompleted({ click: await shop.click(), amount: 0 }));

    expect(await read(shop)).toEqual([]);
  });

  it('counts a click within its own second as before it', async () => {
    const shop = await buildStripeShop(deps);
    const click = await shop.click(new Date('2026-03-01T10:00:00.700Z'));

    await shop.send(checkoutCompleted({ click, at: new Date('2026-03-01T10:00:00Z') }));

    expect(await read(shop)).toMatchObject([{ attributed: true }]);
  });

  it('may be ahead of our clock', async () => {
    const shop = await buildStripeShop(deps, { attributionWindowDays: 365 });
    const click = await shop.click();

    await shop.send(checkoutCompleted({ click, at: new Date(Date.now() + 20 * day) }));

    expect(await read(shop)).toMatchObject([{ attributed: true }]);
  });

  it('is one conversion however often and under whatever event id it is told', async () => {
    const shop = await buildStripeShop(deps);
    const click = await shop.click();
    const options = { click, session: stripeId('cs_test'), paymentIntent: stripeId('pi') };
    const first = checkoutCompleted(options);

    await shop.send(first, first, checkoutCompleted(options));
    await Promise.all(
      (await shop.receive(checkoutCompleted(options), checkoutCompleted(options))).map(
        shop.process,
      ),
    );

    expect(await read(shop)).toHaveLength(1);
  });
});

describe('one payment under several ids', () => {
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

describe('renewals', () => {
  const january = new Date('2026-01-31T23:59:58Z');

  async function subscribed(terms: Parameters<typeof buildStripeShop>[1] = {}) {
    const shop = await buildStripeShop(deps, { recurring: true, ...terms });
    const ids = { subscription: stripeId('sub'), customer: stripeId('cus') };
    const click = await shop.click(new Date(january.getTime() - hour));
    const first = checkoutCompleted({
      ...ids,
      click,
      at: january,
      invoice: stripeId('in'),
      paymentIntent: null,
      amount: 2_000,
    });
    return { shop, ids, first };
  }

  it.each(stripeVersions)(
    'of version %s are credited to the partner of the first payment',
    async (version) => {
      const { shop, ids, first } = await subscribed();
      const [charge, paymentIntent] = [stripeId('ch'), stripeId('pi')];

      await shop.send(
        first,
        invoicePaid({
          ...ids,
          version,
          charge,
          paymentIntent,
          paidAt: new Date('2026-02-28T00:00:00Z'),
        }),
      );

      expect(await read(shop)).toMatchObject([
        { eventType: 'purchase' },
        { eventType: 'renewal', attributed: true, commission: { amountCents: 400 } },
      ]);
    },
  );

  it('are so whatever their metadata says', async () => {
    const { shop, ids, first } = await subscribed();
    const other = await buildParticipant(deps.db.manager, { program: shop.program });
    await buildPromoCode(deps.db.manager, other, { code: 'LATE' });

    await shop.send(first, invoicePaid({ ...ids, click: newId(), subscriptionClick: newId() }));

    const [, renewal] = await read(shop);
    expect(renewal).toMatchObject({ eventType: 'renewal', attributed: true });
    expect(await participantOf(renewal?.id)).toBe(shop.participant.id);
  });

  it('by customer, when the subscription is a new one', async () => {
    const { shop, ids, first } = await subscribed();

    await shop.send(first, invoicePaid({ customer: ids.customer, subscription: stripeId('sub') }));

    expect(await read(shop)).toMatchObject([{}, { eventType: 'renewal', attributed: true }]);
  });

  it('that came before the first payment are recorded when it comes', async () => {
    const { shop, ids, first } = await subscribed();
    const renewal = invoicePaid({ ...ids, paidAt: new Date('2026-02-28T00:00:00Z') });

    await shop.send(renewal);
    expect(await read(shop)).toEqual([]);
    await shop.send(first);

    expect(await read(shop)).toMatchObject([
      { eventType: 'purchase' },
      { eventType: 'renewal', commission: { amountCents: 400 } },
    ]);
    expect(await shop.statuses()).toEqual(['processed', 'processed']);
  });

  it('earn up to and including the boundary month', async () => {
    const { shop, ids, first } = await subscribed({ recurringMonths: 1 });
    const paid = (at: string) => invoicePaid({ ...ids, paidAt: new Date(at) });

    await shop.send(first, paid('2026-02-28T23:59:59Z'), paid('2026-03-01T00:00:00Z'));

    expect(await read(shop)).toMatchObject([
      { commission: { amountCents: 400 } },
      { attributed: true, commission: { amountCents: 400 } },
      { attributed: true, eventType: 'renewal', commission: null },
    ]);
  });

  it('are conversions without a commission when recurring is off', async () => {
    const { shop, ids, first } = await subscribed({ recurring: false });

    await shop.send(first, invoicePaid(ids));

    expect(await read(shop)).toMatchObject([{}, { attributed: true, commission: null }]);
  });

  it('do not earn for a partner who is suspended now', async () => {
    const { shop, ids, first } = await subscribed();
    await shop.send(first);
    await execute(deps.db.manager, `UPDATE participants SET status = 'suspended' WHERE id = $1`, [
      shop.participant.id,
    ]);

    await shop.send(invoicePaid(ids));

    expect(await read(shop)).toMatchObject([{}, { eventType: 'renewal', commission: null }]);
  });

  it('count their months from the first paid invoice after a trial', async () => {
    const shop = await buildStripeShop(deps, { recurring: true, recurringMonths: 1 });
    const ids = { subscription: stripeId('sub'), customer: stripeId('cus') };
    const click = await shop.click(new Date('2026-01-30T00:00:00Z'));
    const paid = (at: string) => invoicePaid({ ...ids, paidAt: new Date(at) });
    const trial = { ...ids, amount: 0, paymentIntent: null, invoice: stripeId('in') };

    await shop.send(
      checkoutCompleted({ ...trial, click, paymentStatus: 'no_payment_required' }),
      invoicePaid({ ...ids, invoice: trial.invoice, amount: 0 }),
    );
    expect(await read(shop)).toEqual([]);
    await shop.send(
      paid('2026-02-10T00:00:00Z'),
      paid('2026-03-31T00:00:00Z'),
      paid('2026-04-01T00:00:00Z'),
    );

    expect(await read(shop)).toMatchObject([
      { eventType: 'purchase', attributed: true, commission: { amountCents: 400 } },
      { eventType: 'renewal', commission: { amountCents: 400 } },
      { eventType: 'renewal', commission: null },
    ]);
  });

  it('know a first payment that was reported by API', async () => {
    const shop = await buildStripeShop(deps, { recurring: true });
    const ids = { subscription: stripeId('sub'), customer: stripeId('cus') };
    const paymentIntent = stripeId('pi');
    await recordConversion(
      deps.db.manager,
      { scope: shop.scope, now: new Date() },
      buildReport({
        externalTransactionId: paymentIntent,
        clickId: await shop.click(),
        amountCents: 2_000,
      }),
    );

    await shop.send(
      invoicePaid({ ...ids, version: oldShape, paymentIntent, charge: stripeId('ch') }),
      invoicePaid({ ...ids, paidAt: new Date(Date.now() + hour) }),
    );

    expect(await read(shop)).toMatchObject([
      {},
      { eventType: 'renewal', commission: { amountCents: 400 } },
    ]);
  });

  it('are renewals whatever reason their invoices tell', async () => {
    const { shop, ids, first } = await subscribed();
    const wrong = { ...ids, billingReason: 'subscription_create' };

    await shop.send(first, invoicePaid(wrong), invoicePaid(wrong));

    expect(await read(shop)).toMatchObject([
      { eventType: 'purchase' },
      { eventType: 'renewal' },
      { eventType: 'renewal' },
    ]);
  });

  it('of a payment that was not attributed are renewals too, judged by their own signals', async () => {
    const shop = await buildStripeShop(deps, { recurring: true });
    const ids = { subscription: stripeId('sub'), customer: stripeId('cus') };
    const next = { ...ids, paidAt: new Date(Date.now() + hour) };

    await shop.send(
      invoicePaid({ ...ids, subscriptionClick: newId() }),
      invoicePaid({ ...next, subscriptionClick: newId() }),
      invoicePaid(next),
    );

    expect(await read(shop)).toMatchObject([
      { eventType: 'purchase', reason: 'CLICK_NOT_FOUND' },
      { eventType: 'renewal', reason: 'CLICK_NOT_FOUND' },
    ]);
    expect(await read(shop)).toHaveLength(2);
  });

  it('are none for a one-off payment, which needs a signal of its own', async () => {
    const { shop, ids, first } = await subscribed();

    await shop.send(first, checkoutCompleted({ customer: ids.customer }));

    expect(await read(shop)).toHaveLength(1);
  });
});

describe('refunds, disputes and fees', () => {
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

async function participantOf(conversionId: string | undefined): Promise<string | undefined> {
  const rows = await deps.db.query<{ participant_id: string }[]>(
    'SELECT participant_id FROM conversions WHERE id = $1',
    [conversionId],
  );
  return rows[0]?.participant_id;
}
