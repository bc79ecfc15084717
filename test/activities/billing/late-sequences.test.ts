import { randomUUID } from 'node:crypto';
import { catchUpNext } from '../../../activities/billing/catch-up';
import { connectBiller, disconnectBiller } from '../../../activities/billing/connection/connect';
import {
  ensureConnection,
  findConnection,
} from '../../../activities/billing/connection/connection';
import { eraseCustomer } from '../../../activities/erasure/customers/customers';
import { execute, query, queryOne } from '../../../entities/database/sql';
import { processorActor, systemActor } from '../../../entities/rules/values/actor';
import { useDeps } from '../../support/app';
import {
  paddleDiscount,
  paddleId,
  paddleSecret,
  paddleSubscription,
  paddleTransaction,
  type PaddleEvent,
} from '../../support/billers/paddle';
import { polarOrder, polarOrderEvent, type PolarSale } from '../../support/billers/polar';
import { buildBillerShop, type BillerShop } from '../../support/billers/shop';
import { startBillerStandIn, type BillerStandIn } from '../../support/billers/stand-in';
import { buildCustomer } from '../../support/build/customers';
import { buildParticipant, buildPromoCode } from '../../support/build/programs';
import { conversionsOf } from '../../support/stripe/shop';

let vendor: BillerStandIn;
const deps = useDeps();
const db = () => deps.db.manager;
const day = 24 * 3_600_000;
const ago = (days: number): Date => new Date(Date.now() - days * day);
const at = (days: number) => ({ at: ago(days), paidAt: ago(days) });
const read = (shop: BillerShop) => conversionsOf(db(), shop.scope);
const paddleKey = 'pdl_sdbx_apikey_1';
const nothing = { items: [], pagination: { max_page: 1 } };

beforeAll(async () => {
  vendor = await startBillerStandIn();
  Object.assign(deps.config, { paddleApiBase: vendor.url, polarApiBase: vendor.url });
});
afterAll(() => vendor.close());
beforeEach(() => vendor.reset());

const contextOf = ({ scope }: Pick<BillerShop, 'scope'>) => ({
  scope,
  actor: systemActor,
  now: new Date(),
});

async function processAll(shop: BillerShop): Promise<number> {
  const rows = await query<{ id: string }>(
    db(),
    `SELECT id FROM stripe_events WHERE connection_id = $1 AND status = 'received'`,
    [shop.connectionId],
  );
  for (const { id } of rows) await shop.process(id);
  return rows.length;
}

/** Another day's reading, of what came since the last one, a day and so many hours ago. */
async function readDaily(shop: BillerShop, hoursAgo = 25): Promise<number> {
  await execute(
    db(),
    `UPDATE stripe_connections
        SET created_at = now() - interval '60 days', read_began_at = now() - $2 * interval '1 hour',
            read_until = now() - $2 * interval '1 hour', catch_up_since = NULL, catch_up_after = NULL
      WHERE id = $1`,
    [shop.connectionId, hoursAgo],
  );
  while ((await catchUpNext(deps, { actor: systemActor, now: new Date() })) > 0);
  return processAll(shop);
}

describe('a trial that is told after what was paid', () => {
  const credited = [
    { attributed: true, eventType: 'purchase', commission: { amountCents: 2_000 } },
    { attributed: true, eventType: 'renewal', commission: { amountCents: 2_000 } },
  ];

  it('credits it at Paddle', async () => {
    const shop = await buildBillerShop(deps, 'paddle', { recurring: true });
    const [first, subscription] = [paddleId('txn'), paddleId('sub')];
    const common = { customer: paddleId('ctm'), click: await shop.click(ago(100)) };
    const later = { ...common, subscription, origin: 'subscription_recurring' as const };
    await shop.send(
      paddleTransaction({ ...later, ...at(65) }),
      paddleTransaction({ ...later, ...at(35) }),
      paddleTransaction({ ...common, id: first, total: 0, tax: 0, ...at(95) }),
      paddleSubscription({ id: subscription, transaction: first, at: ago(95) }),
    );
    expect(await read(shop)).toMatchObject(credited);
  });

  it('credits it at Polar', async () => {
    const shop = await buildBillerShop(deps, 'polar', { recurring: true });
    const common: PolarSale = {
      ...{ customer: randomUUID(), subscription: randomUUID() },
      click: await shop.click(ago(100)),
    };
    await shop.send(
      polarOrderEvent({ ...common, reason: 'subscription_cycle', period: ago(65), ...at(65) }),
      polarOrderEvent({ ...common, reason: 'subscription_cycle', period: ago(35), ...at(35) }),
      polarOrderEvent({ ...common, net: 0, tax: 0, reason: 'subscription_create', ...at(95) }),
    );
    expect(await read(shop)).toMatchObject(credited);
  });
});

