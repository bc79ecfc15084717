import { randomUUID } from 'node:crypto';
import { useDeps } from '../../support/app';
import { paddleId, paddleTransaction, type PaddleEvent } from '../../support/billers/paddle';
import { polarOrderEvent } from '../../support/billers/polar';
import { buildBillerShop } from '../../support/billers/shop';
import { checkoutCompleted, stripeId } from '../../support/stripe/events';
import { buildStripeShop, conversionsOf } from '../../support/stripe/shop';

const deps = useDeps();
const ago = new Date(Date.now() - 86_400_000);

/** What a buyer, or a shop's page, may put where it says what it likes: cut at 255 it is half a character. */
const faces = 'x'.repeat(254) + '\u{1f600}';
/** No index of Postgres takes a text of so many bytes. */
const long = Array.from({ length: 1_000 }, (_, n) => String.fromCodePoint(0x4e00 + n * 13)).join(
  '',
);
const nested = (depth: number): object => {
  let value = {};
  for (let n = 0; n < depth; n += 1) value = { a: value };
  return value;
};
const read = (shop: { scope: Parameters<typeof conversionsOf>[1] }) =>
  conversionsOf(deps.db.manager, shop.scope);

const odd: readonly [string, object][] = [
  ['a click id that is cut in the middle of a character', { aff_click_id: faces }],
  ["a customer's id that is cut there", { customer_id: faces }],
  ["a customer's id that fills no index", { customer_id: long }],
  ['a text of its own that is cut there', { note: 'x'.repeat(499) + '\u{1f600}', 'a\u0000b': 'x' }],
  ['data nested as deep as text can be', nested(3_000)],
];

describe('a sale is told and booked, and fails nowhere, with', () => {
  it.each(odd)('%s, at Paddle', async (_what, data) => {
    const shop = await buildBillerShop(deps, 'paddle');
    const event = paddleTransaction({ id: paddleId('txn') });
    const custom_data = { aff_click_id: await shop.click(ago), ...data };
    await shop.send({ ...event, data: { ...event.data, custom_data } } as PaddleEvent);
    expect(await shop.statuses()).toEqual(['processed']);
    expect(await read(shop)).toHaveLength(1);
  });

  it.each(odd)('%s, at Polar', async (_what, data) => {
    const shop = await buildBillerShop(deps, 'polar');
    const event = polarOrderEvent({ id: randomUUID() });
    const metadata = { aff_click_id: await shop.click(ago), ...data };
    await shop.send({ ...event, data: { ...event.data, metadata } });
    expect(await shop.statuses()).toEqual(['processed']);
    expect(await read(shop)).toHaveLength(1);
  });

  it.each(odd)('%s, at Stripe', async (_what, data) => {
    const shop = await buildStripeShop(deps, { salesFrom: 'both' });
    const metadata = { aff_click_id: await shop.click(ago), ...data };
    const paymentIntent = stripeId('pi');
    await shop.send(checkoutCompleted({ paymentIntent, object: { metadata } }));
    expect(await shop.statuses()).toEqual(['processed']);
    expect(await read(shop)).toHaveLength(1);
  });

  it('ids that fill no index: whom they name is not known', async () => {
    const [paddle, polar] = [
      await buildBillerShop(deps, 'paddle'),
      await buildBillerShop(deps, 'polar'),
    ];
    const [pc, oc] = [await paddle.click(ago), await polar.click(ago)];
    await paddle.send(
      paddleTransaction({ click: pc, customer: long, subscription: long, discount: long }),
    );
    await polar.send(
      polarOrderEvent({
        click: oc,
        customer: long,
        externalId: long,
        subscription: long,
        code: long,
      }),
    );
    for (const shop of [paddle, polar]) {
      expect(await shop.statuses()).toEqual(['processed']);
      expect(await read(shop)).toMatchObject([{ attributed: true }]);
    }
  });
});

it('a sum without a currency is no money: the sale is noted, and booked once it is told', async () => {
  const [paddle, polar] = [
    await buildBillerShop(deps, 'paddle'),
    await buildBillerShop(deps, 'polar'),
  ];
  const [txn, order] = [paddleId('txn'), randomUUID()];
  const [pc, oc] = [await paddle.click(ago), await polar.click(ago)];
  await paddle.send(paddleTransaction({ id: txn, click: pc, currency: 'EURO' }));
  await polar.send(polarOrderEvent({ id: order, click: oc, currency: long }));
  for (const shop of [paddle, polar]) expect(await read(shop)).toEqual([]);
  await paddle.send(paddleTransaction({ id: txn, click: pc }));
  await polar.send(polarOrderEvent({ id: order, click: oc }));
  for (const shop of [paddle, polar])
    expect(await read(shop)).toMatchObject([{ attributed: true, amountCents: 10_000 }]);
});
