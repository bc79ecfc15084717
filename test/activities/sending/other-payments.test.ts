import type { StandInItem } from '../../support/paypal/books';
import { advance, compareBooks, itemsOf, later, statusesOf } from '../../support/paypal/shop';
import { client, errorOf, type Mood } from '../../support/paypal/stand-in';
import {
  checkFirst,
  hour,
  markFirst,
  minute,
  resolve,
  usePayPal,
  type Sent,
} from '../../support/paypal/suite';

/** A second payment that PayPal makes, or lists, beside the one that is known. */
const { app, paypal, sent, sentAgain } = usePayPal();
afterEach(async () => {
  expect(await compareBooks(app, paypal)).toEqual([]);
});
const locked = { name: 'RECEIVER_ACCOUNT_LOCKED', message: 'Why' };
const refused: Mood = { status: 422, body: errorOf('INSUFFICIENT_FUNDS') };

async function says({ payout }: Sent, payment: StandInItem, word: string): Promise<void> {
  paypal.books.sayOf(payment, word);
  await later(app, payout, 7 * hour);
}

describe('payments that are listed without ids of their own', () => {
  /** One payout's only reference is listed so often, in these words. */
  async function listed(...rows: { word: string; transactionId?: string }[]): Promise<Sent> {
    const story = await sent();
    await advance(app, story.payout);
    const [own] = paypal.books.itemsOf(story.reference);
    const batch = paypal.books.batches.get(own!.batchId)!;
    const amount = { currency: own!.currency, value: own!.value };
    const told = { sender_item_id: story.reference, receiver: own!.address, amount };
    const header = { sender_batch_id: batch.senderBatchId };
    const body = {
      ...{ total_items: rows.length, total_pages: 1 },
      batch_header: { payout_batch_id: batch.batchId, sender_batch_header: header },
      items: rows.map(({ word, transactionId }) => ({
        ...{ transaction_status: word, payout_item: told, errors: locked },
        ...(transactionId && { transaction_id: transactionId }),
      })),
    };
    own!.word = rows.some(({ word }) => word === 'SUCCESS') ? 'SUCCESS' : null;
    paypal.moods.ask = [{ status: 200, body }];
    await later(app, story.payout, minute);
    return story;
  }

  it('count each: one that failed does not hide one that is on its way', async () => {
    const { shop, payout } = await listed({ word: 'PENDING' }, { word: 'FAILED' });
    expect(await statusesOf(shop, payout)).toEqual(['sending']);
  });

  it('count each: two that were paid are paid twice', async () => {
    const { shop, payout } = await listed({ word: 'SUCCESS' }, { word: 'SUCCESS' });
    expect(await statusesOf(shop, payout)).toEqual(['paid!twice']);
  });

  it('are one by one transaction', async () => {
    const paid = { word: 'SUCCESS', transactionId: 'T1' };
    const { shop, payout } = await listed(paid, paid);
    expect(await statusesOf(shop, payout)).toEqual(['paid']);
  });
});

it('a list is read to its last page, whatever it counts', async () => {
  const { shop, payout } = await sent(2);
  await advance(app, payout);
  const batch = [...paypal.books.batches.values()].at(-1)!;
  const [first, second] = batch.items;
  paypal.books.sayOf(second!, 'SUCCESS');
  const row = (item: StandInItem) => ({
    payout_item_id: item.itemId,
    transaction_status: item.word ?? 'PENDING',
    payout_item: {
      ...{ sender_item_id: item.reference, receiver: item.address },
      amount: { currency: item.currency, value: item.value },
    },
  });
  const page = (item: StandInItem): Mood => ({
    status: 200,
    body: {
      ...{ total_items: 1, total_pages: 2, items: [row(item)] },
      batch_header: {
        ...{ payout_batch_id: batch.batchId, batch_status: 'DENIED' },
        sender_batch_header: { sender_batch_id: batch.senderBatchId },
      },
    },
  });
  paypal.moods.ask = [page(first!), page(second!)];
  await later(app, payout, minute);
  expect((await statusesOf(shop, payout)).sort()).toEqual(['paid', 'ready']);
});

