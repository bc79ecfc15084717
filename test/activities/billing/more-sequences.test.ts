import { randomUUID } from 'node:crypto';
import { catchUpNext } from '../../../activities/billing/catch-up';
import { readDisputesNext } from '../../../activities/billing/disputes';
import { execute, query } from '../../../entities/database/sql';
import { systemActor } from '../../../entities/rules/values/actor';
import { useDeps } from '../../support/app';
import {
  paddleAdjustment,
  paddleDiscount,
  paddleId,
  paddleTransaction,
} from '../../support/billers/paddle';
import {
  polarOrder,
  polarOrderEvent,
  polarRefund,
  type PolarEvent,
  type PolarSale,
} from '../../support/billers/polar';
import { buildBillerShop, type BillerShop } from '../../support/billers/shop';
import { startBillerStandIn } from '../../support/billers/stand-in';
import { buildParticipant, buildPromoCode } from '../../support/build/programs';
import { conversionsOf } from '../../support/stripe/shop';

const deps = useDeps({ PADDLE_API_BASE: 'http://127.0.0.1:9' });
const db = () => deps.db.manager;
const day = 24 * 3_600_000;
const ago = (days: number): Date => new Date(Date.now() - days * day);
const read = (shop: BillerShop) => conversionsOf(db(), shop.scope);

/** Processes what is to be processed, as a worker does. */
async function processOpen(shop: BillerShop): Promise<void> {
  const rows = await query<{ id: string }>(
    db(),
    `SELECT id FROM stripe_events WHERE connection_id = $1 AND status = 'received'`,
    [shop.connectionId],
  );
  for (const { id } of rows) await shop.process(id);
}

describe('a discount is read on first payments alone', () => {
  it('Polar: a later order of a subscription that nobody brought', async () => {
    const shop = await buildBillerShop(deps, 'polar', { recurring: true });
    const { code } = await buildPromoCode(db(), shop.participant);
    const common = { customer: randomUUID(), subscription: randomUUID() };
    await shop.send(
      polarOrderEvent({ ...common, reason: 'subscription_create', paidAt: ago(40), at: ago(40) }),
      polarOrderEvent({
        ...common,
        code,
        reason: 'subscription_cycle',
        paidAt: ago(9),
        at: ago(9),
      }),
    );
    expect(await read(shop)).toEqual([]);
  });

  it('Paddle: a later transaction of a subscription that nobody brought', async () => {
    const shop = await buildBillerShop(deps, 'paddle', { recurring: true });
    const { code } = await buildPromoCode(db(), shop.participant);
    const discount = paddleId('dsc');
    const common = { customer: paddleId('ctm'), subscription: paddleId('sub') };
    await shop.send(
      paddleDiscount({ id: discount, code, at: ago(50) }),
      paddleTransaction({ ...common, paidAt: ago(40), at: ago(40) }),
      paddleTransaction({
        ...{ ...common, discount, origin: 'subscription_recurring' as const },
        ...{ paidAt: ago(9), at: ago(9) },
      }),
    );
    expect(await read(shop)).toEqual([]);
  });

  it('Polar: the first order that is known of a subscription that began before the connection', async () => {
    const shop = await buildBillerShop(deps, 'polar', { recurring: true });
    const { code } = await buildPromoCode(db(), shop.participant);
    const common = { customer: randomUUID(), subscription: randomUUID(), code };
    await shop.send(
      polarOrderEvent({ ...common, reason: 'subscription_cycle', paidAt: ago(9), at: ago(9) }),
    );
    expect(await read(shop)).toEqual([]);
  });

  it('Polar: a purchase of nothing in between begins no subscription', async () => {
    const shop = await buildBillerShop(deps, 'polar', { recurring: true });
    const { code } = await buildPromoCode(db(), shop.participant);
    const common = { customer: randomUUID(), subscription: randomUUID() };
    await shop.send(
      polarOrderEvent({ ...common, reason: 'subscription_create', paidAt: ago(70), at: ago(70) }),
      polarOrderEvent({
        ...{ ...common, code, net: 0, tax: 0, reason: 'subscription_cycle' as const },
        ...{ paidAt: ago(39), at: ago(39) },
      }),
      polarOrderEvent({ ...common, reason: 'subscription_cycle', paidAt: ago(9), at: ago(9) }),
    );
    expect(await read(shop)).toEqual([]);
  });
});

