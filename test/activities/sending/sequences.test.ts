import { findAccount } from '../../../activities/accounts/accounts';
import { confirmCode } from '../../../activities/accounts/two-factor/codes';
import { changedSince } from '../../../activities/restore/audit-lines';
import { releasePayouts } from '../../../activities/restore/release-payouts';
import { afterRestore } from '../../../activities/restore/steps';
import { advanceBatch } from '../../../activities/sending/advance';
import { findBatch } from '../../../activities/sending/batches';
import { resolveBatch, verifyBatch } from '../../../activities/sending/resolve';
import { raiseLostBatches } from '../../../activities/sending/restored';
import { newId } from '../../../entities/ids';
import { operatorActor, systemActor } from '../../../entities/rules/values/actor';
import type { StandInItem } from '../../support/paypal/books';
import { advance, compareBooks, itemsOf, later, statusesOf } from '../../support/paypal/shop';
import { busy, client, down, funds, refused, type Mood } from '../../support/paypal/stand-in';
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

/** What PayPal may say after somebody has said what became of the money, and the other way round. */
const { app, paypal, sent, vanished, sentAgain, noteRestore } = usePayPal();
afterEach(async () => {
  expect(await compareBooks(app, paypal)).toEqual([]);
});

const always = (mood: Mood): Mood[] => Array.from({ length: 100 }, () => mood);

/** PayPal says it of a payment, and is asked. */
async function says(
  { payout }: Sent,
  payment: StandInItem,
  word: string,
  more: Parameters<typeof paypal.books.sayOf>[2] = {},
): Promise<void> {
  paypal.books.sayOf(payment, word, more);
  await later(app, payout, 7 * hour);
}

async function isNow({ shop, payout }: Sent, status: string): Promise<void> {
  expect(await statusesOf(shop, payout)).toEqual([status]);
}

/** A person has looked, and it is what it was, or what they say. */
async function looked({ shop, payout }: Sent, status = 'paid'): Promise<void> {
  expect((await checkFirst(shop, payout, status)).status).toBe(200);
  await later(app, payout, 7 * hour);
}

describe('an earlier payment that somebody takes for the one, and that comes back,', () => {
  it.each<[string, Mood[], string]>([
    ['was refused', [refused], 'ready!twice'],
    ['is unknown', always(down), 'sending!twice'],
  ])('leaves nothing paid where the later one %s: a person is asked', async (_, moods, status) => {
    const story = await sentAgain(moods);
    await says(story, story.payment, 'SUCCESS');
    await isNow(story, status);
    await looked(story);
    await isNow(story, 'paid');

    await says(story, story.payment, 'RETURNED');
    await isNow(story, 'paid!word');
    await looked(story, 'returned');
    await isNow(story, 'returned');
  });

  it('leaves what the later one pays, of which somebody is told once more', async () => {
    const story = await sentAgain();
    const second = paypal.books.itemsOf(story.payment.reference).at(-1)!;
    await says(story, story.payment, 'SUCCESS');
    await looked(story);
    await says(story, second, 'SUCCESS');
    await isNow(story, 'paid!twice');
    await looked(story);

    await says(story, second, 'RETURNED');
    await isNow(story, 'paid');
    await says(story, story.payment, 'RETURNED');
    await isNow(story, 'returned');
  });

  it('is asked about where nobody named the payment that was meant', async () => {
    const story = await vanished();
    await resolve(story.shop, story.payout, { nothingSent: true });
    story.payment.isUnlisted = false;
    expect((await markFirst(story.shop, story.payout, { status: 'paid' })).status).toBe(200);
    await says(story, story.payment, 'SUCCESS');
    await isNow(story, 'paid!twice');
    await looked(story);
    await says(story, story.payment, 'RETURNED');
    await isNow(story, 'paid!word');
  });
});

describe('a batch that waits for its next try is said no more', () => {
  async function afterFirst(say: (payment: StandInItem) => void): Promise<void> {
    const { payout, shop, payment } = await sentAgain([busy]);
    say(payment);
    const [first] = await inOrder(shop, payout);
    app.deps.clock.advance(7 * hour);
    await advanceBatch(app.deps, { batchId: String(first?.['id']) });
    await later(app, payout, 7 * hour);
    expect(paypal.books.itemsOf(payment.reference)).toHaveLength(1);
    expect(await statusesOf(shop, payout)).toEqual(['ready!twice']);
    payment.value = '20.00';
  }

  it.each(['BLOCKED', 'REFUNDED', 'COMPLETED', 'success'])(
    'where the one before it says %s: money may be out',
    (word) => afterFirst((payment) => paypal.books.sayOf(payment, word)),
  );

  it('where the one before it has paid another sum', () =>
    afterFirst((payment) => {
      paypal.books.sayOf(payment, 'SUCCESS');
      payment.value = '19.00';
    }));
});