describe('an erased buyer', () => {
  it('is not read again from the orders of the last month', async () => {
    const shop = await buildBillerShop(deps, 'polar', { apiKey: 'polar_oat_1' });
    const sale: PolarSale = {
      ...{
        id: randomUUID(),
        customer: randomUUID(),
        externalId: 'user-77',
        email: 'gone@x.example',
      },
      ...{ click: await shop.click(ago(10)), ...at(9) },
    };
    await shop.send(polarOrderEvent(sale));
    vendor.set('GET /v1/orders', { items: [polarOrder(sale)], pagination: { max_page: 1 } });
    await eraseCustomer(deps, contextOf(shop), { customerId: 'user-77' });
    expect(await readDaily(shop)).toBe(0);
    const kept = await queryOne<{ n: number }>(
      db(),
      `SELECT count(*)::int AS n FROM stripe_objects
        WHERE workspace_id = $1 AND fact::text LIKE '%user-77%'`,
      [shop.scope.workspaceId],
    );
    expect(kept?.n).toBe(0);
  });
});

describe('a discount whose text nobody could read', () => {
  it('counts before the click once a key is put', async () => {
    const shop = await buildBillerShop(deps, 'paddle');
    const other = await buildParticipant(db(), { program: shop.program });
    const { code } = await buildPromoCode(db(), other);
    const discount = paddleId('dsc');
    await shop.send(paddleTransaction({ discount, click: await shop.click(ago(3)), ...at(2) }));
    expect(await read(shop)).toMatchObject([{ participantId: shop.participant.id }]);
    vendor.set(`GET /discounts/${discount}`, { data: { id: discount, code } });
    await connectBiller(deps, contextOf(shop), {
      ...{ biller: 'paddle', key: paddleKey, webhookSecret: paddleSecret },
    });
    await processAll(shop);
    expect(await read(shop)).toMatchObject([{ participantId: other.id }]);
  });

  it('is known when the connection was removed and made again', async () => {
    const shop = await buildBillerShop(deps, 'paddle');
    const { code } = await buildPromoCode(db(), shop.participant);
    const discount = paddleId('dsc');
    await shop.send(paddleDiscount({ id: discount, code, at: ago(9) }));
    await disconnectBiller(deps, contextOf(shop), 'paddle');
    const again = await buildBillerShop(deps, 'paddle', { in: shop });
    await again.send(paddleTransaction({ discount, ...at(1) }));
    expect(await read(again)).toMatchObject([{ participantId: shop.participant.id }]);
  });
});

describe('clocks that differ', () => {
  it('lose no event of Paddle between two readings', async () => {
    const shop = await buildBillerShop(deps, 'paddle', { apiKey: paddleKey });
    const click = await shop.click(ago(3));
    // Our clock is some minutes ahead: Paddle's time of it lies before the last reading began.
    const lost = paddleTransaction({ click, at: new Date(Date.now() - 25 * 3_600_000 - 240_000) });
    const events: PaddleEvent[] = [lost];
    vendor.set('GET /events', { data: events, meta: { pagination: { has_more: false } } });
    expect(await readDaily(shop)).toBe(1);
    expect(await read(shop)).toHaveLength(1);
  });
});

describe('a key that may not read the list of events', () => {
  const errorOf = async ({ connectionId }: BillerShop) =>
    (
      await queryOne<{ lastError: string | null }>(
        db(),
        'SELECT last_error AS "lastError" FROM stripe_connections WHERE id = $1',
        [connectionId],
      )
    )?.lastError;

  it('shows as an error of the connection, until it may', async () => {
    const shop = await buildBillerShop(deps, 'paddle', { apiKey: paddleKey });
    vendor.forbidden.add('/events');
    await readDaily(shop);
    expect(await errorOf(shop)).toContain('notification.read');
    vendor.forbidden.clear();
    await readDaily(shop);
    expect(await errorOf(shop)).toBeNull();
  });
});