describe('texts of a discount count by when they were told', () => {
  const shopOfTwo = async () => {
    const shop = await buildBillerShop(deps, 'paddle');
    const other = await buildParticipant(db(), { program: shop.program });
    const mine = await buildPromoCode(db(), shop.participant);
    const theirs = await buildPromoCode(db(), other);
    return { shop, other, mine, theirs, discount: paddleId('dsc') };
  };

  it('an older text that comes last changes nothing', async () => {
    const { shop, other, mine, theirs, discount } = await shopOfTwo();
    await shop.send(
      paddleDiscount({ id: discount, code: theirs.code, at: ago(2) }),
      paddleDiscount({ id: discount, code: mine.code, at: ago(3) }),
      paddleTransaction({ discount, at: ago(1), paidAt: ago(1) }),
    );
    expect(await read(shop)).toMatchObject([{ participantId: other.id }]);
  });

  it('a sale has the text of its time, whenever sale, first text and second are told', async () => {
    for (const order of [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ] as const) {
      const { shop, mine, theirs, discount } = await shopOfTwo();
      const told = [
        paddleDiscount({ id: discount, code: mine.code, at: ago(3) }),
        paddleDiscount({ id: discount, code: theirs.code, at: ago(1) }),
        paddleTransaction({ discount, at: ago(2), paidAt: ago(2) }),
      ] as const;
      for (const n of order) {
        await shop.send(told[n]);
        await processOpen(shop);
      }
      expect(await read(shop)).toMatchObject([{ participantId: shop.participant.id }]);
    }
  });
});

it('Paddle: a lost and won chargeback after a partial refund leaves the refund', async () => {
  const shop = await buildBillerShop(deps, 'paddle');
  const transaction = paddleId('txn');
  const chargeback = paddleId('adj');
  await shop.send(
    paddleAdjustment({ transaction, subtotal: 2_500 }),
    paddleAdjustment({ transaction, action: 'chargeback_reverse', subtotal: 7_500 }),
    paddleTransaction({ id: transaction, click: await shop.click(ago(1)) }),
    paddleAdjustment({
      id: chargeback,
      transaction,
      action: 'chargeback',
      subtotal: 7_500,
      at: ago(1),
    }),
    paddleAdjustment({
      ...{ id: chargeback, transaction, action: 'chargeback' as const },
      ...{ status: 'reversed' as const, subtotal: 7_500 },
    }),
  );
  expect(await read(shop)).toMatchObject([
    { refundedCents: 2_500, commission: { amountCents: 1_500 } },
  ]);
});