it('what somebody says was paid is returned where PayPal denies the whole batch', async () => {
  const story = await vanished();
  await looked(story);
  story.payment.isUnlisted = false;
  paypal.books.batches.get(story.payment.batchId)!.word = 'DENIED';
  await says(story, story.payment, 'PENDING');
  await isNow(story, 'returned');
});

it.each<[string, (item: StandInItem) => void]>([
  ['to another address', (item) => (item.address = 'another@partner.test')],
  ['of another sum, as a number', (item) => ((item as { value: unknown }).value = 19)],
  ['of another currency', (item) => (item.currency = 'EUR')],
])('a payment %s pays nothing here', async (_, change) => {
  const story = await sent();
  await advance(app, story.payout);
  const [payment] = paypal.books.itemsOf(story.reference);
  change(payment!);
  paypal.moods.ask = [listOf(payment!)];
  await says(story, payment!, 'SUCCESS');
  await isNow(story, 'sending!differs');
});

/** The batch as it is listed, with what the stand-in would write as texts. */
function listOf(item: StandInItem): Mood {
  const { senderBatchId } = paypal.books.batches.get(item.batchId)!;
  const header = { payout_batch_id: item.batchId, batch_status: 'SUCCESS' };
  const { itemId, address, reference, currency, value } = item;
  const sender = { sender_batch_header: { sender_batch_id: senderBatchId } };
  const told = { sender_item_id: reference, receiver: address, amount: { currency, value } };
  const row = { payout_item_id: itemId, transaction_status: 'SUCCESS', payout_item: told };
  const body = { total_items: 1, batch_header: { ...header, ...sender }, items: [row] };
  return { status: 200, body };
}

