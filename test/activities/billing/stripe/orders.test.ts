import { followUpPayment } from '../../../../activities/billing/payments/follow-up';
import { query } from '../../../../entities/database/sql';
import { processorActor } from '../../../../entities/rules/values/actor';
import { buildClick } from '../../../support/build/clicks';
import { buildParticipant } from '../../../support/build/programs';
import { inLanes, permutations } from '../../../support/permutations';
import {
  chargeSucceeded,
  checkoutCompleted,
  invoicePaid,
  invoicePaymentPaid,
  stripeId,
} from '../../../support/stripe/events';
import type { StripeTestEvent } from '../../../support/stripe/fixtures';
import { buildStripeShop, conversionsOf } from '../../../support/stripe/shop';
import { useStripe } from '../../../support/stripe/suite';
import { isNightly } from '../../../support/run/nightly';

const { deps, stripe } = useStripe();

const minute = 60_000;
const january = new Date('2026-01-31T10:00:00Z');
const february = new Date('2026-02-28T10:00:00Z');
const june = new Date('2026-06-01T10:00:00Z');
const before = (at: Date): Date => new Date(at.getTime() - 60 * minute);

/** `npm test` takes each second one of the orders of four events, `npm run test:nightly` all. */
const orders = permutations([0, 1, 2, 3]).filter((_, index) => isNightly || index % 2 === 0);

interface Sale {
  recurring: boolean;
  restrictedKey?: string;
  /** Where the second subscription carries the click of the other partner. */
  signal: 'reference' | 'none';
}

/** A shop with two partners. */
async function buildShop({ recurring, restrictedKey }: Sale) {
  const terms = {
    recurring,
    recurringMonths: recurring ? 12 : null,
    ...(restrictedKey ? { restrictedKey } : {}),
  };
  const shop = await buildStripeShop(deps, terms);
  const other = await buildParticipant(deps.db.manager, { program: shop.program });
  const clickA = await shop.click(before(january));
  const clickB = (await buildClick(deps.db.manager, { participant: other, at: before(june) })).id;
  return { shop, other, clickA, clickB };
}

async function build(sale: Sale) {
  const built = await buildShop(sale);
  return { ...built, ...story(built, sale) };
}

/** A customer whom one partner brought in January, and another one in June. */
function story({ clickA, clickB }: { clickA: string; clickB: string }, { signal }: Sale) {
  const customer = stripeId('cus');
  const [subA, subB, invoiceB] = [stripeId('sub'), stripeId('sub'), stripeId('in')];
  const paid = { paymentIntent: null, amount: 2_000, customer };
  const sessionB = checkoutCompleted({
    ...paid,
    subscription: subB,
    invoice: invoiceB,
    at: june,
    ...(signal === 'none' ? {} : { reference: clickB }),
  });
  const events: [StripeTestEvent, StripeTestEvent, StripeTestEvent, StripeTestEvent] = [
    checkoutCompleted({
      ...paid,
      subscription: subA,
      invoice: stripeId('in'),
      click: clickA,
      at: january,
    }),
    invoicePaid({ customer, subscription: subA, paidAt: february }),
    sessionB,
    invoicePaid({
      customer,
      subscription: subB,
      invoice: invoiceB,
      paidAt: june,
      billingReason: 'subscription_create',
    }),
  ];
  return { customer, events, sessionB: sessionB.data.object };
}

describe('a second subscription of a customer whom another partner brought in', () => {
  it.each<Sale>([
    { recurring: true, signal: 'reference' },
    { recurring: false, signal: 'reference' },
    { recurring: true, signal: 'none' },
    { recurring: true, signal: 'reference', restrictedKey: 'rk_test_key' },
    { recurring: true, signal: 'none', restrictedKey: 'rk_test_key' },
  ])('is credited alike in every order: %j', async (sale) => {
    const built = await buildShop(sale);
    const { shop, other } = built;
    const renewal = `first renewal ${sale.recurring ? 400 : 0}`;
    const last = sale.signal === 'reference' ? 'second purchase 400' : renewal;
    const names = new Map([
      [shop.participant.id, 'first'],
      [other.id, 'second'],
    ]);

    await inLanes(orders, async (order) => {
      const { customer, events, sessionB } = story(built, sale);
      stripe.lists.set(String(sessionB['subscription']), [sessionB]);
      for (const index of order) {
        for (const id of await shop.receive(events[index] as StripeTestEvent)) {
          await shop.process(id);
        }
        await shop.followUp(new Date(), customer);
      }
      await shop.followUp(new Date(Date.now() + 11 * minute), customer);

      const conversions = await conversionsOf(deps.db.manager, shop.scope, customer);
      const seen = conversions.map(({ participantId, eventType, commission }) =>
        [names.get(participantId ?? ''), eventType, commission?.amountCents ?? 0].join(' '),
      );
      expect({ order, seen }).toEqual({ order, seen: ['first purchase 400', renewal, last] });
    });
  });
});

