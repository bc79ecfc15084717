import { connectBiller } from '../../../../activities/billing/connection/connect';
import { awaitRead } from '../../../../activities/billing/events/pace';
import { execute, query } from '../../../../entities/database/sql';
import { countInbox } from '../../../../api/workspace/inbox.queries';
import { systemActor } from '../../../../entities/rules/values/actor';
import { buildClick } from '../../../support/build/clicks';
import { buildParticipant, buildPromoCode } from '../../../support/build/programs';
import {
  chargeRefunded,
  chargeSucceeded,
  checkoutCompleted,
  disputeClosed,
  invoicePaid,
  invoicePaymentPaid,
  refundCreated,
  stripeId,
} from '../../../support/stripe/events';
import { newShape, stripeFixture } from '../../../support/stripe/fixtures';
import { buildStripeShop, conversionsOf, type StripeShop } from '../../../support/stripe/shop';
import { useStripe } from '../../../support/stripe/suite';

const { deps, stripe } = useStripe();

const hour = 3_600_000;
const restrictedKey = 'rk_test_key';
const read = (shop: StripeShop) => conversionsOf(deps.db.manager, shop.scope);
const hourAgo = () => new Date(Date.now() - hour);
const clickOf = (shop: StripeShop) => shop.click(hourAgo());

/** A subscription's first payment whose invoice and payment intent no event joins. */
async function subscribed(shop: StripeShop, at = new Date()) {
  const ids = { customer: stripeId('cus'), subscription: stripeId('sub') };
  const [invoice, paymentIntent, charge] = [stripeId('in'), stripeId('pi'), stripeId('ch')];
  const events = [
    checkoutCompleted({
      ...ids,
      invoice,
      paymentIntent: null,
      click: await clickOf(shop),
      amount: 8_000,
      at,
    }),
    invoicePaid({ ...ids, invoice, at, amount: 8_000, billingReason: 'subscription_create' }),
  ];
  return { events, ids, invoice, paymentIntent, charge };
}

const joinedBy = (invoice: string, paymentIntent: string) => ({
  object: 'list',
  data: [{ id: 'inpay_1', status: 'paid', invoice, payment: { payment_intent: paymentIntent } }],
});

/** Has the events that wait processed again, as the relay and the workflow would. */
async function processAsked(shop: StripeShop): Promise<void> {
  const rows = await query<{ ref: string }>(
    deps.db.manager,
    `DELETE FROM outbox WHERE topic = 'stripe_event'
        AND payload ->> 'workspaceId' = $1 RETURNING ref::text AS ref`,
    [shop.scope.workspaceId],
  );
  for (const { ref } of rows) await shop.process(ref);
}

const putKey = (shop: StripeShop) =>
  connectBiller(
    deps,
    { scope: shop.scope, actor: systemActor, now: new Date() },
    { biller: 'stripe', key: 'rk_test_good', webhookSecret: 'whsec_of_the_test_shop' },
  );

