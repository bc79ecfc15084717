import { errorOf, type Mood } from '../../support/paypal/stand-in';
import {
  advance,
  buildPayPalShop,
  compareBooks,
  itemsOf,
  later,
  type PayPalShop,
} from '../../support/paypal/shop';
import { hour, usePayPal } from '../../support/paypal/suite';

const { app, paypal } = usePayPal();

/** Numbers that a seed decides (mulberry32). */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const moods: Mood[] = [
  { silence: 'before' },
  { silence: 'after' },
  { status: 429, body: {} },
  { status: 500, body: errorOf('INTERNAL_ERROR') },
  { status: 404, body: {} },
  { status: 401, body: errorOf('AUTHENTICATION_FAILURE') },
  { status: 422, body: errorOf('INSUFFICIENT_FUNDS') },
  { status: 400, body: errorOf('USER_BUSINESS_ERROR') },
  { status: 201, body: {} },
];
const words = [
  'PENDING',
  'UNCLAIMED',
  'SUCCESS',
  'SUCCESS',
  'FAILED',
  'RETURNED',
  'BLOCKED',
  'ONHOLD',
];
const waits = [60_000, 5 * 60_000, hour, 6 * hour, 30 * hour, 40 * 24 * hour];

interface Story {
  shop: PayPalShop;
  payout: { id: string };
  random: (below: number) => number;
}

const steps: readonly ((story: Story) => Promise<unknown>)[] = [
  ({ shop, payout }) => shop.send(payout),
  ({ payout, random }) => {
    paypal.moods.send = Array.from({ length: random(3) }, () => moods[random(moods.length)]!);
    return advance(app, payout);
  },
  ({ payout, random }) => {
    paypal.moods.ask = Array.from({ length: random(2) }, () => moods[random(5)]!);
    return later(app, payout, waits[random(waits.length)] ?? hour);
  },
  ({ payout, random }) => later(app, payout, waits[random(3)] ?? hour),
  async ({ shop, payout, random }) => {
    for (const { reference } of await itemsOf(shop, payout)) {
      const sent = paypal.books.itemsOf(reference).at(-1);
      if (!sent || random(2) === 0) continue;
      const word = words[random(words.length)] ?? 'PENDING';
      const name = random(2) === 0 ? 'INSUFFICIENT_FUNDS' : 'RECEIVER_ACCOUNT_LOCKED';
      // What failed is over, and what was paid can only come back.
      const isOver = ['FAILED', 'RETURNED'].includes(sent.word ?? '');
      if (sent.word === 'SUCCESS' && word !== 'RETURNED') continue;
      if (!isOver) paypal.books.sayOf(sent, word, { error: { name, message: 'Why' } });
    }
  },
  lookAtIt,
];

/** A person who looks at the stand-in's books, and says what is there. */
async function lookAtIt({ shop, payout }: Story): Promise<void> {
  for (const item of await itemsOf(shop, payout)) {
    if (!item.attention || item.status !== 'sending') continue;
    const isOut = paypal.books.outBy(item.reference) > 0;
    const sent = paypal.books.itemsOf(item.reference);
    const isOver = sent.every(({ word }) => ['FAILED', 'RETURNED'].includes(word ?? ''));
    if (!isOut && !isOver) continue;
    const body = { status: isOut ? 'paid' : 'failed', confirmChecked: true };
    await (await shop.api()).post(`/api/v1/payouts/${payout.id}/items/${item.id}/mark`, body);
  }
}

it.each([1, 2, 3])(
  'story %i ends with as much out as the books say, or a person is asked',
  async (seed) => {
    const random = randomOf(seed);
    paypal.reset();
    const shop = await buildPayPalShop(app, { partners: 2 });
    const story = { shop, payout: await shop.payout(), random };
    await shop.send(story.payout);
    for (let step = 0; step < 14; step += 1) await steps[random(steps.length)]!(story);

    paypal.moods = {};
    for (let look = 0; look < 4; look += 1) await later(app, story.payout, 25 * hour);
    expect(await compareBooks(app, paypal, story.payout)).toEqual([]);
    for (const { reference } of await itemsOf(shop, story.payout)) {
      expect(paypal.books.outBy(reference)).toBeLessThanOrEqual(1);
    }
  },
);
