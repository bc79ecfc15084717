import { advanceBatch } from '../../../activities/sending/advance';
import { stopTries } from '../../../activities/sending/restored';
import { execute } from '../../../entities/database/sql';
import { busy, down, errorOf, funds, type Mood } from '../../support/paypal/stand-in';
import {
  advance,
  batchesOf,
  compareBooks,
  itemsOf,
  later,
  statusesOf,
} from '../../support/paypal/shop';
import {
  checkFirst,
  hour,
  inOrder,
  markFirst,
  minute,
  resolve,
  usePayPal,
  type Sent,
} from '../../support/paypal/suite';

/** Money that shows up, or comes back, after somebody has let it go. */
const { app, paypal, sent, vanished, sentAgain, noteRestore } = usePayPal();
afterEach(async () => {
  expect(await compareBooks(app, paypal)).toEqual([]);
});

describe('an earlier batch that is on its way after all', () => {
  it.each<[string, string, Mood, string]>([
    ['PENDING', 'was never taken', busy, 'ready!twice'],
    ['UNCLAIMED', 'may have been taken', down, 'sending!twice'],
  ])('says %s: one that %s is said no more', async (word, _what, mood, status) => {
    const { shop, payout, payment } = await sentAgain([mood]);
    paypal.books.sayOf(payment, word);
    // The first batch alone is asked about; the second is not due.
    await execute(
      app.deps.db.manager,
      `UPDATE payout_batches SET next_at = $2
        WHERE payout_id = $1 AND status = 'trying'`,
      [payout.id, new Date(app.deps.clock.now().getTime() + 8 * hour)],
    );
    await later(app, payout, 7 * hour);
    for (let passed = 0; passed < 3; passed += 1) await later(app, payout, 7 * hour);

    expect(paypal.books.itemsOf(payment.reference)).toHaveLength(1);
    expect(await statusesOf(shop, payout)).toEqual([status]);
  });

  it('cuts off a try of the next one that has not left yet', async () => {
    const { shop, payout, payment } = await sentAgain([busy]);
    const [first] = await inOrder(shop, payout);
    paypal.books.sayOf(payment, 'SUCCESS');
    app.deps.clock.advance(7 * hour);
    // Its first request is refused for its token; before the second one the first batch is asked about.
    paypal.revokeTokens();
    paypal.onCall = async (kind) => {
      if (kind !== 'send') return;
      paypal.onCall = undefined;
      await advanceBatch(app.deps, { batchId: String(first?.['id']) });
    };
    const second = (await inOrder(shop, payout))[1];
    await advanceBatch(app.deps, { batchId: String(second?.['id']) });

    expect(paypal.books.itemsOf(payment.reference)).toHaveLength(1);
    expect(await statusesOf(shop, payout)).toEqual(['sending!twice']);
    await later(app, payout, hour);
    expect(paypal.books.itemsOf(payment.reference)).toHaveLength(1);
  });

  it('keeps what is ready again from being sent a third time', async () => {
    const refused = { status: 422, body: errorOf('INSUFFICIENT_FUNDS') };
    const { shop, payout, payment } = await sentAgain([refused]);
    expect(await statusesOf(shop, payout)).toEqual(['ready']);
    paypal.books.sayOf(payment, 'PENDING');
    await later(app, payout, 7 * hour);

    expect(await statusesOf(shop, payout)).toEqual(['ready!twice']);
    expect((await shop.send(payout)).status).toBe(422);
  });

  it('wants another look once it is paid, whoever has looked before', async () => {
    const { shop, payout, payment } = await sentAgain();
    const second = paypal.books.itemsOf(payment.reference).at(-1);
    paypal.books.sayOf(payment, 'PENDING');
    paypal.books.sayOf(second!, 'SUCCESS');
    await later(app, payout, 7 * hour);
    expect(await statusesOf(shop, payout)).toEqual(['paid!twice']);
    await checkFirst(shop, payout, 'paid');
    await later(app, payout, 7 * hour);
    expect(await statusesOf(shop, payout)).toEqual(['paid']);

    paypal.books.sayOf(payment, 'SUCCESS');
    await later(app, payout, 7 * hour);
    expect(await statusesOf(shop, payout)).toEqual(['paid!twice']);
  });

  it('stops the next one when its first try is answered late', async () => {
    const { shop, payout } = await sent();
    // The process stands still before its answer: the 72 hours end, and it is sent again meanwhile.
    paypal.onCall = async (kind) => {
      if (kind !== 'send') return;
      paypal.onCall = undefined;
      await later(app, payout, 73 * hour);
      expect((await resolve(shop, payout, { nothingSent: true })).status).toBe(200);
      expect((await shop.send(payout)).status).toBe(202);
      paypal.moods.send = [busy, busy, busy, busy];
      await advance(app, payout);
      // This one is taken.
      paypal.moods.send = [];
    };
    await advance(app, payout);
    await later(app, payout, hour);
    expect(await statusesOf(shop, payout)).toEqual(['ready!twice']);
    expect(paypal.books.batches.size).toBeGreaterThan(0);
    expect(paypal.books.itemsOf(payout.items[0]?.reference ?? '')).toHaveLength(1);
  });
});

