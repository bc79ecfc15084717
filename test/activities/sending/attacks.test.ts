import { wakeOverdueBatches } from '../../../activities/sending/overdue';
import { stopTries } from '../../../activities/sending/restored';
import { execute, transaction } from '../../../entities/database/sql';
import { eventually } from '../../support/eventually';
import { waitsForLock } from '../../support/faults/waits-for-lock';
import { errorOf } from '../../support/paypal/stand-in';
import {
  advance,
  batchesOf,
  compareBooks,
  itemsOf,
  later,
  statusesOf,
  type PayPalShop,
} from '../../support/paypal/shop';
import { day, hour, markFirst, minute, usePayPal } from '../../support/paypal/suite';

/** What somebody would try who has PayPal's answers in their hands, or a merchant's patience. */
const { app, paypal, sent, noteRestore } = usePayPal();

async function markPaid(shop: PayPalShop, payout: { id: string }): Promise<number> {
  const mark = { status: 'paid', transactionId: 'by the bank' };
  return (await markFirst(shop, payout, mark)).status;
}

describe('what was paid in another way after PayPal failed', () => {
  it.each([
    ['INSUFFICIENT_FUNDS', 'ready'],
    ['RECEIVER_ACCOUNT_LOCKED', 'failed'],
  ])('by %s stays paid when PayPal says the same again', async (name, status) => {
    const { shop, payout, reference } = await sent();
    await advance(app, payout);
    paypal.books.say(reference, 'FAILED', { error: { name, message: 'Why' } });
    await later(app, payout, minute);
    expect(await statusesOf(shop, payout)).toEqual([status]);

    expect(await markPaid(shop, payout)).toBe(200);
    const asked = paypal.countOf('ask');
    await later(app, payout, hour);

    expect(paypal.countOf('ask')).toBe(asked + 1);
    expect(await statusesOf(shop, payout)).toEqual(['paid']);
  });

  it('stays paid whatever other words tell of what PayPal never paid', async () => {
    const { shop, payout, reference } = await sent();
    await advance(app, payout);
    const error = { name: 'INSUFFICIENT_FUNDS', message: 'Why' };
    paypal.books.say(reference, 'FAILED', { error });
    await later(app, payout, minute);
    await markPaid(shop, payout);

    paypal.books.say(reference, 'DENIED', { error });
    await later(app, payout, hour);

    expect(await statusesOf(shop, payout)).toEqual(['paid']);
  });
});

describe('an answer that tells of a batch', () => {
  const exists = 'Batch with given sender_batch_id already exists';

  it.each<[string, number, object]>([
    ['by the field', 422, { details: [{ field: 'SENDER_BATCH_ID', issue: 'It exists already' }] }],
    ['by an issue', 400, { details: [{ field: 'items', issue: exists }] }],
    ['by a description', 403, { details: [{ issue: 'TAKEN', description: exists }] }],
    ['by its message', 400, { message: exists }],
    ['by a batch', 400, { batch_header: { payout_batch_id: 'A1', batch_status: 'PENDING' } }],
  ])('%s refuses nothing, whatever its status', async (_where, status, more) => {
    const { shop, payout } = await sent();
    paypal.moods.send = [{ status, body: errorOf('VALIDATION_ERROR', { ...more }) }];
    await advance(app, payout);
    expect(await statusesOf(shop, payout)).toEqual(['sending']);
  });

  it('by the header that it was sent in refuses it all the same', async () => {
    const { shop, payout } = await sent();
    const details = [{ field: 'sender_batch_header.email_subject', issue: 'Too long' }];
    paypal.moods.send = [{ status: 400, body: errorOf('VALIDATION_ERROR', { details }) }];
    await advance(app, payout);
    expect(await statusesOf(shop, payout)).toEqual(['ready']);
  });
});

