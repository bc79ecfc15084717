import { query } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import { codeOf, type ApiResponse } from '../../support/api-client';
import {
  advance,
  batchesOf,
  buildPayPalShop,
  compareBooks,
  itemsOf,
  later,
  statusesOf,
} from '../../support/paypal/shop';
import { hour, minute, usePayPal, type Sent } from '../../support/paypal/suite';

const { app, paypal, sent } = usePayPal();
afterEach(async () => {
  expect(await compareBooks(app, paypal)).toEqual([]);
});

/** A batch of which nobody knows: it was sent, and nothing but silence came back in three days. */
async function unanswered(silence: 'before' | 'after'): Promise<Sent> {
  const story = await sent();
  paypal.moods.send = [{ silence }];
  await advance(app, story.payout);
  await later(app, story.payout, 73 * hour);
  expect(await statusesOf(story.shop, story.payout)).toEqual(['sending!unanswered']);
  paypal.moods = {};
  return story;
}

async function pathOf({ shop, payout }: Sent): Promise<string> {
  const [batch] = await batchesOf(shop, payout);
  return `/api/v1/payouts/${payout.id}/batches/${String(batch?.['id'])}`;
}

async function resolve(story: Sent, body: object): Promise<ApiResponse> {
  const path = `${await pathOf(story)}/resolve`;
  const code = 'code' in body ? undefined : story.shop.code();
  return (await story.shop.api()).post(path, { code, ...body });
}

async function auditOf({ shop }: Sent, action: string): Promise<number> {
  const rows = await query(
    app.deps.db.manager,
    'SELECT 1 FROM audit_log WHERE workspace_id = $1 AND action = $2',
    [shop.member.workspaceId, action],
  );
  return rows.length;
}

describe('resolving a batch of which nobody knows (payouts.md, Sent by a provider)', () => {
  it('by the id that PayPal has it by asks it, and books what it says', async () => {
    const story = await unanswered('after');
    const { shop, payout, reference } = story;
    const [own] = paypal.books.itemsOf(reference);
    paypal.books.say(reference, 'SUCCESS');

    const { status, body } = await resolve(story, { providerBatchId: own?.batchId });

    expect([status, body['id']]).toEqual([200, payout.id]);
    expect(await statusesOf(shop, payout)).toEqual(['paid']);
    expect(await batchesOf(shop, payout)).toMatchObject([
      { status: 'ended', providerBatchId: own?.batchId, outcomes: [{ outcome: 'paid', items: 1 }] },
    ]);
    expect(await auditOf(story, 'payout.batch_found')).toBe(1);
    expect(await codes(resolve(story, { nothingSent: true }))).toEqual([
      409,
      'PAYOUT_BATCH_INVALID_STATE',
    ]);
  });

  it('by an id that is on its way goes on asking', async () => {
    const story = await unanswered('after');
    const { shop, payout, reference } = story;
    const [own] = paypal.books.itemsOf(reference);

    expect((await resolve(story, { providerBatchId: own?.batchId })).status).toBe(200);

    expect(await statusesOf(shop, payout)).toEqual(['sending']);
    paypal.books.say(reference, 'SUCCESS');
    await later(app, payout, 2 * minute);
    expect(await statusesOf(shop, payout)).toEqual(['paid']);
  });

  it('as nothing that was sent makes its items ready, and another send is another id', async () => {
    const story = await unanswered('before');
    const { shop, payout, reference } = story;

    expect((await resolve(story, { nothingSent: true })).status).toBe(200);

    expect(await statusesOf(shop, payout)).toEqual(['ready']);
    expect(await batchesOf(shop, payout)).toMatchObject([
      { status: 'ended', outcomes: [{ outcome: 'released', items: 1 }] },
    ]);
    expect(await auditOf(story, 'payout.batch_released')).toBe(1);
    const tries = paypal.countOf('send');
    await later(app, payout, 24 * hour);
    expect(paypal.countOf('send')).toBe(tries);
    expect((await shop.send(payout)).status).toBe(202);
    await advance(app, payout);
    const ids = (await batchesOf(shop, payout)).map((batch) => batch['senderBatchId']);
    expect(new Set(ids).size).toBe(2);
    paypal.books.say(reference, 'SUCCESS');
    await later(app, payout, 2 * minute);
    expect(await statusesOf(shop, payout)).toEqual(['paid']);
  });

  it('is refused by another batch, an unknown id, a silence, and without what is needed', async () => {
    const other = await sent();
    await advance(app, other.payout);
    const [foreign] = paypal.books.itemsOf(other.reference);
    const story = await unanswered('after');
    const [own] = paypal.books.itemsOf(story.reference);
    const { batchId } = own ?? {};

    const refusals = [
      await codes(resolve(story, { providerBatchId: foreign?.batchId })),
      await codes(resolve(story, { providerBatchId: 'NOBODYHASIT' })),
      await codes(resolve(story, {})),
      await codes(resolve(story, { providerBatchId: batchId, nothingSent: true })),
      await codes(resolve(story, { nothingSent: false })),
      await codes(resolve(story, { providerBatchId: 'a/../b' })),
      await codes(resolve(story, { providerBatchId: batchId, code: undefined })),
      await codes(resolve(story, { providerBatchId: batchId, code: '000000' })),
    ];
    paypal.moods.ask = [{ silence: 'before' }];
    refusals.push(await codes(resolve(story, { providerBatchId: batchId })));

    expect(refusals).toEqual([
      [409, 'PAYOUT_BATCH_DIFFERS'],
      [409, 'PAYOUT_BATCH_DIFFERS'],
      ...Array.from({ length: 4 }, () => [400, 'VALIDATION_ERROR']),
      [401, 'TWO_FACTOR_REQUIRED'],
      [401, 'TWO_FACTOR_INVALID'],
      [503, 'SERVICE_UNAVAILABLE'],
    ]);
    expect(await statusesOf(story.shop, story.payout)).toEqual(['sending!unanswered']);
    // A code is spent by what it led to alone.
    const code = story.shop.code();
    await resolve(story, { providerBatchId: 'NOBODYHASIT', code });
    expect((await resolve(story, { providerBatchId: batchId, code })).status).toBe(200);
    await payAll(other, story);
  });

  it('is nobody’s of another workspace, or of a batch that is on its way', async () => {
    const story = await sent();
    await advance(app, story.payout);
    const stranger = await buildPayPalShop(app);
    const path = await pathOf(story);
    const body = { nothingSent: true, code: stranger.code() };
    const api = await stranger.api();

    const refusals = [
      await codes(api.post(`${path}/resolve`, body)),
      await codes(api.post(`${path}/ask`)),
      await codes(
        (await story.shop.api()).post(`/api/v1/payouts/${story.payout.id}/batches/${newId()}/ask`),
      ),
      await codes(resolve(story, { nothingSent: true })),
    ];

    expect(refusals).toEqual([
      [404, 'PAYOUT_NOT_FOUND'],
      [404, 'PAYOUT_NOT_FOUND'],
      [404, 'NOT_FOUND'],
      [409, 'PAYOUT_BATCH_INVALID_STATE'],
    ]);
    await payAll(story);
  });
});