describe('a person who said that it failed', () => {
  it('is asked again when PayPal lists it as on its way', async () => {
    const { shop, payout, payment } = await vanished();
    await checkFirst(shop, payout, 'failed');
    payment.isUnlisted = false;
    paypal.books.sayOf(payment, 'UNCLAIMED');
    await later(app, payout, 7 * hour);
    expect(await statusesOf(shop, payout)).toEqual(['failed!word']);
  });

  it('is not, of what was seen on its way for too long', async () => {
    const { shop, payout, reference } = await sent();
    await advance(app, payout);
    paypal.books.say(reference, 'UNCLAIMED');
    await later(app, payout, minute);
    await later(app, payout, 46 * 24 * hour);
    expect(await statusesOf(shop, payout)).toEqual(['sending!too_long']);
    await checkFirst(shop, payout, 'failed');
    await later(app, payout, 24 * hour);
    expect(await statusesOf(shop, payout)).toEqual(['failed']);
  });

  it('or cancelled what was to be sent, likewise', async () => {
    const { shop, payout, payment } = await vanished();
    await resolve(shop, payout, { nothingSent: true });
    const api = await shop.api();
    expect((await api.post(`/api/v1/payouts/${payout.id}/cancel`, {})).status).toBe(200);
    payment.isUnlisted = false;
    paypal.books.sayOf(payment, 'PENDING');
    await later(app, payout, 7 * hour);
    expect(await statusesOf(shop, payout)).toEqual(['cancelled!word']);

    // What came of it ends the question.
    paypal.books.sayOf(payment, 'RETURNED');
    await later(app, payout, 7 * hour);
    expect(await statusesOf(shop, payout)).toEqual(['cancelled']);
  });
});

it('what had vanished, and is ready again, is sent once somebody has looked', async () => {
  const { shop, payout, payment } = await vanished();
  payment.isUnlisted = false;
  paypal.books.sayOf(payment, 'FAILED', { error: funds });
  await later(app, payout, 7 * hour);
  expect(await statusesOf(shop, payout)).toEqual(['ready!vanished']);
  expect((await shop.send(payout)).status).toBe(422);

  expect((await checkFirst(shop, payout, 'ready')).status).toBe(200);
  expect(await statusesOf(shop, payout)).toEqual(['ready']);
  expect((await shop.send(payout)).status).toBe(202);
});

describe('an item that was paid twice, which somebody has checked', () => {
  async function paidTwice(): Promise<Sent> {
    const story = await sent();
    const { shop, payout, reference } = story;
    await advance(app, payout);
    paypal.books.say(reference, 'FAILED', { error: funds });
    await later(app, payout, 2 * minute);
    expect((await shop.send(payout)).status).toBe(202);
    await advance(app, payout);
    for (const item of paypal.books.itemsOf(reference)) {
      paypal.books.sayOf(item, 'SUCCESS', { error: null });
    }
    await later(app, payout, hour);
    expect(await statusesOf(shop, payout)).toEqual(['paid!twice']);
    await checkFirst(shop, payout, 'paid');
    return story;
  }

  it.each([
    ['the first payment', [0, 1]],
    ['the second payment', [1, 0]],
  ])('is paid by the other when %s comes back, until that comes back too', async (_, places) => {
    const { shop, payout, reference } = await paidTwice();
    const payments = paypal.books.itemsOf(reference);
    paypal.books.sayOf(payments[places[0]!]!, 'RETURNED');
    await later(app, payout, hour);
    expect(await statusesOf(shop, payout)).toEqual(['paid']);

    paypal.books.sayOf(payments[places[1]!]!, 'RETURNED');
    await later(app, payout, hour);
    expect(await statusesOf(shop, payout)).toEqual(['returned']);
    const batches = await inOrder(shop, payout);
    expect(batches).toMatchObject([
      { outcomes: [{ outcome: 'returned', items: 1 }] },
      { outcomes: [{ outcome: 'returned', items: 1 }] },
    ]);
  });
});

