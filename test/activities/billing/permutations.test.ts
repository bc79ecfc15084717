import { randomUUID } from 'node:crypto';
import type { FurtherBiller } from '../../../entities/rules/billing/biller';
import { useDeps } from '../../support/app';
import {
  paddleAdjustment,
  paddleId,
  paddleSubscription,
  paddleTransaction,
  type PaddleSale,
} from '../../support/billers/paddle';
import { polarOrderEvent, type PolarSale } from '../../support/billers/polar';
import { buildBillerShop, type BillerShop, type BillerTestEvent } from '../../support/billers/shop';
import { buildReport, recordConversion } from '../../support/build/conversions';
import { inLanes, permutations } from '../../support/permutations';
import { conversionsOf } from '../../support/stripe/shop';

const deps = useDeps();
const day = 24 * 3_600_000;
const ago = (days: number): Date => new Date(Date.now() - days * day);

/** What came of a shop's sales, whatever their ids. */
async function outcomeOf({ scope }: BillerShop): Promise<string[]> {
  const conversions = await conversionsOf(deps.db.manager, scope);
  return conversions.map(({ eventType, amountCents, refundedCents, commission }) => {
    const { status = 'none', amountCents: cents = 0 } = commission ?? {};
    return `${eventType} ${amountCents} -${refundedCents}: ${status} ${cents}`;
  });
}

type Story = (shop: BillerShop) => Promise<BillerTestEvent[]>;

/** A first month of 100.00, a second that came back whole, and an upgrade of which credit paid half. */
const upgrade: Record<FurtherBiller, Story> = {
  async paddle(shop) {
    const [customer, subscription] = [paddleId('ctm'), paddleId('sub')];
    const [first, second] = [paddleId('txn'), paddleId('txn')];
    // Paddle copies the data of the first one.
    const common = { customer, click: await shop.click(ago(40)) };
    const at = (days: number) => ({ at: ago(days), paidAt: ago(days) });
    const later: PaddleSale = { ...common, subscription };
    return [
      paddleTransaction({ ...common, ...at(35), id: first }),
      paddleSubscription({ id: subscription, transaction: first, ...at(35) }),
      paddleTransaction({
        ...{ ...later, ...at(5), id: second, origin: 'subscription_recurring', period: ago(5) },
      }),
      paddleAdjustment({ transaction: second, subtotal: 10_000, at: ago(3) }),
      paddleTransaction({ ...later, ...at(2), origin: 'subscription_update', grandTotal: 5_950 }),
    ];
  },
  async polar(shop) {
    const [customer, subscription, second] = [randomUUID(), randomUUID(), randomUUID()];
    const common: PolarSale = { customer, subscription, click: await shop.click(ago(40)) };
    const at = (days: number) => ({ at: ago(days), paidAt: ago(days), period: ago(days) });
    const cycle: PolarSale = { ...common, ...at(5), id: second, reason: 'subscription_cycle' };
    return [
      polarOrderEvent({ ...common, ...at(35) }),
      polarOrderEvent(cycle),
      polarOrderEvent({
        ...{ ...cycle, refunded: 11_900, type: 'order.refunded', at: ago(3) },
      }),
      polarOrderEvent({ ...common, ...at(2), reason: 'subscription_update', balance: 5_950 }),
    ];
  },
};

/** All was taken off of the first month by a code that is no partner's, then one is paid. */
const free: Record<FurtherBiller, Story> = {
  async paddle(shop) {
    const [customer, subscription, first] = [paddleId('ctm'), paddleId('sub'), paddleId('txn')];
    const common = { customer, click: await shop.click(ago(61)) };
    return [
      paddleTransaction({ ...common, id: first, total: 0, tax: 0, at: ago(60), paidAt: ago(60) }),
      paddleSubscription({ id: subscription, transaction: first, at: ago(60) }),
      paddleTransaction({
        ...{ customer, subscription, origin: 'subscription_recurring' },
        ...{ at: ago(1), paidAt: ago(1) },
      }),
    ];
  },
  async polar(shop) {
    const [customer, subscription] = [randomUUID(), randomUUID()];
    const click = await shop.click(ago(61));
    const common = { customer, subscription };
    return [
      polarOrderEvent({ ...common, click, net: 0, tax: 0, at: ago(60), paidAt: ago(60) }),
      polarOrderEvent({ ...common, reason: 'subscription_cycle', at: ago(1), paidAt: ago(1) }),
    ];
  },
};

