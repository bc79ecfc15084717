import { createPayout } from '../../../activities/payouts/payouts';
import { previewPayout } from '../../../activities/payouts/preview';
import { systemCause } from '../../../activities/journal/cause';
import { raise } from '../../../activities/sending/attention';
import { query, transaction } from '../../../entities/database/sql';
import { eventually } from '../../support/eventually';
import { waitsForLock } from '../../support/faults/waits-for-lock';
import type { StandInItem } from '../../support/paypal/books';
import { advance, itemsOf, later, statusesOf, type PayPalShop } from '../../support/paypal/shop';
import { errorOf, type Mood } from '../../support/paypal/stand-in';
import {
  checkFirst,
  hour,
  markFirst,
  minute,
  usePayPal,
  type Sent,
} from '../../support/paypal/suite';

/** What a payout has let go of, while PayPal may pay it after all: the next payout waits, or has to be looked at. */
const { app, paypal, sent, sentAgain } = usePayPal();
const refused: Mood = { status: 422, body: errorOf('INSUFFICIENT_FUNDS') };
const locked = { name: 'RECEIVER_ACCOUNT_LOCKED', message: 'Why' };

const scopeOf = (shop: PayPalShop) =>
  ({ workspaceId: shop.member.workspaceId, mode: 'live' }) as const;
const programOf = (shop: PayPalShop) => ({
  id: shop.programId,
  currency: 'usd',
  minPayoutCents: 0,
});

/** A new payout of all that is payable. */
function payAnew(shop: PayPalShop, commissionIds?: string[]) {
  const context = { ...systemCause(app.deps.clock.now()), scope: scopeOf(shop) };
  const command = { program: programOf(shop), reference: null, commissionIds };
  return createPayout(app.deps.db.manager, context, command);
}

async function commissionsOf({ id }: { id: string }): Promise<string[]> {
  const sql = 'SELECT commission_id AS id FROM payout_lines WHERE payout_id = $1';
  const rows = await query<{ id: string }>(app.deps.db.manager, sql, [id]);
  return rows.map((row) => row.id);
}

async function says({ payout }: Sent, payment: StandInItem, word: string): Promise<void> {
  paypal.books.sayOf(payment, word);
  await later(app, payout, 7 * hour);
}

/** Its only payment has failed by the partner's fault: its commission is payable again. */
async function failed(): Promise<Sent & { payment: StandInItem }> {
  const story = await sent();
  await advance(app, story.payout);
  const [payment] = paypal.books.itemsOf(story.reference);
  payment!.error = locked;
  await says(story, payment!, 'FAILED');
  expect(await statusesOf(story.shop, story.payout)).toEqual(['failed']);
  return { ...story, payment: payment! };
}

describe('the next payout takes nothing of which PayPal says that it is on its way after all', () => {
  it.each(['PENDING', 'UNCLAIMED', 'BLOCKED', 'A WORD'])(
    'since it says %s of what had failed, until somebody has looked',
    async (word) => {
      const story = await failed();
      const { shop, payout, payment } = story;
      await says(story, payment, word);
      const commissionIds = await commissionsOf(payout);

      await expect(payAnew(shop)).rejects.toMatchObject({ code: 'PAYOUT_EMPTY' });
      await expect(payAnew(shop, commissionIds)).rejects.toMatchObject({
        code: 'COMMISSION_NOT_PAYABLE',
      });
      const db = app.deps.db.manager;
      const seen = await previewPayout(db, scopeOf(shop), { program: programOf(shop) });
      expect(seen).toMatchObject({
        ...{ items: [], remaining: 0 },
        leftOut: [{ currency: 'usd', amountCents: 2_000, why: 'attention' }],
      });

      expect((await checkFirst(shop, payout, 'failed')).status).toBe(200);
      expect(await payAnew(shop)).toMatchObject({ items: [{ amountCents: 2_000 }] });
    },
  );

  it('nor by the batch before the one that failed', async () => {
    const story = await sentAgain();
    const { shop, payout, payment, reference } = story;
    const second = paypal.books.itemsOf(reference).at(-1)!;
    second.error = locked;
    await says(story, second, 'FAILED');
    await says(story, payment, 'PENDING');

    expect(await statusesOf(shop, payout)).toEqual(['failed!twice']);
    await expect(payAnew(shop)).rejects.toMatchObject({ code: 'PAYOUT_EMPTY' });
  });

  it('nor by one of two that had both come back', async () => {
    const story = await sentAgain();
    const { shop, payout, payment, reference } = story;
    const second = paypal.books.itemsOf(reference).at(-1)!;
    for (const one of [second, payment]) await says(story, one, 'SUCCESS');
    await checkFirst(shop, payout, 'paid');
    for (const one of [payment, second]) await says(story, one, 'RETURNED');
    expect(await statusesOf(shop, payout)).toEqual(['returned']);
    await says(story, payment, 'PENDING');

    expect(await statusesOf(shop, payout)).toEqual(['returned!twice']);
    await expect(payAnew(shop)).rejects.toMatchObject({ code: 'PAYOUT_EMPTY' });
  });

  it('nor what is found to be so while the payout waits for it', async () => {
    const { shop, payout } = await failed();
    const db = app.deps.db.manager;
    let making: Promise<unknown> | undefined;
    await transaction(db, async (tx) => {
      const ids = await commissionsOf(payout);
      await query(tx, 'SELECT 1 FROM commissions WHERE id = ANY($1) FOR UPDATE', [ids]);
      making = payAnew(shop).catch((error: unknown) => error);
      await eventually(() => waitsForLock(db));
      const items = await query<{ id: string }>(
        tx,
        'SELECT id FROM payout_items WHERE payout_id = $1',
        [payout.id],
      );
      const itemIds = items.map(({ id }) => id);
      await raise(tx, { now: app.deps.clock.now() }, { itemIds, reason: 'word' });
    });
    expect(await making).toMatchObject({ code: 'PAYOUT_EMPTY' });
  });
});