describe('what was paid in another way since nothing was sent', () => {
  async function paidByHand(transactionId: (id: string | null) => string | null) {
    const story = await vanished();
    const { shop, payout, payment } = story;
    await resolve(shop, payout, { nothingSent: true });
    payment.isUnlisted = false;
    paypal.books.sayOf(payment, 'SUCCESS');
    const mark = { status: 'paid', transactionId: transactionId(payment.transactionId) };
    expect((await markFirst(shop, payout, mark)).status).toBe(200);
    await later(app, payout, 7 * hour);
    return story;
  }

  it('by the payment that PayPal tells of comes back when PayPal says so', async () => {
    const { shop, payout, payment } = await paidByHand((id) => id);
    expect(await statusesOf(shop, payout)).toEqual(['paid']);
    paypal.books.sayOf(payment, 'RETURNED');
    await later(app, payout, 7 * hour);
    expect(await statusesOf(shop, payout)).toEqual(['returned']);
  });

  it('comes back, and is paid by PayPal all the same', async () => {
    const { shop, payout } = await paidByHand(() => 'by the bank');
    expect(await statusesOf(shop, payout)).toEqual(['paid!twice']);
    await checkFirst(shop, payout, 'paid');
    expect((await markFirst(shop, payout, { status: 'returned' })).status).toBe(200);
    await later(app, payout, 7 * hour);
    expect(await statusesOf(shop, payout)).toEqual(['paid']);
  });
});

it('one that failed beside one that is on its way is on its way', async () => {
  const { shop, payout, reference } = await sent();
  await advance(app, payout);
  const [payment] = paypal.books.itemsOf(reference);
  const batch = paypal.books.batches.get(payment!.batchId);
  batch!.items.push({ ...payment!, itemId: 'ANOTHER', word: 'PENDING' });
  paypal.books.sayOf(payment!, 'FAILED', { error: funds });
  await later(app, payout, 2 * minute);
  expect(await statusesOf(shop, payout)).toEqual(['sending']);
});

it('what differed is asked about on, when somebody said that nothing was sent', async () => {
  const { shop, payout, reference } = await sent();
  paypal.moods.send = [{ silence: 'after' }];
  await advance(app, payout);
  const [own] = paypal.books.itemsOf(reference);
  const { address } = own!;
  own!.address = 'another@partner.test';
  await later(app, payout, minute);
  expect(await statusesOf(shop, payout)).toEqual(['sending!differs']);
  expect((await resolve(shop, payout, { nothingSent: true })).status).toBe(200);

  own!.address = address;
  paypal.books.say(reference, 'SUCCESS');
  await later(app, payout, hour);
  expect(await statusesOf(shop, payout)).toEqual(['paid']);
  expect(await batchesOf(shop, payout)).toMatchObject([{ status: 'ended' }]);
});

describe('after a restore', () => {
  it('what somebody says was not sent wants a look: it may have been sent since', async () => {
    const { shop, payout } = await vanished();
    await noteRestore();
    expect((await resolve(shop, payout, { nothingSent: true })).status).toBe(200);
    expect(await statusesOf(shop, payout)).toEqual(['ready!restored']);
    expect((await shop.send(payout)).status).toBe(422);
  });

  it('a try that was about to be said is not, once a restore is noted', async () => {
    const { shop, payout } = await sent();
    const now = await noteRestore();
    // Its first request is refused for its token; the next one would be taken.
    paypal.onCall = async () => {
      paypal.onCall = undefined;
      await stopTries(app.deps.db.manager, { now, notedAt: now });
    };
    paypal.moods.send = [{ status: 401, body: errorOf('AUTHENTICATION_FAILURE') }];
    await advance(app, payout);
    expect(paypal.books.itemsOf(payout.items[0]?.reference ?? '')).toHaveLength(0);
    expect(await statusesOf(shop, payout)).toEqual(['sending!unanswered']);
    expect(await itemsOf(shop, payout)).toHaveLength(1);
  });
});
