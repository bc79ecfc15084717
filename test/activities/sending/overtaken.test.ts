import { startTestApp, type TestApp } from '../../support/app';
import {
  errorOf,
  startPayPalStandIn,
  type Mood,
  type PayPalStandIn,
} from '../../support/paypal/stand-in';
import {
  advance,
  batchesOf,
  buildPayPalShop,
  itemsOf,
  later,
  statusesOf,
  type PayPalShop,
} from '../../support/paypal/shop';

/** Money of which somebody said that it was not sent, and that went out all the same. */
let app: TestApp;
let paypal: PayPalStandIn;
const minute = 60_000;
const hour = 60 * minute;

beforeAll(async () => {
  paypal = await startPayPalStandIn(() => app.deps.clock.now());
  app = await startTestApp({ PAYPAL_API_BASE: paypal.url, PAYOUT_TRY_TIMEOUT_MS: '60000' });
});
afterAll(async () => {
  await app.close();
  await paypal.close();
});
beforeEach(() => {
  // Tokens stay good: one that was refused would be another request.
  Object.assign(paypal, { moods: {}, onCall: undefined });
});

/** A payout whose only batch PayPal takes, and lists without its items for more than a day. */
async function vanished() {
  const shop = await buildPayPalShop(app);
  const payout = await shop.payout();
  expect((await shop.send(payout)).status).toBe(202);
  await advance(app, payout);
  const [payment] = paypal.books.itemsOf(payout.items[0]?.reference ?? '');
  payment!.isUnlisted = true;
  for (let passed = 0; passed < 5; passed += 1) await later(app, payout, 7 * hour);
  expect(await statusesOf(shop, payout)).toEqual(['sending!vanished']);
  return { shop, payout, payment: payment! };
}

async function sayNothingSent(shop: PayPalShop, payout: { id: string }, place = 0) {
  const batches = await batchesOf(shop, payout);
  const id = String(batches.toSorted(byFirstTry)[place]?.['id']);
  const path = `/api/v1/payouts/${payout.id}/batches/${id}/resolve`;
  return (await shop.api()).post(path, { nothingSent: true, code: shop.code() });
}

const byFirstTry = (one: Record<string, unknown>, other: Record<string, unknown>): number =>
  String(one['firstTryAt']).localeCompare(String(other['firstTryAt']));

async function mark(shop: PayPalShop, payout: { id: string }, body: object) {
  const [item] = await itemsOf(shop, payout);
  return (await shop.api()).post(`/api/v1/payouts/${payout.id}/items/${item?.id}/mark`, body);
}

const busy: Mood = { status: 429, body: {} };
const down: Mood = { status: 500, body: errorOf('INTERNAL_ERROR') };

it.each([
  ['was never taken', busy, 'ready!twice'],
  ['may have been taken', down, 'sending!twice'],
])('a batch that %s is said no more once an earlier one pays', async (_what, mood, status) => {
  const { shop, payout, payment } = await vanished();
  await sayNothingSent(shop, payout);
  expect((await shop.send(payout)).status).toBe(202);
  paypal.moods.send = [mood, mood];
  await advance(app, payout);
  payment.isUnlisted = false;
  paypal.books.sayOf(payment, 'SUCCESS');
  const [first, second] = (await batchesOf(shop, payout)).toSorted(byFirstTry);
  expect([first?.['status'], second?.['status']]).toEqual(['ended', 'trying']);

  await later(app, payout, 7 * hour);
  const tries = paypal.countOf('send');
  paypal.moods = {};
  await later(app, payout, 7 * hour);

  expect(paypal.countOf('send')).toBe(tries);
  expect(paypal.books.outBy(payment.reference)).toBe(1);
  expect(await statusesOf(shop, payout)).toEqual([status]);
});

it('a person who says that nothing was sent of a batch takes no look at another one away', async () => {
  const { shop, payout, payment } = await vanished();
  await sayNothingSent(shop, payout);
  await shop.send(payout);
  paypal.moods.send = Array.from({ length: 200 }, () => down);
  await advance(app, payout);
  payment.isUnlisted = false;
  paypal.books.sayOf(payment, 'SUCCESS');
  for (let passed = 0; passed < 12; passed += 1) await later(app, payout, 7 * hour);

  expect((await sayNothingSent(shop, payout, 1)).status).toBe(200);
  expect(await statusesOf(shop, payout)).toEqual(['ready!twice']);
  paypal.moods = {};
  expect((await shop.send(payout)).status).toBe(422);
});

it('what was paid in another way, and by PayPal besides, a person has to look at', async () => {
  const { shop, payout, payment } = await vanished();
  await sayNothingSent(shop, payout);
  await mark(shop, payout, { status: 'paid', transactionId: 'by the bank' });
  payment.isUnlisted = false;
  paypal.books.sayOf(payment, 'SUCCESS');
  await later(app, payout, 7 * hour);
  expect(await statusesOf(shop, payout)).toEqual(['paid!twice']);

  await mark(shop, payout, { status: 'paid', confirmChecked: true });
  await later(app, payout, 7 * hour);
  expect(await statusesOf(shop, payout)).toEqual(['paid']);
  // What PayPal sends back is not the money of the bank.
  paypal.books.sayOf(payment, 'RETURNED');
  await later(app, payout, 7 * hour);
  expect(await statusesOf(shop, payout)).toEqual(['paid']);
});

it('what a person marks as the payment that PayPal tells of was paid once', async () => {
  const { shop, payout, payment } = await vanished();
  await sayNothingSent(shop, payout);
  payment.isUnlisted = false;
  paypal.books.sayOf(payment, 'SUCCESS');
  await mark(shop, payout, { status: 'paid', transactionId: payment.transactionId });
  await later(app, payout, 7 * hour);
  expect(await statusesOf(shop, payout)).toEqual(['paid']);
});

it('nobody can say that nothing was sent of a batch that is listed again', async () => {
  const { shop, payout, payment } = await vanished();
  payment.isUnlisted = false;
  paypal.books.sayOf(payment, 'PENDING');
  await later(app, payout, 7 * hour);

  const answer = await sayNothingSent(shop, payout);
  expect(answer).toMatchObject({ status: 409, body: { code: 'PAYOUT_BATCH_INVALID_STATE' } });
  expect(await statusesOf(shop, payout)).toEqual(['sending!vanished']);
});

it('what is taken by a try that was thought over wants a look before it can be sent again', async () => {
  const shop = await buildPayPalShop(app);
  const payout = await shop.payout();
  await shop.send(payout);
  // The process stands still before its answer, and the 72 hours end meanwhile.
  paypal.onCall = async (kind) => {
    if (kind !== 'send') return;
    paypal.onCall = undefined;
    await later(app, payout, 73 * hour);
    expect(await statusesOf(shop, payout)).toEqual(['sending!unanswered']);
    expect((await sayNothingSent(shop, payout)).status).toBe(200);
  };
  await advance(app, payout);

  expect(await statusesOf(shop, payout)).toEqual(['ready!word']);
});