async function payAll(...stories: readonly Sent[]): Promise<void> {
  for (const { payout, reference } of stories) {
    paypal.books.say(reference, 'SUCCESS');
    await later(app, payout, hour);
  }
}

async function codes(answer: Promise<ApiResponse>): Promise<[number, unknown]> {
  return codeOf(await answer);
}

describe('asking now', () => {
  it('is once in half a minute, and of what PayPal has', async () => {
    const story = await sent();
    const { shop, payout, reference } = story;
    const ask = async () => (await shop.api()).post(`${await pathOf(story)}/ask`);
    expect(await codes(ask())).toEqual([409, 'PAYOUT_BATCH_INVALID_STATE']);
    await advance(app, payout);
    const asked = paypal.countOf('ask');

    expect((await ask()).status).toBe(202);
    const tooSoon = await ask();
    paypal.books.say(reference, 'SUCCESS');
    await advance(app, payout);

    expect(codeOf(tooSoon)).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
    expect(Number(tooSoon.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(tooSoon.headers.get('retry-after'))).toBeLessThanOrEqual(30);
    expect(paypal.countOf('ask')).toBe(asked + 1);
    expect(await statusesOf(shop, payout)).toEqual(['paid']);
    app.deps.clock.advance(31_000);
    expect((await ask()).status).toBe(202);
    await advance(app, payout);
    expect(paypal.countOf('ask')).toBe(asked + 2);
  });
});

describe('taking back what the partner has not fetched', () => {
  async function cancel({ shop, payout }: Sent, itemId?: string): Promise<ApiResponse> {
    const [item] = await itemsOf(shop, payout);
    const path = `/api/v1/payouts/${payout.id}/items/${itemId ?? item?.id}/cancel-unclaimed`;
    return (await shop.api()).post(path);
  }

  async function unclaimed(): Promise<Sent> {
    const story = await sent();
    await advance(app, story.payout);
    paypal.books.say(story.reference, 'UNCLAIMED');
    await later(app, story.payout, 2 * minute);
    return story;
  }

  it('asks PayPal, and the item’s own word decides', async () => {
    const story = await unclaimed();

    const { status, body } = await cancel(story);

    expect(status).toBe(200);
    expect(body).toMatchObject({ items: [{ status: 'failed', providerStatus: 'RETURNED' }] });
    expect(paypal.countOf('cancel')).toBe(1);
    expect(await batchesOf(story.shop, story.payout)).toMatchObject([
      { status: 'ended', outcomes: [{ outcome: 'failed', items: 1 }] },
    ]);
    expect(codeOf(await cancel(story))).toEqual([409, 'PAYOUT_ITEM_NOT_UNCLAIMED']);
  });

  it('is paid where the partner was first', async () => {
    const story = await unclaimed();
    paypal.books.say(story.reference, 'SUCCESS');
    expect((await cancel(story)).body).toMatchObject({ items: [{ status: 'paid' }] });
  });

  it('is refused of what is not waiting, and an outage changes nothing', async () => {
    const open = await sent();
    await advance(app, open.payout);
    const story = await unclaimed();
    paypal.moods.item = [{ silence: 'before' }];
    paypal.moods.cancel = [{ silence: 'before' }];

    expect(codeOf(await cancel(open))).toEqual([409, 'PAYOUT_ITEM_NOT_UNCLAIMED']);
    expect(codeOf(await cancel(open, newId()))).toEqual([404, 'PAYOUT_ITEM_NOT_FOUND']);
    expect(codeOf(await cancel(story))).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(await statusesOf(story.shop, story.payout)).toEqual(['sending']);
    await payAll(open, story);
  });
});
