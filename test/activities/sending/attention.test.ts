import { query } from '../../../entities/database/sql';
import { codeOf } from '../../support/api-client';
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
import { checkFirst, day, hour, markFirst, minute, usePayPal } from '../../support/paypal/suite';

const { app, paypal, sent } = usePayPal();
afterEach(async () => {
  expect(await compareBooks(app, paypal)).toEqual([]);
});

async function noticesOf({ member }: PayPalShop): Promise<number> {
  const rows = await query(
    app.deps.db.manager,
    `SELECT 1 FROM notifications WHERE workspace_id = $1 AND type = 'payout.attention'`,
    [member.workspaceId],
  );
  return rows.length;
}

describe('differs', () => {
  it('is a batch that PayPal has by our id with other money, and is asked about by its id', async () => {
    const { shop, payout, reference } = await sent();
    paypal.moods.send = [{ silence: 'after' }];
    await advance(app, payout);
    const [own] = paypal.books.itemsOf(reference);
    const { address } = own!;
    own!.address = 'another@partner.test';

    await later(app, payout, minute);

    expect(await statusesOf(shop, payout)).toEqual(['sending!differs']);
    expect(await batchesOf(shop, payout)).toMatchObject([{ status: 'attention' }]);
    expect(await noticesOf(shop)).toBe(1);
    const tries = paypal.countOf('send');
    own!.address = address;
    paypal.books.say(reference, 'SUCCESS');
    await later(app, payout, hour);
    expect(paypal.countOf('send')).toBe(tries);
    // An item that differed is checked by a person all the same.
    expect(await statusesOf(shop, payout)).toEqual(['paid!differs']);
    expect((await checkFirst(shop, payout, 'paid')).status).toBe(200);
    expect(await statusesOf(shop, payout)).toEqual(['paid']);
  });

  it('is a payment of another sum than ours, until a person says what it was', async () => {
    const { shop, payout, reference } = await sent();
    await advance(app, payout);
    const [own] = paypal.books.itemsOf(reference);
    own!.value = '19.00';
    paypal.books.say(reference, 'SUCCESS');
    await later(app, payout, 2 * minute);
    expect(await statusesOf(shop, payout)).toEqual(['sending!differs']);

    expect(codeOf(await markFirst(shop, payout, { status: 'paid' }))).toEqual([
      409,
      'PAYOUT_ITEM_SENDING',
    ]);
    expect((await checkFirst(shop, payout, 'paid')).status).toBe(200);
    await later(app, payout, hour);
    expect(await statusesOf(shop, payout)).toEqual(['paid']);
  });
});

describe('twice', () => {
  it('is an item that an earlier batch pays, too', async () => {
    const { shop, payout, reference } = await sent();
    await advance(app, payout);
    const error = { name: 'INSUFFICIENT_FUNDS', message: 'Why' };
    paypal.books.say(reference, 'FAILED', { error });
    await later(app, payout, 2 * minute);
    expect((await shop.send(payout)).status).toBe(202);
    await advance(app, payout);
    const [first, second] = paypal.books.itemsOf(reference);
    paypal.books.sayOf(second!, 'SUCCESS', { error: null });
    await later(app, payout, hour);
    expect(await statusesOf(shop, payout)).toEqual(['paid']);

    paypal.books.sayOf(first!, 'SUCCESS', { error: null });
    await later(app, payout, hour);

    expect(await statusesOf(shop, payout)).toEqual(['paid!twice']);
    expect(await noticesOf(shop)).toBe(1);
    expect((await (await shop.api()).get('/api/v1/workspace/inbox')).body).toMatchObject({
      payoutAttention: 1,
    });
    expect((await checkFirst(shop, payout, 'paid')).status).toBe(200);
    paypal.books.sayOf(first!, 'RETURNED');
    await later(app, payout, hour);
    expect(await statusesOf(shop, payout)).toEqual(['paid']);
  });
});

describe('too long', () => {
  it('is an item that is on its way for 45 days, until it is paid', async () => {
    const { shop, payout, reference } = await sent(2);
    await advance(app, payout);
    const [, other] = payout.items;
    paypal.books.say(other?.reference ?? '', 'SUCCESS');
    await later(app, payout, 44 * day);
    expect((await statusesOf(shop, payout)).sort()).toEqual(['paid', 'sending']);

    await later(app, payout, 2 * day);

    expect((await statusesOf(shop, payout)).sort()).toEqual(['paid', 'sending!too_long']);
    expect(await noticesOf(shop)).toBe(1);
    await later(app, payout, day);
    expect(await noticesOf(shop)).toBe(1);
    paypal.books.say(reference, 'SUCCESS');
    await later(app, payout, 2 * day);
    expect(await statusesOf(shop, payout)).toEqual(['paid', 'paid']);
  });
});

/** All that is kept of a payout outside the rows of its people. */
async function keptOf({ member }: PayPalShop, payout: { id: string }): Promise<string> {
  const rows = await query<{ text: string }>(
    app.deps.db.manager,
    `SELECT to_jsonb(b)::text AS text FROM payout_batches AS b WHERE payout_id = $1
      UNION ALL SELECT to_jsonb(i)::text FROM payout_batch_items AS i
        JOIN payout_batches AS b ON b.id = i.batch_id WHERE b.payout_id = $1
      UNION ALL SELECT to_jsonb(l)::text FROM audit_log AS l WHERE l.workspace_id = $2
      UNION ALL SELECT to_jsonb(e)::text FROM events AS e WHERE e.workspace_id = $2
      UNION ALL SELECT to_jsonb(o)::text FROM outbox AS o WHERE o.workspace_id = $2`,
    [payout.id, member.workspaceId],
  );
  return rows.map(({ text }) => text).join('\n');
}

it('keeps no address outside what is encrypted: request, answers, audit lines, events, work', async () => {
  const { shop, payout, reference } = await sent();
  const message = 'Not payee@partner.test <other@partner.test>';
  paypal.moods.send = [{ status: 500, body: { ...errorOf('INTERNAL_ERROR'), message } }];
  await advance(app, payout);
  const tried = await keptOf(shop, payout);
  await later(app, payout, minute);
  const error = { name: 'RECEIVER_UNREGISTERED', message };
  paypal.books.say(reference, 'FAILED', { error });
  await later(app, payout, 2 * minute);
  const [item] = await itemsOf(shop, payout);

  const kept = `${tried}\n${await keptOf(shop, payout)}`;
  for (const word of ['payout.batch_stored', 'payout.batch_taken', 'Not [address] <[address]>']) {
    expect(kept).toContain(word);
  }
  expect(kept).not.toContain('partner.test');
  expect(item?.reason).not.toContain('@');
  expect(JSON.stringify(await batchesOf(shop, payout))).not.toContain('@');
});