describe('money that goes back from a subscription whose invoice names no charge', () => {
  it.each([
    [
      'a refund',
      (of: { charge: string; paymentIntent: string }) =>
        chargeRefunded({ ...of, amount: 8_000, refunded: 8_000 }),
    ],
    [
      'a refund object',
      (of: { charge: string; paymentIntent: string }) => refundCreated({ ...of, amount: 8_000 }),
    ],
    [
      'a lost dispute',
      (of: { charge: string; paymentIntent: string }) =>
        disputeClosed({ ...of, amount: 8_000, status: 'lost' as const }),
    ],
  ])('finds its sale through Stripe with a key: %s', async (_name, event) => {
    const shop = await buildStripeShop(deps, { restrictedKey });
    const { events, invoice, paymentIntent, charge } = await subscribed(shop);
    await shop.send(...events);
    stripe.set('/v1/invoice_payments', joinedBy(invoice, paymentIntent));
    stripe.calls.length = 0;

    await shop.send(event({ charge, paymentIntent }));

    expect(await read(shop)).toMatchObject([{ commission: { status: 'refunded' } }]);
    expect(stripe.calls[0]?.query.get('payment[payment_intent]')).toBe(paymentIntent);
  });

  it('waits without a key, and is taken up when one is put', async () => {
    const shop = await buildStripeShop(deps);
    const { events, invoice, paymentIntent, charge } = await subscribed(shop);
    await shop.send(
      ...events,
      chargeRefunded({ charge, paymentIntent, amount: 8_000, refunded: 8_000 }),
    );
    expect((await shop.statuses()).at(-1)).toBe('waiting');
    expect(await read(shop)).toMatchObject([{ commission: { amountCents: 1_600 } }]);
    const inInbox = async () => (await countInbox(deps.db.manager, shop.scope)).stripeFailures;
    expect(await inInbox()).toBe(0);
    await execute(
      deps.db.manager,
      `UPDATE stripe_events SET received_at = received_at - interval '25 hours'
        WHERE connection_id = $1`,
      [shop.connectionId],
    );
    expect(await inInbox()).toBe(1);

    stripe.set('/v1/invoice_payments', joinedBy(invoice, paymentIntent));
    await putKey(shop);
    await processAsked(shop);

    expect((await shop.statuses()).at(-1)).toBe('processed');
    expect(await read(shop)).toMatchObject([{ commission: { status: 'refunded' } }]);
  });

  it.each([
    ['a refund', chargeRefunded],
    ['a refund object', refundCreated],
    ['a dispute', disputeClosed],
  ])('waits for nothing when Stripe knows no invoice: %s', async (_name, event) => {
    const shop = await buildStripeShop(deps, { restrictedKey });
    const [paymentIntent, charge] = [stripeId('pi'), stripeId('ch')];
    const click = await clickOf(shop);
    await shop.send(
      chargeSucceeded({ charge, paymentIntent }),
      event({ charge, paymentIntent, amount: 10_000, refunded: 10_000, status: 'lost' } as never),
    );
    expect(await shop.statuses()).toEqual(['ignored', 'ignored']);

    // Should its checkout come late, what came back counts.
    await shop.send(checkoutCompleted({ paymentIntent, click }));
    expect(await read(shop)).toMatchObject([{ commission: { status: 'refunded' } }]);
    expect(await shop.statuses()).toEqual(['processed', 'processed', 'processed']);
  });

  it('waits on when the key may not ask for invoices', async () => {
    const shop = await buildStripeShop(deps, { restrictedKey });
    stripe.forbidden.add('/v1/invoice_payments');
    await shop.send(chargeRefunded({ charge: stripeId('ch'), paymentIntent: stripeId('pi') }));
    expect(await shop.statuses()).toEqual(['waiting']);
  });

  it('is joined without a key by invoice_payment.paid, before or after', async () => {
    for (const order of ['before', 'after']) {
      const shop = await buildStripeShop(deps);
      const { events, invoice, paymentIntent, charge } = await subscribed(shop);
      const join = invoicePaymentPaid({ invoice, paymentIntent });
      const refund = chargeRefunded({ charge, paymentIntent, amount: 8_000, refunded: 8_000 });
      await shop.send(...events, ...(order === 'before' ? [join, refund] : [refund, join]));

      expect(await read(shop)).toMatchObject([{ commission: { status: 'refunded' } }]);
      expect(await shop.statuses()).not.toContain('waiting');
    }
  });
});

describe('a sale by a promotion code that cannot be read', () => {
  const sale = () => {
    const paymentIntent = stripeId('pi');
    const session = stripeId('cs_test');
    return {
      paymentIntent,
      event: stripeFixture(
        newShape,
        'checkout.session.completed.promotion',
        {
          id: session,
          payment_intent: paymentIntent,
          customer: null,
        },
        { id: stripeId('evt') },
      ),
    };
  };
  const known = { id: 'promo_1SkPromoLy8aFfGhJk', object: 'promotion_code', code: 'ANNA10' };

  it.each([
    ['without a key', {}],
    ['with a key that may not', { restrictedKey: 'rk_test_revoked' }],
  ])('waits %s, says so, and counts once a good key is put', async (_name, terms) => {
    const shop = await buildStripeShop(deps, terms);
    await buildPromoCode(deps.db.manager, shop.participant, { code: 'ANNA10' });
    stripe.unknownKeys.add('rk_test_revoked');
    const { event, paymentIntent } = sale();
    await shop.send(event, chargeSucceeded({ charge: stripeId('ch'), paymentIntent }));
    expect(await read(shop)).toEqual([]);
    expect(await shop.statuses()).toEqual(['waiting', 'waiting']);

    stripe.set(`/v1/promotion_codes/${known.id}`, known);
    await putKey(shop);
    await processAsked(shop);

    expect(await read(shop)).toMatchObject([
      { attributed: true, participantId: shop.participant.id, amountCents: 10_800 },
    ]);
    expect(await shop.statuses()).toEqual(['processed', 'processed']);
  });

  it('is nothing of ours where no partner has a code, or Stripe knows it as none', async () => {
    const without = await buildStripeShop(deps);
    await without.send(sale().event);
    expect(await without.statuses()).toEqual(['ignored']);

    const shop = await buildStripeShop(deps, { restrictedKey });
    await buildPromoCode(deps.db.manager, shop.participant, { code: 'ANNA10' });
    await shop.send(sale().event);
    expect(await shop.statuses()).toEqual(['ignored']);
  });
});

