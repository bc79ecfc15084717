import { randomUUID } from 'node:crypto';
import { catchUpNext } from '../../../activities/billing/catch-up';
import { stripeFigures } from '../../../activities/figures/stripe';
import { execute, query } from '../../../entities/database/sql';
import { systemActor } from '../../../entities/rules/values/actor';
import { useDeps } from '../../support/app';
import { paddleTransaction, type PaddleEvent } from '../../support/billers/paddle';
import { polarOrder, polarOrderEvent } from '../../support/billers/polar';
import { buildBillerShop, type BillerShop } from '../../support/billers/shop';
import { startBillerStandIn, type BillerStandIn } from '../../support/billers/stand-in';
import { checkoutCompleted } from '../../support/stripe/events';
import { buildStripeShop, conversionsOf } from '../../support/stripe/shop';
import { startStripeStandIn, type StripeStandIn } from '../../support/stripe/stand-in';

let vendor: BillerStandIn;
let stripe: StripeStandIn;
const deps = useDeps();
const hour = 3_600_000;

beforeAll(async () => {
  vendor = await startBillerStandIn();
  stripe = await startStripeStandIn();
  Object.assign(deps.config, { paddleApiBase: vendor.url, polarApiBase: vendor.url });
  Object.assign(deps.config, { stripeApiBase: stripe.url });
});
afterAll(async () => {
  await vendor.close();
  await stripe.close();
});
beforeEach(() => {
  vendor.reset();
  stripe.reset();
});

/** The next day's reading, to its end; gives what it has to book. */
async function readDaily(
  { connectionId }: Pick<BillerShop, 'connectionId'>,
  { connectedDaysAgo = 2 } = {},
): Promise<string[]> {
  const db = deps.db.manager;
  const place = `created_at = now() - interval '${connectedDaysAgo} days', read_began_at = now() - interval '25 hours', read_until = now() - interval '25 hours'`;
  await execute(db, `UPDATE stripe_connections SET ${place} WHERE id = $1`, [connectionId]);
  const cause = { actor: systemActor, now: new Date() };
  while ((await catchUpNext(deps, cause)) > 0);
  const rows = await query<{ id: string }>(
    db,
    `SELECT id FROM stripe_events WHERE connection_id = $1 AND recovered AND status = 'received'`,
    [connectionId],
  );
  return rows.map(({ id }) => id);
}

/** Paddle's list of these events, oldest first, in pages as its reference has them. */
function listAtPaddle(events: readonly PaddleEvent[], size: number): void {
  vendor.answers.set('GET /events', ({ query: asked }) => {
    const inOrder = asked.get('order_by') === 'id[ASC]' ? events : events.toReversed();
    const after = asked.get('after');
    const from = inOrder.findIndex(({ event_id }) => event_id === after) + 1;
    const meta = { pagination: { has_more: from + size < inOrder.length } };
    return { body: { data: inOrder.slice(from, from + size), meta } };
  });
}

/** The figures that the alarm of lost webhooks reads. */
async function recoveredOf(biller: string): Promise<number | undefined> {
  const samples = await stripeFigures.read(deps.db.manager, { now: new Date(), clickMonths: 0 });
  const mine = samples.find(
    ({ name, labels }) => name === 'biller_events_recovered' && labels?.['biller'] === biller,
  );
  return mine?.value;
}

describe('a day on which every tenth webhook is lost (billers.md, What no webhook brought)', () => {
  it('misses nothing at Paddle the day after', async () => {
    const shop = await buildBillerShop(deps, 'paddle', { apiKey: 'pdl_sdbx_apikey_1' });
    const click = await shop.click(new Date(Date.now() - 48 * hour));
    const events = Array.from({ length: 20 }, (_, n) =>
      paddleTransaction({ click, at: new Date(Date.now() - (20 - n) * 60_000) }),
    );
    const told = events.filter((_, n) => n % 10 !== 9);
    await shop.send(...told);
    listAtPaddle(events, 8);
    const booked = await readDaily(shop);
    expect(booked).toHaveLength(2);
    for (const id of booked) await shop.process(id);
    expect(await conversionsOf(deps.db.manager, shop.scope)).toHaveLength(20);
    expect(await recoveredOf('paddle')).toBe(2);
    expect(await readDaily(shop)).toEqual([]);
  });

  it('misses nothing at Polar, which names no events', async () => {
    const shop = await buildBillerShop(deps, 'polar', { apiKey: 'polar_oat_1' });
    const click = await shop.click(new Date(Date.now() - 48 * hour));
    const sales = Array.from({ length: 10 }, (_, n) => ({
      ...{ id: randomUUID(), customer: randomUUID(), click },
      paidAt: new Date(Date.now() - (10 - n) * 60_000),
    }));
    await shop.send(
      ...sales.slice(0, 9).map((sale) => polarOrderEvent({ ...sale, at: sale.paidAt })),
    );
    const items = sales.map((sale) => polarOrder(sale));
    vendor.answers.set('GET /v1/orders', ({ query: asked }) => {
      const page = Number(asked.get('page'));
      const body = {
        items: items.slice((page - 1) * 5, page * 5),
        pagination: { total_count: items.length, max_page: 2 },
      };
      return { body };
    });
    const booked = await readDaily(shop);
    expect(booked).toHaveLength(1);
    for (const id of booked) await shop.process(id);
    expect(await conversionsOf(deps.db.manager, shop.scope)).toHaveLength(10);
    expect(await recoveredOf('polar')).toBe(1);
    expect(await readDaily(shop)).toEqual([]);
  });

  it('misses nothing at Stripe', async () => {
    const shop = await buildStripeShop(deps, { restrictedKey: 'rk_test_1' });
    const click = await shop.click(new Date(Date.now() - 48 * hour));
    const events = Array.from({ length: 10 }, (_, n) =>
      checkoutCompleted({ click, at: new Date(Date.now() - (10 - n) * 60_000) }),
    );
    await shop.send(...events.slice(0, 9));
    stripe.events.push(...events);
    const booked = await readDaily(shop);
    expect(booked).toHaveLength(1);
    for (const id of booked) await shop.process(id);
    expect(await conversionsOf(deps.db.manager, shop.scope)).toHaveLength(10);
    expect(await recoveredOf('stripe')).toBe(1);
    expect(await readDaily(shop)).toEqual([]);
  });
});