it('believes no answer about another payment, when one is taken back', async () => {
  const { shop, payout, reference } = await sent();
  await advance(app, payout);
  paypal.books.say(reference, 'UNCLAIMED');
  await later(app, payout, minute);
  const body = {
    payout_item_id: 'ANOTHER',
    transaction_status: 'SUCCESS',
    transaction_id: 'T1',
    payout_item: { sender_item_id: reference, amount: { currency: 'USD', value: '20.00' } },
  };
  paypal.moods.item = [{ status: 200, body }];
  const [item] = await itemsOf(shop, payout);
  await (await shop.api()).post(`/api/v1/payouts/${payout.id}/items/${item?.id}/cancel-unclaimed`);

  expect(await statusesOf(shop, payout)).toEqual(['sending']);
  await later(app, payout, hour);
  expect(await statusesOf(shop, payout)).toEqual(['failed']);
});

it('believes no list of another batch, whoever named its id', async () => {
  const { shop, payout, reference } = await sent();
  await advance(app, payout);
  const error = { name: 'INSUFFICIENT_FUNDS', message: 'Why' };
  paypal.books.say(reference, 'FAILED', { error });
  await later(app, payout, minute);
  const first = [...paypal.books.batches.keys()].at(-1);
  await shop.send(payout);
  // The second is taken, by the id of the first.
  paypal.onCall = (kind, call) => {
    if (kind !== 'send') return;
    const { sender_batch_header: header, items } = JSON.parse(call.body) as {
      sender_batch_header: { sender_batch_id: string };
      items: { receiver: string; amount: { currency: string; value: string } }[];
    };
    const [item] = items;
    const rows = [{ ...item!.amount, address: item!.receiver, reference, note: '' }];
    const { senderBatchId, subject } = { senderBatchId: header.sender_batch_id, subject: '' };
    paypal.books.take('client-of-the-shop', { senderBatchId, subject }, rows);
  };
  const body = { batch_header: { payout_batch_id: first, batch_status: 'PENDING' } };
  paypal.moods.send = [{ status: 201, body }];
  await advance(app, payout);
  paypal.books.say(reference, 'SUCCESS');

  await later(app, payout, minute);
  expect(await statusesOf(shop, payout)).toEqual(['sending']);
  for (let passed = 0; passed < 30; passed += 1) await later(app, payout, hour);
  expect(await statusesOf(shop, payout)).toEqual(['sending!vanished']);
});

it('takes no batch as its own whose payments it does not see', async () => {
  const { shop, payout } = await sent();
  paypal.moods.send = [{ silence: 'after' }];
  await advance(app, payout);
  const batch = [...paypal.books.batches.values()].at(-1);
  const { batchId, senderBatchId } = batch!;
  const body = {
    total_items: 1,
    total_pages: 1,
    batch_header: {
      payout_batch_id: batchId,
      batch_status: 'PENDING',
      sender_batch_header: { sender_batch_id: senderBatchId },
    },
    items: [{ payout_item_id: 'A', payout_item: { sender_item_id: batch!.items[0]?.reference } }],
  };
  paypal.moods.ask = [{ status: 200, body }];
  await later(app, payout, minute);
  expect(await batchesOf(shop, payout)).toMatchObject([{ status: 'trying' }]);
  await later(app, payout, 5 * minute);
  expect(await batchesOf(shop, payout)).toMatchObject([{ status: 'taken' }]);
});

it('keeps words that no database would take, and no address that comes as a name', async () => {
  const { shop, payout, reference } = await sent();
  await advance(app, payout);
  const error = { name: 'payee@partner.test', message: 'to \0 payee@partner.test' };
  paypal.books.say(reference, 'FAILED', { error });
  await later(app, payout, minute);
  const [item] = await itemsOf(shop, payout);
  expect(item?.status).toBe('failed');
  expect(item?.reason).not.toContain('@');

  paypal.books.say(reference, `A\0WORD${'X'.repeat(5_000)}`);
  await later(app, payout, hour);
  const [after] = await itemsOf(shop, payout);
  expect(after?.attention).toMatchObject({ reason: 'word' });
  expect(after?.providerStatus?.length).toBeLessThanOrEqual(100);
});

