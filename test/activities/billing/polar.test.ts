import { randomUUID } from 'node:crypto';
import { readDisputesNext } from '../../../activities/billing/disputes';
import { execute, query } from '../../../entities/database/sql';
import { systemActor } from '../../../entities/rules/values/actor';
import { useDeps } from '../../support/app';
import { buildPromoCode } from '../../support/build/programs';
import { paddleTransaction } from '../../support/billers/paddle';
import { polarOrder, polarOrderEvent, polarRefund } from '../../support/billers/polar';
import { buildBillerShop, type BillerShop } from '../../support/billers/shop';
import { startBillerStandIn, type BillerStandIn } from '../../support/billers/stand-in';
import { conversionsOf } from '../../support/stripe/shop';

let polar: BillerStandIn;
const deps = useDeps({ POLAR_API_BASE: 'http://127.0.0.1:9' });
const day = 24 * 3_600_000;
const ago = (days: number): Date => new Date(Date.now() - days * day);
const read = (shop: BillerShop) => conversionsOf(deps.db.manager, shop.scope);

beforeAll(async () => {
  polar = await startBillerStandIn();
  Object.assign(deps.config, { polarApiBase: polar.url });
});
afterAll(() => polar.close());
beforeEach(() => polar.reset());

describe('a sale at Polar (billers.md, Polar)', () => {
  it('is one conversion: net of what is due, with the fee once its currency is told', async () => {
    const shop = await buildBillerShop(deps, 'polar', { basis: 'net' });
    const [id, checkout] = [randomUUID(), randomUUID()];
    const told = { id, checkout, click: await shop.click(ago(1)), balance: 5_950 };
    await shop.send(
      polarOrderEvent({ ...told, type: 'order.created', paid: false, at: ago(0.5) }),
      polarOrderEvent({ ...told, feeCurrency: null, at: ago(0.4), paidAt: ago(0.5) }),
      polarOrderEvent({ ...told, type: 'order.updated', at: ago(0.3), paidAt: ago(0.5) }),
    );
    expect(await read(shop)).toMatchObject([
      {
        externalTransactionId: id,
        amountCents: 5_000,
        attributed: true,
        aliases: [id, checkout].sort(),
      },
    ]);
  });

  it('takes the click of a link, the code of its discount, and the customer by any name', async () => {
    const shop = await buildBillerShop(deps, 'polar', { recurring: true });
    await buildPromoCode(deps.db.manager, shop.participant, { code: 'POLAR20' });
    const customer = randomUUID();
    await shop.send(
      polarOrderEvent({ reference: await shop.click(ago(9)), at: ago(8), paidAt: ago(8) }),
      polarOrderEvent({
        code: 'polar20',
        customer,
        externalId: 'user-1',
        at: ago(7),
        paidAt: ago(7),
      }),
      polarOrderEvent({ customer, at: ago(6), paidAt: ago(6) }),
      polarOrderEvent({ customerId: 'user-1', at: ago(5), paidAt: ago(5) }),
      polarOrderEvent({ at: ago(4), paidAt: ago(4) }),
    );
    expect(await read(shop)).toMatchObject([
      { eventType: 'purchase', attributed: true },
      { eventType: 'purchase', attributed: true },
      { eventType: 'renewal', attributed: true },
      { eventType: 'renewal', attributed: true },
    ]);
  });

  it('counts the order for what came back, also when that falls', async () => {
    const shop = await buildBillerShop(deps, 'polar');
    const told = { id: randomUUID(), click: await shop.click(ago(3)), paidAt: ago(2) };
    const events = [
      polarOrderEvent({ ...told, at: ago(2) }),
      polarOrderEvent({ ...told, type: 'order.refunded', at: ago(1), refunded: 11_900 }),
      polarOrderEvent({ ...told, type: 'order.updated', at: ago(0.5), refunded: 5_950 }),
    ];
    await shop.send(...events, ...events.toReversed());
    expect(await read(shop)).toMatchObject([
      { refundedCents: 5_000, commission: { status: 'pending', amountCents: 1_000 } },
    ]);
  });

  it('begins with a trial, whose moment and signals count', async () => {
    const shop = await buildBillerShop(deps, 'polar');
    const [subscription, customer] = [randomUUID(), randomUUID()];
    const trial = { subscription, customer, click: await shop.click(ago(61)), net: 0, tax: 0 };
    const paid = polarOrderEvent({
      ...{
        subscription,
        customer,
        reason: 'subscription_cycle' as const,
        at: ago(1),
        paidAt: ago(1),
      },
    });
    await shop.send(paid, polarOrderEvent({ ...trial, at: ago(60), paidAt: ago(60) }));
    expect(await read(shop)).toMatchObject([{ eventType: 'purchase', attributed: true }]);
  });

  it('asks for the order of a refund, and for disputes when it is processed again', async () => {
    const shop = await buildBillerShop(deps, 'polar', { apiKey: 'polar_oat_1' });
    const told = { id: randomUUID(), click: await shop.click(ago(1)) };
    polar.set(`GET /v1/orders/${told.id}`, polarOrder({ ...told, refunded: 5_950 }));
    const [event = ''] = await shop.send(polarRefund(told.id));
    expect(await read(shop)).toMatchObject([{ refundedCents: 5_000 }]);
    expect(polar.calls[0]?.headers['polar-version']).toBe('2026-04');

    const dispute = {
      id: randomUUID(),
      order_id: told.id,
      status: 'needs_response',
      amount: 5_000,
      tax_amount: 950,
    };
    polar.set('GET /v1/disputes', {
      items: [dispute],
      pagination: { total_count: 1, max_page: 1 },
    });
    await deps.db.manager.query("UPDATE stripe_events SET status = 'received' WHERE id = $1", [
      event,
    ]);
    await shop.process(event);
    expect(await read(shop)).toMatchObject([
      { commission: { reasons: expect.arrayContaining(['DISPUTED']) } },
    ]);
  });
});

