import { busy, down } from '../../support/paypal/stand-in';
import {
  advance,
  buildPayPalShop,
  later,
  statusesOf,
  type PayPalShop,
} from '../../support/paypal/shop';
import {
  checkFirst,
  hour,
  inOrder,
  markFirst,
  resolve,
  usePayPal,
} from '../../support/paypal/suite';

/** Money of which somebody said that it was not sent, and that went out all the same. */
const { app, paypal, vanished } = usePayPal({ PAYOUT_TRY_TIMEOUT_MS: '60000' });

const sayNothingSent = (shop: PayPalShop, payout: { id: string }, place = 0) =>
  resolve(shop, payout, { nothingSent: true, place });

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
  const [first, second] = await inOrder(shop, payout);
  expect([first?.['status'], second?.['status']]).toEqual(['ended', 'trying']);

  await later(app, payout, 7 * hour);
  const tries = paypal.countOf('send');
  paypal.moods = {};
  await later(app, payout, 7 * hour);

  expect(paypal.countOf('send')).toBe(tries);
  expect(paypal.books.outBy(payment.reference)).toBe(1);
  expect(await statusesOf(shop, payout)).toEqual([status]);
});

it('whoever says that nothing was sent of a batch ends no attention that another batch asks for', async () => {
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

it('an item that was paid in another way, and by PayPal besides, has to be checked by a person', async () => {
  const { shop, payout, payment } = await vanished();
  await sayNothingSent(shop, payout);
  await markFirst(shop, payout, { status: 'paid', transactionId: 'by the bank' });
  payment.isUnlisted = false;
  paypal.books.sayOf(payment, 'SUCCESS');
  await later(app, payout, 7 * hour);
  expect(await statusesOf(shop, payout)).toEqual(['paid!twice']);

  await checkFirst(shop, payout, 'paid');
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
  await markFirst(shop, payout, { status: 'paid', transactionId: payment.transactionId });
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
