import { execute, query } from '../../../entities/database/sql';
import { useDeps } from '../../support/app';
import {
  paddleAdjustment,
  paddleDiscount,
  paddleId,
  paddleTransaction,
} from '../../support/billers/paddle';
import { polarOrderEvent } from '../../support/billers/polar';
import { buildBillerShop, type BillerShop } from '../../support/billers/shop';
import { startBillerStandIn, type BillerStandIn } from '../../support/billers/stand-in';
import { buildReport, recordConversion } from '../../support/build/conversions';
import { buildParticipant, buildPromoCode } from '../../support/build/programs';
import { conversionsOf } from '../../support/stripe/shop';

let paddle: BillerStandIn;
const deps = useDeps({ PADDLE_API_BASE: 'http://127.0.0.1:9' });
const db = () => deps.db.manager;
const day = 24 * 3_600_000;
const ago = (days: number): Date => new Date(Date.now() - days * day);
const read = (shop: BillerShop) => conversionsOf(db(), shop.scope);

beforeAll(async () => {
  paddle = await startBillerStandIn();
  Object.assign(deps.config, { paddleApiBase: paddle.url });
});
afterAll(() => paddle.close());
beforeEach(() => paddle.reset());

describe('a code that was read stays read', () => {
  const soldByCode = async () => {
    const shop = await buildBillerShop(deps, 'paddle', { apiKey: 'pdl_sdbx_apikey_1' });
    const { code } = await buildPromoCode(db(), shop.participant, { code: 'KEPT20' });
    const [id, discount, customer] = [paddleId('txn'), paddleId('dsc'), paddleId('ctm')];
    const told = { id, discount, customer, at: ago(1), paidAt: ago(1) };
    paddle.set(`GET /discounts/${discount}`, { data: { id: discount, code } });
    await shop.send(paddleTransaction(told));
    expect(await read(shop)).toMatchObject([
      { attributed: true, commission: { status: 'pending', amountCents: 2_000 } },
    ]);
    const again = paddleTransaction({ ...told, at: ago(0), type: 'transaction.updated' });
    return { shop, discount, again, code };
  };
  const kept = [{ attributed: true, commission: { status: 'pending', amountCents: 2_000 } }];

  it('when the key may not read discounts any more', async () => {
    const { shop, discount, again } = await soldByCode();
    paddle.forbidden.add(`/discounts/${discount}`);
    await shop.send(again);
    expect(await read(shop)).toMatchObject(kept);
  });

  it('when the key is gone', async () => {
    const { shop, again } = await soldByCode();
    await execute(db(), 'UPDATE stripe_connections SET restricted_key = NULL WHERE id = $1', [
      shop.connectionId,
    ]);
    await shop.send(again);
    expect(await read(shop)).toMatchObject(kept);
  });

  it('when the last code of a partner was deleted', async () => {
    const { shop, again, code } = await soldByCode();
    await execute(db(), 'DELETE FROM promo_codes WHERE code = $1 AND workspace_id = $2', [
      code,
      shop.scope.workspaceId,
    ]);
    await shop.send(again);
    expect(await read(shop)).toMatchObject(kept);
  });
});

it('a checkout left by one buyer and paid by another credits nobody for the first', async () => {
  const shop = await buildBillerShop(deps, 'paddle', { recurring: true });
  const [known, stranger, id] = [paddleId('ctm'), paddleId('ctm'), paddleId('txn')];
  await shop.send(
    paddleTransaction({ customer: known, click: await shop.click(ago(9)), at: ago(8) }),
    paddleTransaction({
      ...{ id, customer: known, status: 'ready' as const, type: 'transaction.updated' },
      at: ago(2),
    }),
    paddleTransaction({ id, customer: stranger, at: ago(1), paidAt: ago(1) }),
  );
  expect(await read(shop)).toHaveLength(1);
});

it('a refund told before the sale is reported by its invoice number counts', async () => {
  const shop = await buildBillerShop(deps, 'paddle');
  const { code } = await buildPromoCode(db(), shop.participant);
  const id = paddleId('txn');
  const sale = paddleTransaction({ id, total: 10_000, tax: 0 });
  sale.data.invoice_number = '325-10566';
  await shop.send(sale, paddleAdjustment({ transaction: id, subtotal: 5_000 }));
  const context = { scope: shop.scope, now: new Date() };
  await recordConversion(db(), context, {
    ...buildReport({ amountCents: 10_000, currency: 'eur', promoCode: code }),
    externalTransactionId: '325-10566',
  });
  expect(await read(shop)).toMatchObject([
    { refundedCents: 5_000, commission: { amountCents: 1_000 } },
  ]);
});