describe('another id by which PayPal had known the batch', () => {
  /** PayPal has taken it and shows nothing of it, and then has another one. */
  async function takenAgain(answerOf: (one: { batchId: string }) => Mood | undefined) {
    const story = await sent();
    const { payout, reference } = story;
    paypal.moods.send = [{ silence: 'after' }];
    await advance(app, payout);
    const [first] = paypal.books.itemsOf(reference);
    first!.isUnlisted = true;
    await later(app, payout, minute);
    const former = paypal.books.batches.get(first!.batchId)!;
    const { senderBatchId } = former;
    // Its id is free again, and it pays all the same.
    former.word = 'DENIED';
    const second = paypal.books.take(client.clientId, { senderBatchId, subject: '' }, [first!]);
    const mood = answerOf(second);
    if (mood) paypal.moods.send = [mood];
    await later(app, payout, 5 * minute);
    former.word = 'SUCCESS';
    first!.isUnlisted = false;
    paypal.books.sayOf(first!, 'SUCCESS');
    paypal.books.sayOf(second.items[0]!, 'SUCCESS');
    for (let passed = 0; passed < 3; passed += 1) await later(app, payout, 7 * hour);
    return story;
  }

  it('may pay beside the one that it takes', async () => {
    const { shop, payout } = await takenAgain(({ batchId }) => ({
      status: 201,
      body: { batch_header: { payout_batch_id: batchId, batch_status: 'PENDING' } },
    }));
    expect(await statusesOf(shop, payout)).toEqual(['paid!twice']);
  });

  it('may pay beside the one that it shows', async () => {
    const { shop, payout } = await takenAgain(() => undefined);
    expect(await statusesOf(shop, payout)).toEqual(['paid!twice']);
  });

  it('is not forgotten for a third, of which nothing is listed yet', async () => {
    const story = await sent();
    const { shop, payout, reference } = story;
    const known = (id: string): Mood => ({
      status: 400,
      body: errorOf('USER_BUSINESS_ERROR', {
        details: [{ field: 'SENDER_BATCH_ID', link: [{ href: `https://paypal.test/${id}` }] }],
      }),
    });
    paypal.moods.send = [known('FIRST'), known('SECOND')];
    await advance(app, payout);
    await later(app, payout, minute);
    expect(await statusesOf(shop, payout)).toEqual(['sending!differs']);
    await later(app, payout, hour);
    expect(paypal.books.itemsOf(reference)).toEqual([]);
  });
});

it('an id that is named late, and shows nothing yet, is asked about once somebody has let the batch go', async () => {
  const { shop, payout, reference } = await sent();
  paypal.moods.send = [{ silence: 'after' }];
  await advance(app, payout);
  const [first] = paypal.books.itemsOf(reference);
  first!.isUnlisted = true;
  // The process stands still before its list: the 72 hours end meanwhile.
  paypal.onCall = async (kind) => {
    if (kind !== 'ask') return;
    paypal.onCall = undefined;
    paypal.moods.send = Array.from({ length: 30 }, (): Mood => ({ silence: 'before' }));
    for (const wait of [2 * minute, 73 * hour]) await later(app, payout, wait);
    expect(await statusesOf(shop, payout)).toEqual(['sending!unanswered']);
    expect((await resolve(shop, payout, { nothingSent: true })).status).toBe(200);
  };
  await later(app, payout, minute);
  first!.isUnlisted = false;
  paypal.books.sayOf(first!, 'SUCCESS');
  await later(app, payout, 7 * hour);
  expect(await statusesOf(shop, payout)).toEqual(['paid']);
});

describe('what an earlier batch pays', () => {
  it.each(['failed', 'returned'])(
    'is paid, though somebody who has looked says that it %s',
    async (said) => {
      const story = await sentAgain(said === 'failed' ? [refused] : []);
      const { shop, payout, payment } = story;
      const second = paypal.books.itemsOf(story.reference).at(-1)!;
      if (said === 'returned') await says(story, second, 'SUCCESS');
      await says(story, payment, 'SUCCESS');
      expect((await checkFirst(shop, payout, said)).status).toBe(200);
      second.word = said === 'returned' ? 'RETURNED' : second.word;
      await later(app, payout, 7 * hour);
      expect(await statusesOf(shop, payout)).toEqual(['paid']);
      expect(await itemsOf(shop, payout)).toMatchObject([{ transactionId: payment.transactionId }]);
    },
  );

  it('is not paid again when PayPal repeats what somebody knows to have come back', async () => {
    const story = await sentAgain();
    const { shop, payout, payment, reference } = story;
    const second = paypal.books.itemsOf(reference).at(-1)!;
    second.error = locked;
    await says(story, second, 'FAILED');
    await says(story, payment, 'SUCCESS');
    expect(await statusesOf(shop, payout)).toEqual(['paid!twice']);
    await checkFirst(shop, payout, 'paid');
    expect((await markFirst(shop, payout, { status: 'returned' })).status).toBe(200);
    await later(app, payout, 7 * hour);
    expect(await statusesOf(shop, payout)).toEqual(['returned']);
    payment.word = 'RETURNED';
    await later(app, payout, 7 * hour);
    expect(await statusesOf(shop, payout)).toEqual(['returned']);
  });

  it('is looked at anew when it goes on in another word', async () => {
    const story = await sentAgain([refused]);
    const { shop, payout, payment } = story;
    await says(story, payment, 'PENDING');
    await checkFirst(shop, payout, 'failed');
    await says(story, payment, 'PENDING');
    expect(await statusesOf(shop, payout)).toEqual(['failed']);
    await says(story, payment, 'UNCLAIMED');
    expect(await statusesOf(shop, payout)).toEqual(['failed!twice']);
  });
});
