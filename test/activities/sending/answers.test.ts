import { errorOf } from '../../support/paypal/stand-in';
import {
  advance,
  batchesOf,
  compareBooks,
  itemsOf,
  later,
  statusesOf,
} from '../../support/paypal/shop';
import { hour, minute, usePayPal } from '../../support/paypal/suite';

const { app, paypal, sent } = usePayPal();
afterEach(async () => {
  expect(await compareBooks(app, paypal)).toEqual([]);
});

describe('a batch that PayPal takes', () => {
  it('is paid when PayPal says so, with its transaction, and not before', async () => {
    const { shop, payout } = await sent(2);
    expect(await statusesOf(shop, payout)).toEqual(['sending', 'sending']);
    expect(paypal.countOf('send')).toBe(0);

    await advance(app, payout);
    expect(await batchesOf(shop, payout)).toMatchObject([
      {
        status: 'taken',
        tries: 1,
        outcomes: [{ outcome: 'sending', items: 2, amountCents: 4_000 }],
      },
    ]);
    await later(app, payout, minute);
    expect(await statusesOf(shop, payout)).toEqual(['sending', 'sending']);

    const [first, second] = payout.items;
    paypal.books.say(first?.reference ?? '', 'SUCCESS', { fee: '0.25' });
    await later(app, payout, minute);
    const items = await itemsOf(shop, payout);
    const paid = items.find(({ id }) => id === first?.id);
    expect(paid).toMatchObject({
      status: 'paid',
      provider: 'paypal',
      providerStatus: 'SUCCESS',
      fee: { amountCents: 25, currency: 'usd' },
    });
    expect(paid?.transactionId).toBe(
      paypal.books.itemsOf(first?.reference ?? '')[0]?.transactionId,
    );
    expect(items.find(({ id }) => id === second?.id)?.status).toBe('sending');

    paypal.books.say(second?.reference ?? '', 'SUCCESS');
    await later(app, payout, 3 * minute);
    expect(await statusesOf(shop, payout)).toEqual(['paid', 'paid']);
    expect(await batchesOf(shop, payout)).toMatchObject([
      { status: 'ended', outcomes: [{ outcome: 'paid', items: 2 }] },
    ]);
    expect(paypal.countOf('send')).toBe(1);
  });

  it('says the same bytes at each try, and is found again after a silence', async () => {
    const { shop, payout } = await sent();
    paypal.moods.send = [
      { silence: 'after' },
      { status: 503, body: errorOf('SERVICE_UNAVAILABLE') },
    ];

    await advance(app, payout);
    await later(app, payout, minute);
    expect(await batchesOf(shop, payout)).toMatchObject([{ status: 'trying', tries: 2 }]);
    await later(app, payout, 5 * minute);

    expect(await batchesOf(shop, payout)).toMatchObject([{ status: 'taken', tries: 3 }]);
    const bodies = paypal.calls
      .filter(({ path }) => path === '/v1/payments/payouts')
      .map((c) => c.body);
    expect(new Set(bodies).size).toBe(1);
    expect(paypal.books.itemsOf(payout.items[0]?.reference ?? '')).toHaveLength(1);
    expect(JSON.parse(bodies[0] ?? '')).toMatchObject({
      sender_batch_header: { recipient_type: 'EMAIL', email_subject: 'Demo shop Marz 1' },
    });
    expect(paypal.calls[0]?.headers['paypal-request-id']).toBeUndefined();
    paypal.books.payAll();
    await later(app, payout, minute);
    expect(await statusesOf(shop, payout)).toEqual(['paid']);
  });
});

