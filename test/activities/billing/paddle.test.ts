import { useDeps } from '../../support/app';
import { buildPromoCode } from '../../support/build/programs';
import {
  paddleAdjustment,
  paddleDiscount,
  paddleId,
  paddleSubscription,
  paddleTransaction,
} from '../../support/billers/paddle';
import { buildBillerShop, type BillerShop } from '../../support/billers/shop';
import { startBillerStandIn, type BillerStandIn } from '../../support/billers/stand-in';
import { permutations } from '../../support/permutations';
import { conversionsOf } from '../../support/stripe/shop';

let paddle: BillerStandIn;
const deps = useDeps({ PADDLE_API_BASE: 'http://127.0.0.1:9' });
const day = 24 * 3_600_000;
const ago = (days: number): Date => new Date(Date.now() - days * day);
const read = (shop: BillerShop) => conversionsOf(deps.db.manager, shop.scope);

beforeAll(async () => {
  paddle = await startBillerStandIn();
  Object.assign(deps.config, { paddleApiBase: paddle.url });
});
afterAll(() => paddle.close());
beforeEach(() => paddle.reset());

describe('a sale at Paddle (billers.md, What is told and what is asked)', () => {
  it('is one conversion, however often it is told: before tax, by its own id, with its aliases', async () => {
    const shop = await buildBillerShop(deps, 'paddle');
    const id = paddleId('txn');
    const told = { id, click: await shop.click(ago(1)), invoice: 'inv_1' };
    await shop.send(
      paddleTransaction({ ...told, status: 'ready', type: 'transaction.ready' }),
      paddleTransaction(told),
      paddleTransaction({ ...told, type: 'transaction.updated' }),
    );
    expect(await read(shop)).toMatchObject([
      {
        externalTransactionId: id,
        eventType: 'purchase',
        attributed: true,
        amountCents: 10_000,
        aliases: [id, 'inv_1'].sort(),
        commission: { status: 'pending', amountCents: 2_000 },
      },
    ]);
  });

  it('counts what money came in for, exactly; nothing paid and another card are no payment', async () => {
    const shop = await buildBillerShop(deps, 'paddle');
    const sale = async (overrides: object) =>
      paddleTransaction({ click: await shop.click(ago(1)), ...overrides });
    await shop.send(
      await sale({ total: 10_001, tax: 1, grandTotal: 3_333 }),
      await sale({ total: 0, tax: 0 }),
      await sale({ origin: 'subscription_payment_method_change' }),
      await sale({ currency: 'JPY', total: 1_100, tax: 100, paidAt: ago(0) }),
    );
    const found = await read(shop);
    expect(found.map(({ amountCents }) => amountCents).sort()).toEqual([1_000, 3_333]);
    expect(await shop.statuses()).toEqual(['processed', 'ignored', 'ignored', 'processed']);
  });

  it('makes nothing without a signal, and what an unknown click says where there is nothing else', async () => {
    const shop = await buildBillerShop(deps, 'paddle');
    await shop.send(paddleTransaction(), paddleTransaction({ click: 'clk_nothing' }));
    expect(await read(shop)).toMatchObject([{ attributed: false, reason: 'CLICK_NOT_FOUND' }]);
    expect(await shop.statuses()).toEqual(['ignored', 'processed']);
  });

  it('renews whatever its copied data says, and is paid flat for whole periods only', async () => {
    const shop = await buildBillerShop(deps, 'paddle', { recurring: true });
    const [customer, subscription] = [paddleId('ctm'), paddleId('sub')];
    const first = paddleId('txn');
    const common = { customer, click: await shop.click(ago(40)) };
    await shop.send(
      paddleTransaction({ ...common, id: first, paidAt: ago(35), at: ago(35) }),
      paddleTransaction({
        ...{ ...common, subscription, origin: 'subscription_recurring' as const },
        ...{ paidAt: ago(5), at: ago(5), period: ago(5) },
      }),
      paddleSubscription({ id: subscription, transaction: first, at: ago(35) }),
    );
    expect(await read(shop)).toMatchObject([
      { eventType: 'purchase', attributed: true },
      { eventType: 'renewal', attributed: true, participantId: shop.participant.id },
    ]);
  });
});

