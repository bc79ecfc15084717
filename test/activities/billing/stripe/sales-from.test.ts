import { systemActor } from '../../../../entities/rules/values/actor';
import { recordAll, recordOne, submissionOf } from '../../../../activities/conversions/record';
import { RowsLockedError } from '../../../../entities/database/errors';
import { transaction } from '../../../../entities/database/sql';
import { signUpCustomer } from '../../../../activities/purchases/sign-up';
import { useDeps } from '../../../support/app';
import { buildReport, recordConversion } from '../../../support/build/conversions';
import { buildParticipant, buildProgram, buildPromoCode } from '../../../support/build/programs';
import { inLanes } from '../../../support/permutations';
import {
  chargeRefunded,
  checkoutCompleted,
  invoicePaid,
  stripeId,
} from '../../../support/stripe/events';
import { buildStripeShop, conversionsOf, type StripeShop } from '../../../support/stripe/shop';

const deps = useDeps();

const hour = 3_600_000;
const now = new Date('2026-03-01T12:00:00Z');
const read = (shop: StripeShop) => conversionsOf(deps.db.manager, shop.scope);
const at = (hours: number): Date => new Date(now.getTime() + hours * hour);

interface Order {
  id?: string;
  amountCents?: number;
  currency?: string;
  hours?: number;
}

const reportOrder = (shop: StripeShop, clickId: string, order: Order = {}) =>
  recordConversion(
    deps.db.manager,
    { scope: shop.scope, now: at(order.hours ?? 0) },
    buildReport({
      externalTransactionId: order.id ?? stripeId('order'),
      amountCents: order.amountCents ?? 10_000,
      currency: order.currency ?? 'usd',
      occurredAt: at(order.hours ?? 0),
      clickId,
    }),
  );

const flagged = async (shop: StripeShop): Promise<boolean[]> =>
  (await read(shop)).map(
    ({ commission }) => commission?.reasons.includes('POSSIBLE_DUPLICATE') ?? false,
  );

describe('a sale that Stripe tells and the shop reports under an order id of its own', () => {
  const sale = { amount: 10_000, tax: 2_100, at: now };

  it.each([
    ['net', 10_000],
    ['with tax', 12_100],
  ])('holds back the one that comes later, with the sum %s', async (_name, amountCents) => {
    const shop = await buildStripeShop(deps, { holdDays: 0 });
    const clickId = await shop.click(at(-1));
    await shop.send(checkoutCompleted({ ...sale, click: clickId }));
    await reportOrder(shop, clickId, { amountCents, hours: 0.01 });

    const other = await buildStripeShop(deps, { holdDays: 0 });
    const otherClick = await other.click(at(-1));
    await reportOrder(other, otherClick, { amountCents, hours: -0.01 });
    await other.send(checkoutCompleted({ ...sale, click: otherClick }));

    for (const one of [shop, other]) {
      expect(await flagged(one)).toEqual([false, true]);
      const [first, second] = await read(one);
      // The second one is never approved by itself.
      expect([first?.commission?.status, second?.commission?.status]).toEqual([
        'approved',
        'pending',
      ]);
    }
  });

  it.each(['report first', 'event first'])(
    'holds back the later of two that the binding of the customer credits: %s',
    async (order) => {
      const shop = await buildStripeShop(deps, { holdDays: 0, recurring: true });
      const customer = stripeId('cus');
      const bound = { customerId: 'user-1', aliases: [customer] };
      const signals = { clickId: await shop.click(at(-2)), promoCode: null, prospect: null };
      const signUp = { ...bound, ...signals, occurredAt: at(-1) };
      const context = { scope: shop.scope, now: at(-1), actor: systemActor, requestId: undefined };
      await signUpCustomer(deps.db.manager, context, signUp);

      const event = checkoutCompleted({ ...sale, customer, reference: 'user-1' });
      const report = { ...buildReport({ customerId: 'user-1', occurredAt: now }), clickId: null };
      const own = { ...report, amountCents: sale.amount, currency: 'usd' };
      if (order === 'event first') await shop.send(event);
      await recordConversion(deps.db.manager, { scope: shop.scope, now: at(0.01) }, own);
      if (order === 'report first') await shop.send(event);

      const conversions = await read(shop);
      expect(conversions.map(({ participantId }) => participantId)).toEqual([
        shop.participant.id,
        shop.participant.id,
      ]);
      const reasons = conversions.map(({ commission }) => commission?.reasons);
      expect(reasons.filter((each) => each?.includes('POSSIBLE_DUPLICATE'))).toHaveLength(1);
    },
  );

  it('is not recorded beside the other, which is written and not committed yet', async () => {
    const shop = await buildStripeShop(deps, { holdDays: 0 });
    const clickId = await shop.click(at(-1));
    await reportOrder(shop, clickId, { amountCents: 500 });
    const told = { clickId, amountCents: 10_000, currency: 'usd', occurredAt: now };
    const { scope } = shop;
    const order = submissionOf({ scope, now }, buildReport(told));
    const record = async () => (await recordAll(deps.db.manager, [order]))[0];

    await transaction(deps.db.manager, async (tx) => {
      const report = { ...buildReport(told), source: 'stripe', occurredAt: now } as const;
      await recordOne(tx, { scope, now }, report);
      expect(await record()).toMatchObject({ error: expect.any(RowsLockedError) });
    });
    await record();
    expect((await flagged(shop)).toSorted()).toEqual([false, false, true]);
  });

  it('is not taken for one by another sum, currency, time, or from the same source', async () => {
    const shop = await buildStripeShop(deps, { acceptedCurrencies: ['eur'] });
    const clickId = await shop.click(at(-1));
    await shop.send(checkoutCompleted({ ...sale, click: clickId }));
    await inLanes(
      [{ amountCents: 9_999 }, { currency: 'eur' }, { hours: 49 }],
      async (order: Order) => {
        await reportOrder(shop, clickId, order);
      },
    );
    await shop.send(checkoutCompleted({ ...sale, click: clickId }));

    expect(await flagged(shop)).toEqual([false, false, false, false, false]);
  });

  it("is one conversion under Stripe's own id", async () => {
    const shop = await buildStripeShop(deps);
    const clickId = await shop.click(at(-1));
    const paymentIntent = stripeId('pi');
    await reportOrder(shop, clickId, { id: paymentIntent });
    await shop.send(checkoutCompleted({ ...sale, paymentIntent, click: clickId }));

    expect(await flagged(shop)).toEqual([false]);
  });
});