it('an invoice that is noted before it is paid is held from its payment on', async () => {
  const shop = await buildBillerShop(deps, 'paddle', { holdDays: 30 });
  const told = { id: paddleId('txn'), customer: paddleId('ctm'), click: await shop.click(ago(41)) };
  await shop.send(
    paddleTransaction({ ...told, status: 'billed', type: 'transaction.updated', at: ago(40) }),
  );
  await execute(db(), 'UPDATE stripe_payments SET created_at = $2 WHERE workspace_id = $1', [
    shop.scope.workspaceId,
    ago(40),
  ]);
  await shop.send(paddleTransaction({ ...told, at: ago(0), paidAt: ago(40) }));
  const [row] = await query<{ holdUntil: Date; status: string }>(
    db(),
    'SELECT hold_until AS "holdUntil", status FROM commissions WHERE program_id = $1',
    [shop.program.id],
  );
  expect(row?.holdUntil.getTime()).toBeGreaterThan(Date.now() + 29 * day);
});

it.each([
  [0, 1],
  [1, 0],
])(
  'a code wins over a click, the discount told in place %s and the sale in place %s',
  async (...order) => {
    const shop = await buildBillerShop(deps, 'paddle');
    const other = await buildParticipant(db(), { program: shop.program });
    const { code } = await buildPromoCode(db(), other);
    const discount = paddleId('dsc');
    const click = await shop.click(ago(1));
    const events = [paddleDiscount({ id: discount, code }), paddleTransaction({ click, discount })];
    for (const place of order) {
      const event = events[place];
      const [id = ''] = event ? await shop.send(event) : [];
      expect(id).not.toBe('');
    }
    const waiting = await query<{ id: string }>(
      db(),
      `SELECT id FROM stripe_events WHERE connection_id = $1 AND status = 'received'`,
      [shop.connectionId],
    );
    for (const { id } of waiting) await shop.process(id);
    expect(await read(shop)).toMatchObject([{ attributed: true, participantId: other.id }]);
  },
);

it('an order that Polar tells again keeps its period, though its subscription has gone on', async () => {
  const shop = await buildBillerShop(deps, 'polar', { recurring: true, recurringMonths: 2 });
  const [customer, subscription] = ['cust-1', 'sub-1'];
  const month = (n: number) => ({ paidAt: ago(93 - 31 * n), period: ago(93 - 31 * n) });
  const first = {
    ...{ id: 'order-0', customer, subscription, click: await shop.click(ago(94)) },
    reason: 'subscription_create' as const,
    ...month(0),
  };
  const cycle = (n: number) =>
    polarOrderEvent({
      ...{ id: `order-${n}`, customer, subscription, ...month(n), at: month(n).paidAt },
      reason: 'subscription_cycle',
    });
  await shop.send(polarOrderEvent({ ...first, at: first.paidAt }), cycle(1));
  await shop.send(polarOrderEvent({ ...first, period: ago(31), refunded: 100, at: ago(31) }));
  await shop.send(cycle(2));
  const earned = (await read(shop)).map(({ commission }) => commission?.amountCents ?? 0);
  expect(earned.filter((cents) => cents > 0)).toHaveLength(2);
});

it('a buyer typed the code that the discount had then, whatever it is called later', async () => {
  const shop = await buildBillerShop(deps, 'paddle');
  const other = await buildParticipant(db(), { program: shop.program });
  const mine = await buildPromoCode(db(), shop.participant);
  const theirs = await buildPromoCode(db(), other);
  const [id, discount] = [paddleId('txn'), paddleId('dsc')];
  await shop.send(paddleDiscount({ id: discount, code: mine.code, at: ago(3) }));
  await shop.send(paddleTransaction({ id, discount, at: ago(2), paidAt: ago(2) }));
  await shop.send(paddleDiscount({ id: discount, code: theirs.code, at: ago(1) }));
  await shop.send(
    paddleTransaction({ id, discount, at: ago(0), paidAt: ago(2), type: 'transaction.updated' }),
  );
  expect(await read(shop)).toMatchObject([{ participantId: shop.participant.id }]);
});

it('a refund of a payment that was only noted has it asked for', async () => {
  const shop = await buildBillerShop(deps, 'paddle', { apiKey: 'pdl_sdbx_apikey_1' });
  const [id, click] = [paddleId('txn'), await shop.click(ago(3))];
  await shop.send(
    paddleTransaction({ id, click, status: 'billed', type: 'transaction.updated', at: ago(2) }),
  );
  const { data } = paddleTransaction({ id, click, paidAt: ago(2) });
  paddle.set(`GET /transactions/${id}`, { data });
  await shop.send(paddleAdjustment({ transaction: id, subtotal: 5_000 }));
  expect(await read(shop)).toMatchObject([
    { refundedCents: 5_000, commission: { amountCents: 1_000 } },
  ]);
});