describe("what is the merchant's own business", () => {
  it('costs no read at Stripe', async () => {
    const shop = await buildStripeShop(deps, { restrictedKey, recurring: true, basis: 'net' });
    for (let index = 0; index < 30; index += 1) {
      const ids = { customer: stripeId('cus'), subscription: stripeId('sub') };
      const [paymentIntent, charge] = [stripeId('pi'), stripeId('ch')];
      await shop.send(
        invoicePaid({ ...ids, billingReason: 'subscription_create' }),
        invoicePaid(ids),
        checkoutCompleted({ paymentIntent }),
        chargeSucceeded({ charge, paymentIntent, balanceTransaction: 'txn_1' }),
      );
    }
    expect(stripe.calls).toEqual([]);
  });

  it('is asked for when it turns out to be a renewal', async () => {
    const shop = await buildStripeShop(deps, { restrictedKey, recurring: true });
    const { events, ids, paymentIntent } = await subscribed(shop);
    const later = stripeId('in');
    const renewal = invoicePaid({ ...ids, invoice: later, paidAt: new Date(Date.now() + hour) });
    await shop.send(renewal);
    expect(stripe.calls).toEqual([]);

    stripe.set('/v1/invoice_payments', joinedBy(later, paymentIntent));
    await shop.send(events[0] as (typeof events)[0]);
    await processAsked(shop);

    expect(await read(shop)).toMatchObject([
      { eventType: 'purchase' },
      { eventType: 'renewal', aliases: [later, paymentIntent].sort() },
    ]);
  });

  it('is read with a rest between two reads', async () => {
    const shop = await buildStripeShop(deps, { restrictedKey });
    const begun = performance.now();
    await Promise.all(
      Array.from({ length: 5 }, () => awaitRead(deps.db.manager, shop.connectionId, 60)),
    );
    expect(performance.now() - begun).toBeGreaterThanOrEqual(4 * 60 - 5);
  });
});

describe('a payment intent whose metadata names a click (payments.md, What is a sale)', () => {
  const metadata = (click: string) => ({
    metadata: { aff_click_id: click },
    customer: 'cus_direct',
  });

  it('is a sale by its charge, and its refund is one', async () => {
    const shop = await buildStripeShop(deps);
    const [paymentIntent, charge] = [stripeId('pi'), stripeId('ch')];
    const object = metadata(await clickOf(shop));
    await shop.send(
      chargeSucceeded({ charge, paymentIntent, object }),
      chargeRefunded({ charge, paymentIntent, refunded: 5_000, object }),
    );
    // A checkout may have made it, and speaks first.
    expect(await read(shop)).toEqual([]);
    await shop.followUp(new Date(Date.now() + 11 * 60_000));

    expect(await read(shop)).toMatchObject([
      {
        externalTransactionId: paymentIntent,
        amountCents: 10_000,
        commission: { amountCents: 1_000 },
      },
    ]);
  });

  it('is none while nothing was captured', async () => {
    const shop = await buildStripeShop(deps);
    const object = metadata(await clickOf(shop));
    await shop.send(chargeSucceeded({ charge: stripeId('ch'), captured: 0, object }));
    expect(await read(shop)).toEqual([]);
  });

  it('has the base of its checkout where one made it, in either order', async () => {
    for (const order of ['charge first', 'checkout first']) {
      const shop = await buildStripeShop(deps);
      const [paymentIntent, charge] = [stripeId('pi'), stripeId('ch')];
      const click = await clickOf(shop);
      const events = [
        chargeSucceeded({ charge, paymentIntent, amount: 12_100, object: metadata(click) }),
        checkoutCompleted({ paymentIntent, click, amount: 10_000, tax: 2_100 }),
      ];
      await shop.send(...(order === 'charge first' ? events : events.reverse()));

      expect(await read(shop)).toMatchObject([
        { amountCents: 10_000, commission: { amountCents: 2_000 } },
      ]);
    }
  });
});

describe('the base of a payment (payments.md, Amounts)', () => {
  it('is what its invoice leaves after credit, whichever of session and invoice came first', async () => {
    for (const order of ['session first', 'invoice first']) {
      const shop = await buildStripeShop(deps);
      const { ids, invoice } = await subscribed(shop);
      const click = await clickOf(shop);
      const events = [
        checkoutCompleted({ ...ids, invoice, paymentIntent: null, click, amount: 10_000 }),
        invoicePaid({
          ...ids,
          invoice,
          amount: 10_000,
          amountPaid: 4_000,
          subscriptionClick: click,
          billingReason: 'subscription_create',
        }),
      ];
      await shop.send(...(order === 'session first' ? events : events.reverse()));

      const [conversion, ...others] = await read(shop);
      expect(others).toEqual([]);
      expect(conversion).toMatchObject({ amountCents: 4_000, commission: { amountCents: 800 } });
      expect(await ledgerOf(conversion?.commission?.id)).toBe(800);
      // The figures follow: what is to be counted is the corrected sum.
      const [revenue] = await query<{ sum: number }>(
        deps.db.manager,
        `SELECT sum(value)::bigint AS sum FROM analytics_facts
          WHERE workspace_id = $1 AND measure = 'revenue:usd'`,
        [shop.scope.workspaceId],
      );
      expect(revenue?.sum).toBe(4_000);
    }
  });
});