/** A sale in a currency that has no smaller unit: 1,000 yen of which half came back. */
const yen: Record<FurtherBiller, Story> = {
  async paddle(shop) {
    const id = paddleId('txn');
    const sold = { id, click: await shop.click(ago(2)), currency: 'JPY', total: 1_100, tax: 100 };
    return [
      paddleTransaction({ ...sold, at: ago(1), paidAt: ago(1) }),
      paddleAdjustment({ transaction: id, subtotal: 500 }),
    ];
  },
  async polar(shop) {
    const sold = { id: randomUUID(), click: await shop.click(ago(2)), currency: 'jpy' };
    const paid = { ...sold, net: 1_000, tax: 100, paidAt: ago(1) };
    return [
      polarOrderEvent({ ...paid, at: ago(1) }),
      polarOrderEvent({ ...paid, refunded: 550, type: 'order.refunded', at: ago(0) }),
    ];
  },
};

/** Each order, or of many some that begin in each way. */
function ordersOf<T>(items: readonly T[]): T[][] {
  const all = permutations(items);
  const step = Math.max(1, Math.floor(all.length / 10));
  return all.filter((_, n) => n % step === 0);
}

describe.each(['paddle', 'polar'] as const)('at %s', (biller) => {
  it.each<[string, Record<FurtherBiller, Story>, string[]]>([
    [
      'an upgrade by credit',
      upgrade,
      [
        'purchase 10000 -0: pending 2000',
        'renewal 10000 -10000: refunded 0',
        'renewal 5000 -0: pending 1000',
      ],
    ],
    ['a month for nothing', free, ['purchase 10000 -0: pending 2000']],
    ['yen', yen, ['purchase 1000 -500: pending 100']],
  ])(
    '%s ends the same in any order, told twice',
    async (_, stories, expected) => {
      const places = (await stories[biller](await buildBillerShop(deps, biller))).map((__, n) => n);
      await inLanes(ordersOf(places), async (order) => {
        const shop = await buildBillerShop(deps, biller, { recurring: true });
        const events = await stories[biller](shop);
        const told = order.flatMap((place) => events.slice(place, place + 1));
        await shop.send(...told, ...told.slice(0, 2));
        expect([order, await outcomeOf(shop)]).toEqual([order, expected]);
      });
    },
    60_000,
  );

  it.each([
    ['the report first', true],
    ['the biller first', false],
  ])('a sale that is also reported under a foreign id is flagged once: %s', async (_, isFirst) => {
    const shop = await buildBillerShop(deps, biller);
    const click = await shop.click(ago(1));
    const tell = () =>
      shop.send(biller === 'paddle' ? paddleTransaction({ click }) : polarOrderEvent({ click }));
    const report = () =>
      recordConversion(
        deps.db.manager,
        { scope: shop.scope, now: new Date() },
        buildReport({ amountCents: 10_000, currency: 'eur', clickId: click, occurredAt: ago(0) }),
      );
    await (isFirst ? report() : tell());
    await (isFirst ? tell() : report());
    expect(await flagsOf(shop)).toEqual([false, true]);
  });
});

/** Which of a shop's commissions may be another's sale, those that are not first. */
async function flagsOf({ scope }: BillerShop): Promise<boolean[]> {
  const conversions = await conversionsOf(deps.db.manager, scope);
  return conversions
    .map(({ commission }) => commission?.reasons.includes('POSSIBLE_DUPLICATE') ?? false)
    .sort();
}

it('a sale that two billers tell is flagged once', async () => {
  const shop = await buildBillerShop(deps, 'paddle');
  const other = await buildBillerShop(deps, 'polar', { in: shop });
  const click = await shop.click(ago(1));
  await shop.send(paddleTransaction({ click }));
  await other.send(polarOrderEvent({ click }));
  expect(await flagsOf(shop)).toEqual([false, true]);
});

it('the customer of two billers is one, whoever tells first: months, and who brought them', async () => {
  const outcomes: string[][] = [];
  for (const isFirst of [true, false]) {
    const shop = await buildBillerShop(deps, 'polar', { recurring: true, recurringMonths: 1 });
    const other = await buildBillerShop(deps, 'paddle', { in: shop });
    const click = await shop.click(ago(50));
    const first = polarOrderEvent({ click, externalId: 'user-7', at: ago(45), paidAt: ago(45) });
    const second = paddleTransaction({ customerId: 'user-7', at: ago(30), paidAt: ago(30) });
    const third = paddleTransaction({ customerId: 'user-7', at: ago(2), paidAt: ago(2) });
    if (isFirst) await shop.send(first);
    await other.send(third, second);
    if (!isFirst) await shop.send(first);
    await other.send(second, third);
    outcomes.push(await outcomeOf(shop));
  }
  const [inOrder, reversed] = outcomes;
  expect(inOrder).toEqual([
    'purchase 10000 -0: pending 2000',
    'renewal 10000 -0: pending 2000',
    'renewal 10000 -0: none 0',
  ]);
  expect(reversed).toEqual(inOrder);
});