describe('a batch that PayPal refuses', () => {
  it('is ready again, with its words, and may be sent anew by another id', async () => {
    const { shop, payout } = await sent();
    paypal.moods.send = [{ status: 422, body: errorOf('INSUFFICIENT_FUNDS') }];

    await advance(app, payout);

    expect(await statusesOf(shop, payout)).toEqual(['ready']);
    expect((await itemsOf(shop, payout))[0]?.reason).toContain('INSUFFICIENT_FUNDS');
    expect(await batchesOf(shop, payout)).toMatchObject([
      { status: 'refused', outcomes: [{ outcome: 'released' }] },
    ]);
    expect((await shop.send(payout)).status).toBe(202);
    await advance(app, payout);
    const [again, before] = await batchesOf(shop, payout);
    expect(again?.['senderBatchId']).not.toBe(before?.['senderBatchId']);
    paypal.books.payAll();
    await later(app, payout, minute);
    expect(await statusesOf(shop, payout)).toEqual(['paid']);
  });

  it('for an address of one fails that one, and the others are ready again', async () => {
    const { shop, payout } = await sent(2);
    const details = [
      { field: 'items[1].receiver', location: 'body', issue: 'Receiver is invalid' },
    ];
    paypal.moods.send = [{ status: 400, body: errorOf('VALIDATION_ERROR', { details }) }];

    await advance(app, payout);

    expect((await statusesOf(shop, payout)).sort()).toEqual(['failed', 'ready']);
  });

  it('after a silence is not believed, and told to admins after an hour, to a person after three days', async () => {
    const { shop, payout } = await sent();
    paypal.moods.send = [
      { silence: 'after' },
      ...Array.from({ length: 100 }, () => ({ status: 422, body: errorOf('INSUFFICIENT_FUNDS') })),
    ];

    await advance(app, payout);
    await later(app, payout, minute);
    expect(await statusesOf(shop, payout)).toEqual(['sending']);
    for (let passed = 0; passed < 74; passed += 1) await later(app, payout, hour);

    expect(await statusesOf(shop, payout)).toEqual(['sending!unanswered']);
    expect(await batchesOf(shop, payout)).toMatchObject([{ status: 'attention' }]);
    const tries = paypal.countOf('send');
    await later(app, payout, 24 * hour);
    expect(paypal.countOf('send')).toBe(tries);
    const api = await shop.api();
    const { body } = await api.get<{ data: { type: string }[] }>(
      '/api/v1/notifications?category=payouts',
    );
    expect(body.data.filter(({ type }) => type === 'payout.attention')).toHaveLength(2);
    expect((await api.get('/api/v1/workspace/inbox')).body).toMatchObject({ payoutAttention: 1 });
  });

  it.each([
    ['USER_BUSINESS_ERROR', 400],
    ['INTERNAL_ERROR', 500],
    ['RESOURCE_CONFLICT', 409],
    ['A_NEW_NAME', 422],
    ['INSUFFICIENT_FUNDS', 500],
  ])('by %s with %i says nothing: it is tried again', async (name, status) => {
    const { shop, payout } = await sent();
    paypal.moods.send = [{ status, body: errorOf(name) }];
    await advance(app, payout);
    expect(await statusesOf(shop, payout)).toEqual(['sending']);
    await later(app, payout, minute);
    expect(await batchesOf(shop, payout)).toMatchObject([{ status: 'taken' }]);
    paypal.books.payAll();
    await later(app, payout, minute);
  });

  it('with 429 alone, or without a token, is ready again after three days', async () => {
    const { shop, payout } = await sent();
    paypal.moods.send = Array.from({ length: 100 }, () => ({ status: 429, body: {} }));
    await advance(app, payout);
    paypal.revokeTokens();
    paypal.moods.token = Array.from({ length: 30 }, () => ({ status: 503, body: {} }));
    for (let passed = 0; passed < 74; passed += 1) await later(app, payout, hour);

    expect(await statusesOf(shop, payout)).toEqual(['ready']);
    expect(await batchesOf(shop, payout)).toMatchObject([{ status: 'refused' }]);
  });

  it('with 401 takes a fresh token once, then makes the connection an error', async () => {
    const { shop, payout } = await sent();
    await advance(app, payout);
    paypal.books.payAll();
    paypal.revokeTokens();
    await later(app, payout, minute);
    expect(await statusesOf(shop, payout)).toEqual(['paid']);

    const next = await shop.payout();
    await shop.send(next);
    const refused = { status: 401, body: errorOf('AUTHENTICATION_FAILURE') };
    paypal.moods.send = [refused, refused];
    const before = paypal.countOf('token');
    await advance(app, next);
    expect(paypal.countOf('token')).toBe(before + 1);
    expect(await statusesOf(shop, next)).toEqual(['ready']);
    const providers = '/api/v1/workspace/payout-providers';
    expect((await (await shop.api()).get(providers)).body).toMatchObject({
      data: [{ status: 'error' }],
    });
  });
});