describe('the first invoice of a subscription that only the customer would make a renewal', () => {
  it('waits for ten minutes without a key, then it is one', async () => {
    const { shop, events } = await build({ recurring: true, signal: 'none' });
    const [first, , , invoice] = events;
    await shop.send(first, invoice);
    expect(await shop.statuses()).toEqual(['processed', 'waiting']);
    await shop.followUp(new Date(Date.now() + 9 * minute));
    expect(await shop.statuses()).toEqual(['processed', 'waiting']);

    await shop.followUp(new Date(Date.now() + 11 * minute));
    expect(await shop.statuses()).toEqual(['processed', 'processed']);
    expect(await conversionsOf(deps.db.manager, shop.scope)).toMatchObject([
      {},
      { eventType: 'renewal', participantId: shop.participant.id },
    ]);
  });

  it('waits in the name of its charge, when that came before and the two turn out to be one', async () => {
    const { shop, events } = await build({ recurring: true, signal: 'none' });
    const [first, , , invoice] = events;
    const paymentIntent = stripeId('pi');
    const joined = { invoice: String(invoice.data.object['id']), paymentIntent };
    const charged = chargeSucceeded({ charge: stripeId('ch'), paymentIntent });
    await shop.send(first, charged, invoice, invoicePaymentPaid(joined));
    expect(await conversionsOf(deps.db.manager, shop.scope)).toHaveLength(1);

    await shop.followUp(new Date(Date.now() + 11 * minute));
    expect(await conversionsOf(deps.db.manager, shop.scope)).toMatchObject([
      {},
      { eventType: 'renewal', participantId: shop.participant.id },
    ]);
  });

  it('is followed up by work of release 0.1.0 too, which names the row alone', async () => {
    const { shop, events } = await build({ recurring: true, signal: 'none' });
    const [first, , , invoice] = events;
    await shop.send(first, invoice);
    const { workspaceId } = shop.scope;
    const rows = await query<{ paymentId: string }>(
      deps.db.manager,
      `DELETE FROM outbox WHERE topic = 'stripe_payment' AND workspace_id = $1
        RETURNING ref::text AS "paymentId"`,
      [workspaceId],
    );
    const cause = { actor: processorActor, now: new Date(Date.now() + 11 * minute) };
    const stores = { db: deps.db.manager, vault: deps.vault };
    for (const { paymentId } of rows)
      await followUpPayment(stores, cause, { workspaceId, paymentId });

    expect(rows).toHaveLength(1);
    expect(await shop.statuses()).toEqual(['processed', 'processed']);
  });

  it('is decided at once with a key, when no checkout made it', async () => {
    const sale = { recurring: true, restrictedKey: 'rk_test_key', signal: 'none' } as const;
    const { shop, events } = await build(sale);
    const [first, , , invoice] = events;
    await shop.send(first, invoice);

    expect(await shop.statuses()).toEqual(['processed', 'processed']);
  });

  it("takes the checkout's own click before that of the subscription, with a key", async () => {
    const sale = { recurring: true, restrictedKey: 'rk_test_key', signal: 'reference' } as const;
    const { shop, other, events, sessionB } = await build(sale);
    stripe.lists.set(String(sessionB['subscription']), [sessionB]);
    const invoice = events[3];
    const details = { metadata: { aff_click_id: await shop.click(before(june)) } };
    const parent = {
      type: 'subscription_details',
      subscription_details: { ...details, subscription: sessionB['subscription'] },
    };
    await shop.send({ ...invoice, data: { object: { ...invoice.data.object, parent } } });

    expect(await conversionsOf(deps.db.manager, shop.scope)).toMatchObject([
      { eventType: 'purchase', participantId: other.id },
    ]);
  });

  it.each([
    ['tells of its charge', false],
    ['joins it to a charge that came before', true],
  ])('still waits for its checkout, with a key, when an event %s', async (_name, isCharged) => {
    const sale = { recurring: true, restrictedKey: 'rk_test_key', signal: 'reference' } as const;
    const { shop, other, clickB } = await buildShop(sale);
    const [invoice, subscription, paymentIntent] = [
      stripeId('in'),
      stripeId('sub'),
      stripeId('pi'),
    ];
    const metadata = { aff_click_id: await shop.click(before(june)) };
    const parent = {
      type: 'subscription_details',
      subscription_details: { metadata, subscription },
    };
    const paid = invoicePaid({
      ...{ invoice, subscription, customer: stripeId('cus'), paidAt: new Date() },
      billingReason: 'subscription_create',
    });
    Object.assign(paid.data.object, { parent });
    const charged = chargeSucceeded({ charge: stripeId('ch'), paymentIntent });
    if (isCharged) await shop.send(charged);
    const [eventId = ''] = await shop.receive(paid);
    await shop.process(eventId);
    await shop.send(invoicePaymentPaid({ invoice, paymentIntent }));
    expect(await conversionsOf(deps.db.manager, shop.scope)).toHaveLength(0);

    const session = checkoutCompleted({
      ...{ subscription, invoice, reference: clickB, at: new Date(), paymentIntent: null },
    });
    stripe.lists.set(subscription, [session.data.object]);
    await shop.followUp(new Date(Date.now() + 3 * minute));
    await shop.process(eventId);

    expect(await conversionsOf(deps.db.manager, shop.scope)).toMatchObject([
      { eventType: 'purchase', participantId: other.id },
    ]);
  });
});