describe('an order that Polar is paid for weeks after it was made (billers.md, What no webhook brought)', () => {
  it.each([
    [30, 1],
    [2, 0],
  ])(
    'is read the day after its webhook was lost, with a connection of %s days: %s is booked',
    async (connectedDaysAgo, booked) => {
      const shop = await buildBillerShop(deps, 'polar', { apiKey: 'polar_oat_1' });
      const click = await shop.click(new Date(Date.now() - 21 * 24 * hour));
      const paidAt = new Date(Date.now() - 20 * 24 * hour);
      const order = polarOrder({ id: randomUUID(), customer: randomUUID(), click, paidAt });
      vendor.answers.set('GET /v1/orders', ({ query: asked }) => {
        const isListed = paidAt.toISOString() > (asked.get('created_after') ?? '');
        return { body: { items: isListed ? [order] : [], pagination: { max_page: 1 } } };
      });
      expect(await readDaily(shop, { connectedDaysAgo })).toHaveLength(booked);
    },
  );
});

it('a refund that a bank was busy with for a week is read the day after its webhook was lost', async () => {
  const shop = await buildBillerShop(deps, 'polar', { apiKey: 'polar_oat_1' });
  const ago = (days: number): Date => new Date(Date.now() - days * 24 * hour);
  const sale = { id: randomUUID(), customer: randomUUID(), click: await shop.click(ago(41)) };
  await shop.send(polarOrderEvent({ ...sale, paidAt: ago(40), at: ago(40) }));
  const order = polarOrder({ ...sale, paidAt: ago(40), refunded: 5_950 });
  const refund = { id: randomUUID(), order_id: sale.id, created_at: ago(9).toISOString() };
  const items = [
    { ...refund, modified_at: ago(0.5).toISOString() },
    { id: randomUUID(), order_id: randomUUID(), created_at: ago(9.5).toISOString() },
  ];
  vendor.answers.set('GET /v1/refunds', () => ({ body: { items, pagination: { max_page: 1 } } }));
  vendor.answers.set(`GET /v1/orders/${sale.id}`, () => ({ body: order }));
  const [id = ''] = await readDaily(shop, { connectedDaysAgo: 60 });
  await shop.process(id);
  expect(await conversionsOf(deps.db.manager, shop.scope)).toMatchObject([
    { refundedCents: 5_000 },
  ]);
});

describe('a list of several pages (billers.md, What no webhook brought)', () => {
  const minutesAgo = (n: number): Date => new Date(Date.now() - n * 60_000);
  const objectsOf = async (ids: readonly string[]): Promise<string[]> => {
    const rows = await query<{ objectId: string }>(
      deps.db.manager,
      'SELECT object_id AS "objectId" FROM stripe_events WHERE id = ANY ($1) ORDER BY id',
      [ids],
    );
    return rows.map(({ objectId }) => objectId);
  };

  it('is taken in oldest first at Paddle', async () => {
    const shop = await buildBillerShop(deps, 'paddle', { apiKey: 'pdl_sdbx_apikey_1' });
    const events = [5, 4, 3, 2, 1].map((n) => paddleTransaction({ at: minutesAgo(n) }));
    listAtPaddle(events, 2);
    expect(await objectsOf(await readDaily(shop))).toEqual(events.map(({ data }) => data.id));
  });

  it('is taken in oldest first at Stripe', async () => {
    const shop = await buildStripeShop(deps, { restrictedKey: 'rk_test_1' });
    const events = [5, 4, 3, 2, 1].map((n) => checkoutCompleted({ at: minutesAgo(n) }));
    stripe.events.push(...events.toReversed());
    const ids = await objectsOf(await readDaily(shop));
    expect(ids).toEqual(events.map(({ data }) => data.object.id));
  });
});