async function ledgerOf(commissionId: string | undefined): Promise<number | undefined> {
  const [row] = await query<{ sum: number }>(
    deps.db.manager,
    'SELECT sum(amount_cents)::bigint AS sum FROM ledger_entries WHERE commission_id = $1',
    [commissionId],
  );
  return row?.sum;
}

describe('a payment that was judged', () => {
  it('is not judged anew by a refund, when its code is a partner’s by then', async () => {
    const shop = await buildStripeShop(deps);
    const [paymentIntent, charge] = [stripeId('pi'), stripeId('ch')];
    const discounts = [{ promotion_code: { id: 'promo_1', code: 'SUMMER20' } }];
    const sale = checkoutCompleted({ paymentIntent, object: { discounts } });
    await shop.send(sale);
    await buildPromoCode(deps.db.manager, shop.participant, { code: 'SUMMER20' });

    await shop.send(chargeRefunded({ charge, paymentIntent, refunded: 1_000 }));
    expect(await read(shop)).toEqual([]);
    expect(await shop.statuses()).toEqual(['ignored', 'ignored']);

    // A replay is somebody's wish.
    const [first] = await query<{ id: string }>(
      deps.db.manager,
      `UPDATE stripe_events SET status = 'received'
        WHERE connection_id = $1 AND stripe_event_id = $2 RETURNING id`,
      [shop.connectionId, sale.id],
    );
    await shop.process(first?.id ?? '');
    expect(await read(shop)).toMatchObject([{ attributed: true, refundedCents: 1_000 }]);
  });
});

describe("Stripe's word that no checkout made an invoice", () => {
  it('is not believed before the invoice is two minutes old', async () => {
    let now = new Date();
    const clocked = { ...deps, clock: { now: () => now } };
    const shop = await buildStripeShop(clocked, { restrictedKey, recurring: true });
    // A minute earlier: what is paid a second after another is no earlier payment to it.
    const { events, ids } = await subscribed(shop, new Date(now.getTime() - 60_000));
    await shop.send(...events);
    const click = await clickOf(shop);
    const second = { customer: ids.customer, subscription: stripeId('sub') };
    const invoice = stripeId('in');
    const session = checkoutCompleted({
      ...second,
      invoice,
      paymentIntent: null,
      reference: click,
    });
    stripe.lists.set(second.subscription, []);
    await shop.send(
      invoicePaid({ ...second, invoice, billingReason: 'subscription_create', paidAt: now }),
    );
    expect((await shop.statuses()).at(-1)).toBe('waiting');

    // The list knows it a moment later; its event is still on its way.
    stripe.lists.set(second.subscription, [session.data.object]);
    now = new Date(now.getTime() + 121_000);
    await shop.followUp(now);
    await processAsked(shop);

    expect((await read(shop)).map(({ eventType }) => eventType)).toEqual(['purchase', 'purchase']);
  });

  it.each([
    ['the checkout names its own click', true],
    ['there is no checkout', false],
  ])("leaves the subscription's click waiting until then: %s", async (_name, hasCheckout) => {
    let now = new Date();
    const shop = await buildStripeShop({ ...deps, clock: { now: () => now } }, { restrictedKey });
    const rival = await buildParticipant(deps.db.manager, { program: shop.program });
    const own = await buildClick(deps.db.manager, { participant: rival, at: hourAgo() });
    const ids = { customer: stripeId('cus'), subscription: stripeId('sub') };
    const invoice = stripeId('in');
    stripe.lists.set(ids.subscription, []);
    await shop.send(
      invoicePaid({
        ...ids,
        invoice,
        paidAt: now,
        subscriptionClick: await clickOf(shop),
        billingReason: 'subscription_create',
      }),
    );
    expect(await shop.statuses()).toEqual(['waiting']);

    const session = checkoutCompleted({ ...ids, invoice, paymentIntent: null, click: own.id });
    if (hasCheckout) stripe.lists.set(ids.subscription, [session.data.object]);
    now = new Date(now.getTime() + 121_000);
    await shop.followUp(now);
    await processAsked(shop);

    const credited = hasCheckout ? rival.id : shop.participant.id;
    expect(await read(shop)).toMatchObject([{ eventType: 'purchase', participantId: credited }]);
    expect(await shop.statuses()).toEqual(['processed']);
  });
});