describe('ids that are numbers', () => {
  it('name the customer at Paddle and at Polar', async () => {
    const shop = await buildBillerShop(deps, 'paddle', { recurring: true });
    const { customerId } = await buildCustomer(db(), shop.participant, '4711');
    expect(customerId).toBe('4711');
    const sale = paddleTransaction({ customerId, at: new Date(Date.now() + 1_000) });
    Object.assign(sale.data, { custom_data: { customer_id: 4711 } });
    const other = await buildBillerShop(deps, 'polar', { in: shop });
    const order = polarOrderEvent({ at: new Date(Date.now() + 2_000) });
    Object.assign(order.data, { metadata: { customer_id: 4711 } });
    await shop.send(sale);
    await other.send(order);
    expect(await read(shop)).toMatchObject([{ attributed: true }, { attributed: true }]);
  });
});

describe('a sale of before the connection', () => {
  it('Polar: is not read, however long before the key somebody opened the page', async () => {
    const shop = await buildBillerShop(deps, 'polar');
    await disconnectBiller(deps, contextOf(shop), 'polar');
    await ensureConnection(db(), { ...contextOf(shop), now: ago(90) }, 'polar');
    const order = polarOrder({ click: await shop.click(ago(15)), paidAt: ago(14) });
    vendor.answers.set('GET /v1/orders', ({ query: asked }) => {
      const isListed = order.created_at > (asked.get('created_after') ?? '');
      return { body: { ...nothing, items: isListed ? [order] : [] } };
    });
    vendor.set('GET /v1/refunds', nothing);
    vendor.set('GET /v1/disputes', nothing);
    const put = { biller: 'polar', key: 'polar_oat_1', webhookSecret: paddleSecret } as const;
    await connectBiller(deps, contextOf(shop), put);
    const connection = await findConnection(db(), shop.scope, 'polar');
    await execute(
      db(),
      `UPDATE stripe_connections SET read_began_at = now() - interval '25 hours',
              read_until = now() - interval '25 hours' WHERE id = $1`,
      [connection?.id],
    );
    while ((await catchUpNext(deps, { actor: processorActor, now: new Date() })) > 0);
    const rows = await query<{ id: string }>(
      db(),
      'SELECT id FROM stripe_events WHERE connection_id = $1',
      [connection?.id],
    );
    expect(rows).toEqual([]);
  });
});

describe('an erased buyer who buys again', () => {
  it('goes on paying the subscription that a partner brought', async () => {
    const shop = await buildBillerShop(deps, 'polar', { recurring: true });
    const common: PolarSale = {
      ...{ customer: randomUUID(), subscription: randomUUID(), externalId: 'user-78' },
    };
    await shop.send(
      polarOrderEvent({
        ...common,
        click: await shop.click(ago(70)),
        reason: 'subscription_create',
        ...at(66),
      }),
    );
    await eraseCustomer(deps, contextOf(shop), { customerId: 'user-78' });
    await shop.send(
      polarOrderEvent({ ...common, reason: 'subscription_cycle', period: ago(35), ...at(35) }),
      polarOrderEvent({ ...common, reason: 'subscription_cycle', period: ago(4), ...at(4) }),
    );
    expect(await read(shop)).toMatchObject([
      { commission: { amountCents: 2_000 } },
      { commission: { amountCents: 2_000 } },
      { commission: { amountCents: 2_000 } },
    ]);
  });
});

describe('the biller fails in the middle of a reading', () => {
  it('Polar: goes on where it was, and books all', async () => {
    const shop = await buildBillerShop(deps, 'polar', { apiKey: 'polar_oat_1' });
    const click = await shop.click(ago(9));
    const items = Array.from({ length: 4 }, (_, n) => polarOrder({ click, paidAt: ago(8 - n) }));
    let broken = true;
    vendor.answers.set('GET /v1/orders', ({ query: asked }) => {
      const page = Number(asked.get('page'));
      if (page === 2 && broken) {
        broken = false;
        return { status: 429, body: { detail: 'slow down' } };
      }
      return {
        body: { items: items.slice((page - 1) * 2, page * 2), pagination: { max_page: 2 } },
      };
    });
    await readDaily(shop);
    while ((await catchUpNext(deps, { actor: systemActor, now: new Date() })) > 0);
    await processAll(shop);
    expect(await read(shop)).toHaveLength(4);
  });
});