describe('words', () => {
  it.each([
    ['PENDING', null, 'sending'],
    ['UNCLAIMED', null, 'sending'],
    ['ONHOLD', null, 'sending'],
    ['FAILED', 'RECEIVER_ACCOUNT_LOCKED', 'failed'],
    ['FAILED', 'INSUFFICIENT_FUNDS', 'ready'],
    ['DENIED', 'UNDEFINED', 'ready'],
    ['RETURNED', null, 'failed'],
    ['BLOCKED', null, 'sending!blocked'],
    ['REFUNDED', null, 'sending!refunded'],
    ['A_NEW_WORD', null, 'sending!word'],
  ])('%s (%s) makes it %s, and after paid a return', async (word, name, status) => {
    const { shop, payout } = await sent();
    await advance(app, payout);
    const reference = payout.items[0]?.reference ?? '';
    const error = name === null ? null : { name, message: 'Why' };
    paypal.books.say(reference, word, { error });
    await later(app, payout, minute);
    expect(await statusesOf(shop, payout)).toEqual([status]);

    paypal.books.say(reference, 'SUCCESS', { error: null });
    await later(app, payout, minute);
    expect(await statusesOf(shop, payout)).toEqual(['paid']);
    paypal.books.say(reference, word, { error });
    await later(app, payout, 3 * minute);
    const [after] = await statusesOf(shop, payout);
    if (['FAILED', 'DENIED', 'RETURNED'].includes(word)) expect(after).toBe('returned');
    else expect(after?.startsWith('paid')).toBe(true);
    paypal.books.say(reference, 'SUCCESS');
    await later(app, payout, 10 * minute);
  });

  it('of a batch that is denied makes ready what has none, and a list that is short nothing', async () => {
    const { shop, payout } = await sent(2);
    await advance(app, payout);
    const [batch] = [...paypal.books.batches.values()].slice(-1);
    if (!batch) throw new Error('nothing was sent');
    batch.items[0]!.isUnlisted = true;
    paypal.books.sayOf(batch.items[1]!, 'SUCCESS');
    await later(app, payout, minute);
    expect(await statusesOf(shop, payout)).toEqual(['sending', 'sending']);
    paypal.books.sayOf(batch.items[1]!, 'PENDING');
    batch.items[0]!.isUnlisted = false;
    batch.word = 'DENIED';
    await later(app, payout, minute);
    expect(await statusesOf(shop, payout)).toEqual(['ready', 'ready']);
  });

  it('that do not come any more are a person’s after a day, and a partner hears of what waits', async () => {
    const { shop, payout } = await sent();
    await advance(app, payout);
    paypal.books.say(payout.items[0]?.reference ?? '', 'UNCLAIMED');
    await later(app, payout, minute);
    const [item] = await itemsOf(shop, payout);
    expect(item?.claimUntil).not.toBeNull();
    paypal.moods.ask = Array.from({ length: 40 }, () => ({
      status: 404,
      body: errorOf('INVALID_RESOURCE_ID'),
    }));
    for (let passed = 0; passed < 30; passed += 1) await later(app, payout, hour);
    expect(await statusesOf(shop, payout)).toEqual(['sending!vanished']);
  });
});