describe('a programme that takes its sales from reports by API', () => {
  it("makes no conversion of Stripe's payments, by click, code or renewal, and says so", async () => {
    const shop = await buildStripeShop(deps, { salesFrom: 'api', recurring: true });
    const clickId = await shop.click(at(-1));
    const ids = { customer: stripeId('cus'), subscription: stripeId('sub') };
    const first = stripeId('in');
    await reportOrder(shop, clickId, { id: first });
    await shop.send(
      checkoutCompleted({ click: clickId, at: now }),
      invoicePaid({ ...ids, invoice: first, paidAt: now }),
      invoicePaid({ ...ids, paidAt: at(24 * 31) }),
    );

    expect(await read(shop)).toHaveLength(1);
    expect(await shop.statuses()).toEqual(['ignored', 'processed', 'ignored']);
  });

  it('counts the refund of a payment that it knows', async () => {
    const shop = await buildStripeShop(deps, { salesFrom: 'api' });
    const [paymentIntent, charge] = [stripeId('pi'), stripeId('ch')];
    await reportOrder(shop, await shop.click(at(-1)), { id: paymentIntent });
    await shop.send(chargeRefunded({ charge, paymentIntent, refunded: 10_000 }));

    expect(await read(shop)).toMatchObject([{ commission: { status: 'refunded' } }]);
  });

  it('leaves the sale to the signal of another programme', async () => {
    const shop = await buildStripeShop(deps, { salesFrom: 'api' });
    const { workspaceId, mode } = shop.scope;
    const program = await buildProgram(deps.db.manager, { workspaceId, mode });
    const other = await buildParticipant(deps.db.manager, { program });
    const { code } = await buildPromoCode(deps.db.manager, other);
    const click = await shop.click(at(-1));
    const discounts = [{ promotion_code: { id: 'promo_1', code } }];
    await shop.send(checkoutCompleted({ click, at: now, object: { discounts } }));

    expect(await read(shop)).toMatchObject([{ participantId: other.id, attributed: true }]);
  });
});

describe('a programme that takes its sales from Stripe (programmes.md, Where sales come from)', () => {
  it('refuses reports by API, and keeps them', async () => {
    const shop = await buildStripeShop(deps, { salesFrom: 'stripe' });
    const conversion = await reportOrder(shop, await shop.click(at(-1)));

    expect(conversion).toMatchObject({
      attributed: false,
      reason: 'SALES_FROM_STRIPE',
      participantId: shop.participant.id,
      commission: null,
    });
  });

  it("earns once where the report named Stripe's payment, in either order", async () => {
    for (const order of ['report first', 'event first']) {
      const shop = await buildStripeShop(deps, { salesFrom: 'stripe' });
      const click = await shop.click(at(-1));
      const [paymentIntent, charge] = [stripeId('pi'), stripeId('ch')];
      const event = checkoutCompleted({ click, paymentIntent, at: now });
      if (order === 'report first') {
        await reportOrder(shop, click, { id: paymentIntent });
        await shop.send(event, event);
      } else {
        await shop.send(event);
        await expect(reportOrder(shop, click, { id: paymentIntent })).rejects.toThrow();
      }
      await shop.send(chargeRefunded({ charge, paymentIntent, refunded: 5_000 }));

      const conversions = await read(shop);
      const earned = conversions.filter(({ commission }) => commission !== null);
      expect(earned).toMatchObject([{ commission: { amountCents: 1_000 }, refundedCents: 5_000 }]);
      expect(earned[0]?.aliases).toEqual(expect.arrayContaining([paymentIntent, charge]));
      expect(conversions).toHaveLength(order === 'report first' ? 2 : 1);
    }
  });
});