it('reads the disputes that nobody tells of once an hour: open, then lost', async () => {
  const shop = await buildBillerShop(deps, 'polar', { apiKey: 'polar_oat_1' });
  const order = randomUUID();
  await shop.send(polarOrderEvent({ id: order, click: await shop.click(ago(1)) }));
  const dispute = { id: randomUUID(), order_id: order, amount: 5_000, tax_amount: 950 };
  const readAs = async (status: string) => {
    const items = [{ ...dispute, status }];
    polar.set('GET /v1/disputes', { items, pagination: { total_count: 1, max_page: 1 } });
    const cause = { actor: systemActor, now: new Date() };
    await execute(deps.db.manager, 'UPDATE stripe_connections SET disputes_read_at = NULL', []);
    while ((await readDisputesNext(deps, cause)) > 0);
    const rows = await query<{ id: string }>(
      deps.db.manager,
      `SELECT id FROM stripe_events WHERE connection_id = $1 AND status = 'received'`,
      [shop.connectionId],
    );
    for (const { id } of rows) await shop.process(id);
    return rows.length;
  };
  expect(await readAs('under_review')).toBe(1);
  expect(await read(shop)).toMatchObject([
    { commission: { reasons: expect.arrayContaining(['DISPUTED']) } },
  ]);
  expect(await readAs('under_review')).toBe(0);
  expect(await readAs('lost')).toBe(1);
  expect(await read(shop)).toMatchObject([{ commission: { amountCents: 1_000 } }]);
});

it('credits the customer of two billers once: one binding, one count of months', async () => {
  const shop = await buildBillerShop(deps, 'polar', {
    recurring: true,
    recurringMonths: 1,
  } as never);
  const other = await buildBillerShop(deps, 'paddle', { in: shop });
  const click = await shop.click(ago(50));
  await shop.send(polarOrderEvent({ click, externalId: 'user-7', at: ago(45), paidAt: ago(45) }));
  await other.send(paddleTransaction({ customerId: 'user-7', at: ago(2), paidAt: ago(2) }));
  expect(await read(shop)).toMatchObject([
    { eventType: 'purchase', commission: { status: 'pending' } },
    { eventType: 'renewal', attributed: true, commission: null },
  ]);
});

it('takes no sales where the programme takes those of another biller alone', async () => {
  const shop = await buildBillerShop(deps, 'polar', { salesFrom: 'paddle' });
  const other = await buildBillerShop(deps, 'paddle', { in: shop });
  await shop.send(polarOrderEvent({ click: await shop.click(ago(1)) }));
  await other.send(paddleTransaction({ click: await shop.click(ago(1)) }));
  expect(await shop.statuses()).toEqual(['ignored']);
  expect(await read(shop)).toHaveLength(1);
});