it('lets nobody change the account while a send is being written', async () => {
  const { shop, payout } = await sent();
  const db = app.deps.db.manager;
  const ofPayout = 'batch_id IN (SELECT id FROM payout_batches WHERE payout_id = $1)';
  await execute(db, `UPDATE payout_batch_items SET outcome = 'released' WHERE ${ofPayout}`, [
    payout.id,
  ]);
  paypal.apps.set('another-client', 'its-secret');
  const api = await shop.api();
  const code = shop.code();
  let change: Promise<{ status: number; body: unknown }> | undefined;
  await transaction(db, async (tx) => {
    const { workspaceId } = shop.member;
    await execute(tx, 'SELECT 1 FROM payout_connections WHERE workspace_id = $1 FOR UPDATE', [
      workspaceId,
    ]);
    await execute(tx, `UPDATE payout_batch_items SET outcome = 'sending' WHERE ${ofPayout}`, [
      payout.id,
    ]);
    const credential = { clientId: 'another-client', clientSecret: 'its-secret' };
    change = api.put('/api/v1/workspace/payout-providers/paypal', { ...credential, code });
    await eventually(() => waitsForLock(db));
  });
  expect(await change).toMatchObject({ status: 409, body: { code: 'PROVIDER_IN_USE' } });
});

it('a batch is asked about for half a year, and wakes nobody after it', async () => {
  const { payout } = await sent();
  await advance(app, payout);
  paypal.books.payAll();
  await later(app, payout, minute);
  await later(app, payout, 181 * day);
  await later(app, payout, day);
  const asked = paypal.countOf('ask');
  await later(app, payout, day);
  expect(paypal.countOf('ask')).toBe(asked);
  const db = app.deps.db.manager;
  await execute(db, `DELETE FROM outbox WHERE topic = 'payout_batch'`, []);
  await execute(db, 'UPDATE payout_batches SET next_at = NULL WHERE payout_id <> $1', [payout.id]);
  app.deps.clock.advance(hour);
  expect(await wakeOverdueBatches(db, app.deps.clock.now())).toBe(0);
});

describe('a database that was returned to a moment', () => {
  it('tries no batch again whose items went by another one that it does not know', async () => {
    const { shop, payout, reference } = await sent();
    const now = await noteRestore();
    // What it forgot: the batch was refused, and its items were sent and paid by a second one.
    const [{ amount, receiver }] = [{ amount: '20.00', receiver: 'payee@partner.test' }];
    const rows = [{ reference, address: receiver, currency: 'USD', value: amount, note: '' }];
    paypal.books.take('client-of-the-shop', { senderBatchId: 'aps-second', subject: '' }, rows);
    paypal.books.payAll();

    await stopTries(app.deps.db.manager, { now, notedAt: now });
    await later(app, payout, minute);

    expect(paypal.countOf('send')).toBe(0);
    expect(await statusesOf(shop, payout)).toEqual(['sending!unanswered']);
    expect(await compareBooks(app, paypal, payout)).toEqual([]);
    expect(await stopTries(app.deps.db.manager, { now, notedAt: now })).toBe(0);
  });

  it('sends nothing again that comes back from a batch of before', async () => {
    const { shop, payout, reference } = await sent();
    await advance(app, payout);
    app.deps.clock.advance(minute);
    await noteRestore();
    const error = { name: 'INSUFFICIENT_FUNDS', message: 'Why' };
    paypal.books.say(reference, 'FAILED', { error });
    await later(app, payout, minute);
    expect(await statusesOf(shop, payout)).toEqual(['ready!restored']);

    const [item] = await itemsOf(shop, payout);
    const path = `/api/v1/payouts/${payout.id}/items/${item?.id}/mark`;
    const api = await shop.api();
    expect((await api.post(path, { status: 'ready', confirmChecked: true })).status).toBe(200);
    await later(app, payout, hour);
    expect(await statusesOf(shop, payout)).toEqual(['ready']);
    expect((await shop.send(payout)).status).toBe(202);
    paypal.moods.send = [{ status: 422, body: errorOf('INSUFFICIENT_FUNDS') }];
    await advance(app, payout);
    expect(await statusesOf(shop, payout)).toEqual(['ready']);
  });
});