describe('sequences that end right', () => {
  it('Polar: a code stays read when Polar deleted the discount', async () => {
    const shop = await buildBillerShop(deps, 'polar');
    const { code } = await buildPromoCode(db(), shop.participant);
    const common = { id: randomUUID(), customer: randomUUID() };
    await shop.send(
      polarOrderEvent({ ...common, code, paidAt: ago(3), at: ago(3) }),
      polarOrderEvent({
        ...common,
        refunded: 5_950,
        type: 'order.refunded',
        paidAt: ago(3),
        at: ago(1),
      }),
    );
    expect(await read(shop)).toMatchObject([{ commission: { amountCents: 1_000 } }]);
  });

  it('Polar: a refund that fails gives the commission back', async () => {
    const shop = await buildBillerShop(deps, 'polar');
    const common = {
      id: randomUUID(),
      customer: randomUUID(),
      click: await shop.click(ago(4)),
      paidAt: ago(3),
    };
    await shop.send(
      polarOrderEvent({ ...common, refunded: 11_900, type: 'order.refunded', at: ago(2) }),
      polarOrderEvent({ ...common, at: ago(3) }),
      polarOrderEvent({ ...common, type: 'order.updated', at: ago(1) }),
    );
    expect(await read(shop)).toMatchObject([
      { refundedCents: 0, commission: { amountCents: 2_000, status: 'pending' } },
    ]);
  });

  it('Paddle: two refunds and a chargeback of the rest, in any order', async () => {
    const shop = await buildBillerShop(deps, 'paddle');
    const transaction = paddleId('txn');
    await shop.send(
      paddleAdjustment({ transaction, action: 'chargeback', subtotal: 4_000 }),
      paddleAdjustment({ transaction, subtotal: 3_000 }),
      paddleTransaction({ id: transaction, click: await shop.click(ago(1)) }),
      paddleAdjustment({ transaction, subtotal: 3_000 }),
    );
    expect(await read(shop)).toMatchObject([{ commission: { amountCents: 0 } }]);
  });

  it('Paddle: a pending refund that is rejected takes nothing', async () => {
    const shop = await buildBillerShop(deps, 'paddle');
    const [transaction, id] = [paddleId('txn'), paddleId('adj')];
    await shop.send(
      paddleTransaction({ id: transaction, click: await shop.click(ago(1)) }),
      paddleAdjustment({ id, transaction, status: 'rejected', at: ago(0) }),
      paddleAdjustment({ id, transaction, status: 'pending_approval', at: ago(1) }),
    );
    expect(await read(shop)).toMatchObject([
      { refundedCents: 0, commission: { amountCents: 2_000 } },
    ]);
  });

  it('Polar: a trial with a code, then what is paid', async () => {
    const shop = await buildBillerShop(deps, 'polar', { recurring: true, recurringMonths: 2 });
    const { code } = await buildPromoCode(db(), shop.participant);
    const common = { customer: randomUUID(), subscription: randomUUID(), code };
    const cycle = (n: number) =>
      polarOrderEvent({
        ...common,
        code: null,
        reason: 'subscription_cycle',
        paidAt: ago(80 - 31 * n),
        period: ago(80 - 31 * n),
        at: ago(80 - 31 * n),
      });
    await shop.send(
      cycle(0),
      cycle(1),
      cycle(2),
      polarOrderEvent({
        ...common,
        net: 0,
        tax: 0,
        reason: 'subscription_create',
        paidAt: ago(87),
        period: ago(87),
        at: ago(87),
      }),
    );
    const earned = (await read(shop)).map(({ commission }) => commission?.amountCents ?? 0);
    expect(earned.filter((cents) => cents > 0)).toHaveLength(2);
  });
});

it.each([
  ['before it', 2.5],
  ['since', 0.5],
])(
  'Polar: a sale of before the connection that was refunded %s credits nobody',
  async (_when, refundedAgo) => {
    const vendor = await startBillerStandIn();
    Object.assign(deps.config, { polarApiBase: vendor.url });
    const shop = await buildBillerShop(deps, 'polar', { apiKey: 'polar_oat_1' });
    const click = await shop.click(ago(21));
    const order = polarOrder({
      id: randomUUID(),
      customer: randomUUID(),
      click,
      refunded: 100,
      paidAt: ago(20),
    });
    const none = { items: [], pagination: { max_page: 1 } };
    vendor.answers.set('GET /v1/orders', () => ({ body: none }));
    vendor.answers.set('GET /v1/disputes', () => ({ body: none }));
    vendor.answers.set('GET /v1/refunds', () => ({
      body: {
        items: [
          { id: randomUUID(), order_id: order.id, created_at: ago(refundedAgo).toISOString() },
        ],
        pagination: { max_page: 1 },
      },
    }));
    vendor.answers.set(`GET /v1/orders/${order.id}`, () => ({ body: order }));
    const place = `created_at = now() - interval '2 days', read_began_at = now() - interval '25 hours', read_until = now() - interval '2 days'`;
    await execute(db(), `UPDATE stripe_connections SET ${place} WHERE id = $1`, [
      shop.connectionId,
    ]);
    while ((await catchUpNext(deps, { actor: systemActor, now: new Date() })) > 0);
    await processOpen(shop);
    await vendor.close();
    expect(await read(shop)).toEqual([]);
  },
);