describe('a payout that has taken it already', () => {
  it.each(['SUCCESS', 'PENDING', 'BLOCKED'])(
    'is not sent once PayPal says %s of what had failed',
    async (word) => {
      const story = await failed();
      const { shop, payment } = story;
      const next = await payAnew(shop);
      await says(story, payment, word);

      expect(await statusesOf(shop, next)).toEqual(['ready!twice']);
      expect((await shop.send(next)).status).toBe(422);
      expect((await markFirst(shop, next, { status: 'failed' })).status).toBe(409);
    },
  );

  it('leaves nothing owed, once somebody has looked and let it go', async () => {
    const story = await failed();
    const { shop, payout, payment } = story;
    const next = await payAnew(shop);
    await says(story, payment, 'SUCCESS');
    expect((await checkFirst(shop, next, 'failed')).status).toBe(200);
    await later(app, payout, 7 * hour);

    expect(await statusesOf(shop, payout)).toEqual(['paid']);
    expect(await statusesOf(shop, next)).toEqual(['failed']);
    const [entry] = await query<{ status: string; owed: number }>(
      app.deps.db.manager,
      `SELECT status, owed_cents AS owed FROM commissions WHERE id = $1`,
      [(await commissionsOf(payout))[0]],
    );
    expect(entry).toEqual({ status: 'paid', owed: 0 });
  });

  it('is said no more while it waits for its next try', async () => {
    const story = await failed();
    const { shop, payment, reference } = story;
    const next = await payAnew(shop);
    expect((await shop.send(next)).status).toBe(202);
    paypal.moods.send = Array.from({ length: 9 }, (): Mood => ({ status: 429, body: {} }));
    await advance(app, next);
    await says(story, payment, 'SUCCESS');
    paypal.moods.send = [];
    for (let passed = 0; passed < 3; passed += 1) await later(app, next, hour);

    expect(await statusesOf(shop, next)).toEqual(['ready!twice']);
    expect(paypal.books.outBy(reference)).toBe(1);
    const [item] = await itemsOf(shop, next);
    expect(paypal.books.itemsOf(item!.reference)).toEqual([]);
  });

  it('of what a person looked at is not asked about again', async () => {
    const story = await failed();
    const { shop, payment } = story;
    const next = await payAnew(shop);
    await says(story, payment, 'PENDING');
    await checkFirst(shop, next, 'paid');
    await says(story, payment, 'PENDING');
    expect(await statusesOf(shop, next)).toEqual(['paid']);
  });

  it('of another commission of the same partner is not held', async () => {
    const story = await failed();
    const { shop, payment, payout } = story;
    const other = await shop.payout();
    await says(story, payment, 'PENDING');
    expect(await statusesOf(shop, payout)).toEqual(['failed!word']);
    expect(await statusesOf(shop, other)).toEqual(['ready']);
    paypal.moods.send = [refused];
    expect((await shop.send(other)).status).toBe(202);
    await later(app, other, minute);
  });
});