describe('a code at Paddle', () => {
  it('waits for its text, which an event of the discount tells', async () => {
    const shop = await buildBillerShop(deps, 'paddle');
    await buildPromoCode(deps.db.manager, shop.participant, { code: 'PADDLE20' });
    const discount = paddleId('dsc');
    const [sale = ''] = await shop.send(paddleTransaction({ discount }));
    expect(await shop.statuses()).toEqual(['waiting']);
    await shop.send(paddleDiscount({ id: discount, code: 'paddle20' }));
    await shop.process(sale);
    expect(await read(shop)).toMatchObject([{ attributed: true, amountCents: 10_000 }]);
  });

  it('is read by key', async () => {
    const shop = await buildBillerShop(deps, 'paddle', { apiKey: 'pdl_sdbx_apikey_1' });
    await buildPromoCode(deps.db.manager, shop.participant, { code: 'KEY20' });
    const discount = paddleId('dsc');
    paddle.set(`GET /discounts/${discount}`, { data: { id: discount, code: 'KEY20' } });
    await shop.send(paddleTransaction({ discount }));
    expect(await read(shop)).toMatchObject([{ attributed: true }]);
    expect(paddle.calls[0]?.headers['paddle-version']).toBe('1');
  });
});

describe('money that goes back at Paddle', () => {
  it('ends the same in any order: refunds, one that is rejected, a chargeback and its reverse', async () => {
    const at = ago(2);
    const told = (transaction: string) => [
      paddleAdjustment({ transaction, id: 'adj_a', status: 'pending_approval', at }),
      paddleAdjustment({
        transaction,
        id: 'adj_a',
        status: 'approved',
        subtotal: 2_500,
        at: ago(1),
      }),
      paddleAdjustment({ transaction, id: 'adj_b', status: 'rejected', at }),
      paddleAdjustment({ transaction, id: 'adj_c', action: 'chargeback', status: 'reversed', at }),
      paddleAdjustment({ transaction, id: 'adj_d', action: 'chargeback_reverse', at }),
    ];
    const names = (transaction: string) => [
      paddleTransaction({ id: transaction, at: ago(3) }),
      ...told(transaction),
    ];
    const orders = permutations(names('txn_0').map((_, place) => place)).filter(
      (_, n) => n % 60 === 0,
    );
    expect(orders.length).toBeGreaterThan(10);
    for (const order of orders) {
      const shop = await buildBillerShop(deps, 'paddle');
      const transaction = paddleId('txn');
      const click = await shop.click(ago(4));
      const events = [
        paddleTransaction({ id: transaction, click, at: ago(3), paidAt: ago(3) }),
        ...told(transaction),
      ];
      for (const place of order) {
        const event = events[place];
        if (event) await shop.send(event, event);
      }
      expect(await read(shop)).toMatchObject([
        { refundedCents: 2_500, commission: { status: 'pending', amountCents: 1_500 } },
      ]);
    }
  }, 60_000);

  it('flags a warning until the chargeback, which takes all', async () => {
    const shop = await buildBillerShop(deps, 'paddle');
    const transaction = paddleId('txn');
    await shop.send(paddleTransaction({ id: transaction, click: await shop.click(ago(1)) }));
    await shop.send(
      paddleAdjustment({ transaction, action: 'chargeback_warning', subtotal: 10_000 }),
    );
    expect(await read(shop)).toMatchObject([
      { commission: { reasons: expect.arrayContaining(['DISPUTED']) } },
    ]);
    await shop.send(paddleAdjustment({ transaction, action: 'chargeback', subtotal: 10_000 }));
    expect(await read(shop)).toMatchObject([
      { refundedCents: 10_000, commission: { status: 'refunded', amountCents: 0 } },
    ]);
  });

  it('asks for a payment that no event has brought, with a key', async () => {
    const shop = await buildBillerShop(deps, 'paddle', { apiKey: 'pdl_sdbx_apikey_1' });
    const id = paddleId('txn');
    const { data } = paddleTransaction({ id, click: await shop.click(ago(1)) });
    paddle.set(`GET /transactions/${id}`, { data });
    await shop.send(paddleAdjustment({ transaction: id }));
    expect(await read(shop)).toMatchObject([{ amountCents: 10_000, refundedCents: 5_000 }]);
  });
});