it('Polar: months count from the first payment, though it is first told a period later', async () => {
  const shop = await buildBillerShop(deps, 'polar', { recurring: true, recurringMonths: 2 });
  const common = { customer: randomUUID(), subscription: randomUUID() };
  const first = { ...common, id: randomUUID(), click: await shop.click(ago(94)) };
  const month = (n: number) => ago(93 - 31 * n);
  const cycle = (n: number) =>
    polarOrderEvent({
      ...{ ...common, period: month(n), paidAt: month(n), at: month(n) },
      reason: 'subscription_cycle',
    });
  await shop.send(
    polarOrderEvent({
      ...{ ...first, type: 'order.updated', reason: 'subscription_create' as const },
      ...{ paidAt: month(0), at: ago(50), period: month(1) },
    }),
    cycle(1),
    cycle(2),
  );
  const earned = (await read(shop)).map(({ commission }) => commission?.amountCents ?? 0);
  expect(earned.filter((cents) => cents > 0)).toHaveLength(2);
});

describe('what was sold before the connection is credited by bindings alone', () => {
  const ask = async (
    sold: Date,
    { bound, ...told }: PolarSale & { bound?: (click: string) => PolarEvent } = {},
  ) => {
    const vendor = await startBillerStandIn();
    Object.assign(deps.config, { polarApiBase: vendor.url });
    const shop = await buildBillerShop(deps, 'polar', { apiKey: 'polar_oat_1', recurring: true });
    if (bound) await shop.send(bound(await shop.click(ago(21))));
    const { code } = await buildPromoCode(db(), shop.participant);
    const order = polarOrder({
      ...{ id: randomUUID(), customer: randomUUID(), click: await shop.click(ago(21)), code },
      ...{ paidAt: sold, ...told },
    });
    const dispute = {
      ...{ id: randomUUID(), order_id: order.id, status: 'needs_response' },
      ...{ amount: 10_000, tax_amount: 1_900 },
    };
    const list = { items: [dispute], pagination: { max_page: 1 } };
    vendor.answers.set('GET /v1/disputes', () => ({ body: list }));
    vendor.answers.set(`GET /v1/orders/${order.id}`, () => ({ body: order }));
    await execute(db(), `UPDATE stripe_connections SET created_at = $2 WHERE id = $1`, [
      ...[shop.connectionId, ago(2)],
    ]);
    const cause = { actor: systemActor, now: new Date() };
    while ((await readDisputesNext(deps, cause, shop.connectionId)) > 0);
    await processOpen(shop);
    await shop.send(polarRefund(order.id));
    await vendor.close();
    return shop;
  };

  it('not by the click and the code of a sale that is read because it was disputed, or refunded', async () => {
    expect(await read(await ask(ago(20)))).toEqual([]);
  });

  it('while one that was sold since is read whole', async () => {
    const shop = await ask(ago(1));
    expect(await read(shop)).toMatchObject([{ participantId: shop.participant.id }]);
  });

  it('and a customer who is bound brings it to the partner', async () => {
    const customer = randomUUID();
    const shop = await ask(ago(20), {
      customer,
      bound: (at) => polarOrderEvent({ customer, click: at, paidAt: ago(20.5), at: ago(20.5) }),
    });
    expect(await read(shop)).toHaveLength(2);
  });
});