describe('what PayPal has by our id', () => {
  it('is asked about for its list when the tries are over, whatever somebody said', async () => {
    const story = await sent();
    const { shop, payout, reference } = story;
    paypal.moods.send = [{ silence: 'after' }];
    await advance(app, payout);
    const [first] = paypal.books.itemsOf(reference);
    first!.isUnlisted = true;
    for (let passed = 0; passed < 11; passed += 1) await later(app, payout, 7 * hour);
    await isNow(story, 'sending!unanswered');
    expect((await resolve(shop, payout, { nothingSent: true })).status).toBe(200);
    expect((await shop.send(payout)).status).toBe(202);
    await advance(app, payout);

    first!.isUnlisted = false;
    for (const one of paypal.books.itemsOf(reference)) await says(story, one, 'SUCCESS');
    await isNow(story, 'paid!twice');
  });

  it('is known, though its try stood still until somebody had let it go', async () => {
    const story = await sent();
    const { shop, payout } = story;
    paypal.moods.send = [{ silence: 'after' }];
    await advance(app, payout);
    paypal.onCall = async (kind) => {
      if (kind !== 'ask') return;
      paypal.onCall = undefined;
      await later(app, payout, 73 * hour);
      expect((await resolve(shop, payout, { nothingSent: true })).status).toBe(200);
    };
    await later(app, payout, minute);
    await isNow(story, 'ready!word');
  });

  it('counts by the latest question, not by the one that a person had asked', async () => {
    const { shop, payout, reference } = await sent(2);
    await advance(app, payout);
    const batch = [...paypal.books.batches.values()].at(-1)!;
    for (const item of batch.items) item.isUnlisted = true;
    for (let passed = 0; passed < 5; passed += 1) await later(app, payout, 7 * hour);
    for (const item of batch.items) item.isUnlisted = false;
    paypal.books.say(reference, 'SUCCESS');
    const [shown] = await inOrder(shop, payout);
    const batchId = String(shown?.['id']);
    const db = app.deps.db.manager;
    const found = (await findBatch(db, batchId))!;
    const taken = await verifyBatch(app.deps, found, batch.batchId);

    paypal.books.say(reference, 'RETURNED');
    await later(app, payout, 7 * hour);
    const account = (await findAccount(db, 'merchant', { id: shop.member.id }))!;
    const typed = { account, code: shop.code(), ip: '192.0.2.1', stage: 'enabled' } as const;
    const now = app.deps.clock.now();
    const context = { actor: systemActor, now, scope: { ...found } };
    const proof = await confirmCode({ db, vault: app.deps.vault }, context, typed);
    const said = { payoutId: payout.id, batchId, taken, confirmed: { account, proof } };
    await expect(resolveBatch({ ...app.deps, db }, context, said)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(await itemsOf(shop, payout)).toContainEqual(
      expect.objectContaining({ reference, status: 'failed' }),
    );
  });
});

it('nobody can say that nothing was sent of what was shown within the last day', async () => {
  const { shop, payout, payment } = await vanished();
  payment.isUnlisted = false;
  await later(app, payout, 7 * hour);
  payment.isUnlisted = true;
  await later(app, payout, 7 * hour);
  expect((await resolve(shop, payout, { nothingSent: true })).status).toBe(409);

  for (let passed = 0; passed < 4; passed += 1) await later(app, payout, 7 * hour);
  expect((await resolve(shop, payout, { nothingSent: true })).status).toBe(200);
});

it('a transaction that is told after the payment is that of the item', async () => {
  const story = await sent();
  await advance(app, story.payout);
  const [payment] = paypal.books.itemsOf(story.reference);
  await says(story, payment!, 'SUCCESS', { transactionId: null });
  await isNow(story, 'paid');
  await says(story, payment!, 'SUCCESS', { transactionId: 'TOLD-LATE' });
  const [item] = await itemsOf(story.shop, story.payout);
  expect(item?.transactionId).toBe('TOLD-LATE');
});

describe('after a restore', () => {
  it('a batch that was being tried is said no more: it may have been refused and sent anew', async () => {
    const story = await sent();
    const { payout, reference } = story;
    const since = app.deps.clock.now();
    app.deps.clock.advance(minute);
    const forgotten = { senderBatchId: newId(), subject: '' };
    const payee = { address: 'payee@partner.test', currency: 'USD', value: '20.00', note: '' };
    paypal.books.take(client.clientId, forgotten, [{ reference, ...payee }]);
    paypal.books.say(reference, 'SUCCESS');
    const cause = { actor: operatorActor, now: app.deps.clock.now() };
    const steps = afterRestore(app.deps, cause, { since, erasures: null, changes: null });
    const told: string[] = [];
    for await (const { step, lines } of steps) if (step === 'batches') told.push(...lines);
    await releasePayouts(app.deps.db.manager, cause);
    await later(app, payout, hour);

    expect(told.at(0)).toMatch(/^\d+ items of payouts wait for a look/);
    expect(paypal.books.itemsOf(reference)).toHaveLength(1);
    await isNow(story, 'sending!unanswered');
  });

  it('a payout that it forgot whole is named, with what finds its batch at PayPal', async () => {
    const since = app.deps.clock.now();
    app.deps.clock.advance(minute);
    const [payoutId, batchId] = [newId(), newId()];
    const line = (action: string, providerBatchId: string | null) =>
      JSON.stringify({
        ...{ id: newId(), created_at: app.deps.clock.now(), action, actor_id: null },
        ...{ target_type: 'payout_batch', target_id: batchId },
        details: {
          ...{ payoutId, senderBatchId: 'aps-forgotten', providerBatchId },
          ...{ currency: 'usd', items: 2, amountCents: 4_000 },
        },
      });
    const lines = [line('payout.batch_stored', null), line('payout.batch_taken', 'PAYPALS')];
    const cause = { actor: operatorActor, now: app.deps.clock.now() };
    const changes = changedSince(lines.join('\n'), since);
    const told: string[] = [];
    for await (const { step, lines: said } of afterRestore(app.deps, cause, {
      ...{ since, erasures: null, changes },
    })) {
      if (step === 'batches') told.push(...said);
    }
    await releasePayouts(app.deps.db.manager, cause);
    expect(told.slice(1)).toEqual([
      'batches of payouts that are not here: 1; what they may have paid looks payable again',
      `payout ${payoutId}  batch aps-forgotten  its provider's PAYPALS  2 items  40.00 usd`,
    ]);
  });

  it('what it made doubtful no word of PayPal’s makes sure', async () => {
    const story = await sent();
    const { shop, payout, reference } = story;
    await advance(app, payout);
    const [payment] = paypal.books.itemsOf(reference);
    payment!.error = funds;
    await says(story, payment!, 'FAILED');
    const now = await noteRestore();
    const lost = [{ batchId: newId(), payoutId: payout.id, currency: 'usd' }];
    await raiseLostBatches(app.deps.db.manager, { now, notedAt: now }, lost);

    for (const word of ['PENDING', 'BLOCKED', 'FAILED']) await says(story, payment!, word);
    await isNow(story, 'ready!restored');
    expect((await shop.send(payout)).status).toBe(422);
  });
});
