import { raiseLostBatches } from '../../../activities/sending/restored';
import { execute, transaction } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import { eventually } from '../../support/eventually';
import { waitsForLock } from '../../support/faults/waits-for-lock';
import { advance, batchesOf, compareBooks, later, statusesOf } from '../../support/paypal/shop';
import { client, errorOf, type Mood } from '../../support/paypal/stand-in';
import { checkFirst, hour, markFirst, resolve, usePayPal } from '../../support/paypal/suite';

/** What somebody paid by hand, and named, while PayPal had it: which money came back is never guessed. */
const { app, paypal, sent, vanished } = usePayPal();

/** Its batch had vanished, and it was paid by the bank: somebody has looked, and said by which payment. */
async function paidByBank(transactionId: string | null = 'by the bank') {
  const story = await vanished();
  const mark = { status: 'paid', confirmChecked: true, transactionId };
  expect((await markFirst(story.shop, story.payout, mark)).status).toBe(200);
  story.payment.isUnlisted = false;
  const says = async (word: string): Promise<string[]> => {
    paypal.books.sayOf(story.payment, word);
    await later(app, story.payout, 7 * hour);
    return statusesOf(story.shop, story.payout);
  };
  const outcomes = async (): Promise<unknown> =>
    (await batchesOf(story.shop, story.payout))[0]?.['outcomes'];
  return { ...story, says, outcomes };
}

describe('an item that somebody paid by the bank while its batch had vanished', () => {
  it('is paid twice when PayPal pays it as well, until somebody has checked', async () => {
    const { shop, payout, says, outcomes } = await paidByBank();
    expect(await says('PENDING')).toEqual(['paid']);
    expect(await says('SUCCESS')).toEqual(['paid!twice']);
    await checkFirst(shop, payout, 'paid');
    expect(await says('SUCCESS')).toEqual(['paid']);

    // What PayPal sends back is not the money of the bank.
    expect(await says('RETURNED')).toEqual(['paid']);
    expect(await outcomes()).toMatchObject([{ outcome: 'returned', items: 1 }]);
  });

  it('is paid by PayPal, once what the bank had paid came back', async () => {
    const { shop, payout, says } = await paidByBank();
    await says('SUCCESS');
    await checkFirst(shop, payout, 'paid');
    await markFirst(shop, payout, { status: 'returned' });
    await later(app, payout, 7 * hour);
    expect(await statusesOf(shop, payout)).toEqual(['paid']);
    expect(await compareBooks(app, paypal, payout)).toEqual([]);

    expect(await says('RETURNED')).toEqual(['returned']);
  });

  it('came back twice when both payments did, and is paid by neither', async () => {
    const { shop, payout, says, outcomes } = await paidByBank();
    await says('SUCCESS');
    await checkFirst(shop, payout, 'paid');
    await markFirst(shop, payout, { status: 'returned' });
    expect(await says('RETURNED')).toEqual(['returned']);
    expect(await outcomes()).toMatchObject([{ outcome: 'returned', items: 1 }]);
  });

  it.each(['RETURNED', 'FAILED', 'REVERSED'])(
    'is not free again when PayPal says %s: a person says which payment came back',
    async (word) => {
      const { shop, payout, says } = await paidByBank();
      expect(await says(word)).toEqual(['paid!word']);
      await checkFirst(shop, payout, 'paid');
      expect(await says(word)).toEqual(['paid']);
    },
  );

  it('is not free again when PayPal denies the whole batch', async () => {
    const { payment, says } = await paidByBank();
    paypal.books.batches.get(payment.batchId)!.word = 'DENIED';
    expect(await says('PENDING')).toEqual(['paid!word']);
  });

  it('is returned where nobody named another payment', async () => {
    const { says } = await paidByBank(null);
    expect(await says('RETURNED')).toEqual(['returned']);
  });
});

it('a payment of PayPal’s that somebody named comes back by another transaction', async () => {
  const { shop, payout, payment } = await vanished();
  paypal.books.sayOf(payment, 'SUCCESS');
  const { transactionId } = payment;
  await markFirst(shop, payout, { status: 'paid', confirmChecked: true, transactionId });
  payment.isUnlisted = false;
  await later(app, payout, 7 * hour);
  expect(await statusesOf(shop, payout)).toEqual(['paid']);
  paypal.books.sayOf(payment, 'RETURNED');
  await later(app, payout, 7 * hour);
  expect(await statusesOf(shop, payout)).toEqual(['returned']);
});

it('what is found by another id than PayPal had named may be paid by both', async () => {
  const { shop, payout, payment } = await vanished();
  const former = paypal.books.batches.get(payment.batchId)!;
  const { senderBatchId, subject } = former;
  // Its id is free for another batch, and the first one pays all the same.
  former.word = 'DENIED';
  const [second] = paypal.books.take(
    client.clientId,
    { senderBatchId, subject },
    former.items,
  ).items;
  former.word = 'SUCCESS';
  paypal.books.sayOf(payment, 'SUCCESS');
  paypal.books.sayOf(second!, 'SUCCESS');
  const providerBatchId = second!.batchId;
  expect((await resolve(shop, payout, { providerBatchId })).status).toBe(200);
  expect(await statusesOf(shop, payout)).toEqual(['paid!twice']);
});

describe('an answer that tells of a batch', () => {
  const exists = { details: [{ field: 'SENDER_BATCH_ID', issue: 'exists' }] };

  it.each<[number, object]>([
    [429, exists],
    [401, exists],
    [429, { batch_header: { payout_batch_id: 'A1', batch_status: 'PENDING' } }],
    [401, { message: 'Batch with given sender_batch_id already exists' }],
  ])('with %s leaves a doubt: nothing is free again', async (status, more) => {
    const { shop, payout } = await sent();
    const mood: Mood = { status, body: errorOf('RATE_LIMIT_REACHED', { ...more }) };
    paypal.moods.send = Array.from({ length: 300 }, () => mood);
    await advance(app, payout);
    for (let passed = 0; passed < 11; passed += 1) await later(app, payout, 7 * hour);
    expect(await statusesOf(shop, payout)).toEqual(['sending!unanswered']);
  });
});

it('a batch that a backup forgot is raised before or after a send, never beside it', async () => {
  const { payout } = await sent();
  const db = app.deps.db.manager;
  const now = app.deps.clock.now();
  const lost = [{ batchId: newId(), payoutId: payout.id, currency: 'usd' }];
  let raising: Promise<number> | undefined;
  await execute(db, `UPDATE payout_items SET status = 'ready' WHERE payout_id = $1`, [payout.id]);
  await transaction(db, async (tx) => {
    // The lock of a send that has chosen its items and has not written them yet.
    await execute(tx, 'SELECT 1 FROM payouts WHERE id = $1 FOR UPDATE', [payout.id]);
    raising = raiseLostBatches(db, { now, notedAt: now }, lost);
    await eventually(() => waitsForLock(db));
    await execute(tx, `UPDATE payout_items SET status = 'sending' WHERE payout_id = $1`, [
      payout.id,
    ]);
  });
  expect(await raising).toBe(0);
});
