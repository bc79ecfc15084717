import { Died, dyingProcess } from '../faults/dying-process';
import type { TestApp } from '../app';
import type { StandInItem } from './books';
import { backUp, release, restore, type Backup } from './restores';
import { advance, batchesOf, buildPayPalShop, itemsOf, later, type PayPalShop } from './shop';
import { errorOf, type Mood, type PayPalStandIn } from './stand-in';
import { day, hour, minute } from './suite';

/** What happens to one payout, as a seed decides. */
export interface Story {
  app: TestApp;
  paypal: PayPalStandIn;
  shop: PayPalShop;
  payout: { id: string };
  /** A whole number from 0 on. */
  random: (below: number) => number;
  backup?: Backup | undefined;
  /** Audit lines that are kept outside of the database, for every restore. */
  shipped: Set<string>;
  /** What happened, for whoever has to understand a story that ends badly. */
  told: string[];
}

/** Numbers that a seed decides (mulberry32). */
export function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const moods: readonly Mood[] = [
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
/** A question has no answer of these that would be a refusal. */
const moodsOfAsking = moods.slice(0, 5);
const words = [
  ...['PENDING', 'UNCLAIMED', 'SUCCESS', 'SUCCESS', 'FAILED', 'RETURNED', 'BLOCKED', 'ONHOLD'],
];
const waits = [minute, 5 * minute, hour, 6 * hour, 30 * hour, 40 * day] as const;
const shortWaits = 3;
/** A try has fewer steps, and so has a question. */
const mostSteps = 70;

/** Payments of a reference that are out, or may yet go. */
function liveOf({ books }: PayPalStandIn, reference: string): StandInItem[] {
  return books
    .itemsOf(reference)
    .filter(
      ({ word, batchId }) => !isOver({ word }) && books.batches.get(batchId)?.word !== 'DENIED',
    );
}

const isOver = ({ word }: Pick<StandInItem, 'word'>): boolean =>
  word === 'FAILED' || word === 'RETURNED';

function some<T>({ random }: Story, of: readonly T[], below: number = of.length): T {
  const one = of[random(below)];
  if (one === undefined) throw new Error('there is none');
  return one;
}

type Step = (story: Story) => Promise<unknown>;

const steps: Readonly<Record<string, Step>> = {
  'look at it, and send': async (story) => {
    await lookAtIt(story);
    await story.shop.send(story.payout);
    await advance(story.app, story.payout);
  },
  'refused, sent again': async ({ app, paypal, shop, payout }) => {
    paypal.moods.send = [{ status: 422, body: errorOf('INSUFFICIENT_FUNDS') }];
    await advance(app, payout);
    await shop.send(payout);
    return advance(app, payout);
  },
  'no funds, sent again': (story) => failAndSend(story),
  'no funds, and a worker dies': async (story) => {
    await failAndSend(story);
    await dieWhileLooking(story);
  },
  'denied as a whole': async ({ app, paypal, payout }) => {
    for (const batch of paypal.books.batches.values()) {
      if (batch.items.every(({ word }) => word === null || word === 'PENDING')) {
        batch.word = 'DENIED';
      }
    }
    return later(app, payout, hour);
  },
  'silent for three days': async ({ app, paypal, payout, random }) => {
    const silence = random(2) === 0 ? 'before' : 'after';
    paypal.moods.send = Array.from({ length: 20 }, () => ({ silence }));
    await advance(app, payout);
    await later(app, payout, 73 * hour);
    paypal.moods.send = [];
  },
  'not listed for two days': async ({ app, paypal, payout }) => {
    const items = [...paypal.books.batches.values()].flatMap((batch) => batch.items);
    for (const item of items) item.isUnlisted = true;
    for (let passed = 0; passed < 3; passed += 1) await later(app, payout, 16 * hour);
    for (const item of items) item.isUnlisted = false;
  },
  'look in a mood': (story) => {
    story.paypal.moods.send = Array.from({ length: story.random(3) }, () => some(story, moods));
    return advance(story.app, story.payout);
  },
  'wait long, in a mood': (story) => {
    const { app, paypal, payout, random } = story;
    paypal.moods.ask = Array.from({ length: random(2) }, () => some(story, moodsOfAsking));
    return later(app, payout, some(story, waits));
  },
  wait: (story) => later(story.app, story.payout, some(story, waits, shortWaits)),
  'PayPal pays or not': sayWords,
  'PayPal pays': sayWords,
  'look at it': lookAtIt,
  'die while looking': dieWhileLooking,
  'die while looking later': (story) => {
    story.app.deps.clock.advance(some(story, waits, shortWaits));
    return dieWhileLooking(story);
  },
  'back up': async (story) => {
    await story.backup?.copy.drop();
    story.backup = await backUp(story.app);
  },
  restore: restoreIt,
  'restore, release, send': async (story) => {
    await restoreIt(story);
    await releaseIt(story);
    await story.shop.send(story.payout);
    await advance(story.app, story.payout);
  },
  release: releaseIt,
};

/** What is on its way fails for a reason of the merchant's, who sends it again. */
async function failAndSend({ app, paypal, shop, payout }: Story): Promise<void> {
  const error = { name: 'INSUFFICIENT_FUNDS', message: 'Why' };
  for (const { reference } of await itemsOf(shop, payout)) {
    for (const one of liveOf(paypal, reference)) {
      if (one.word !== 'SUCCESS') paypal.books.sayOf(one, 'FAILED', { error });
    }
  }
  await later(app, payout, hour);
  await shop.send(payout);
  await advance(app, payout);
}

/** What is known of the last payment of each reference. What failed is over, and what was paid can only come back. */
async function sayWords(story: Story): Promise<void> {
  const { shop, payout, paypal, random } = story;
  for (const { reference } of await itemsOf(shop, payout)) {
    const sent = liveOf(paypal, reference).at(-1);
    if (!sent || random(2) === 0) continue;
    const word = some(story, words);
    const name = random(2) === 0 ? 'INSUFFICIENT_FUNDS' : 'RECEIVER_ACCOUNT_LOCKED';
    if (sent.word === 'SUCCESS' && word !== 'RETURNED') continue;
    paypal.books.sayOf(sent, word, { error: { name, message: 'Why' } });
  }
}

/** A worker that dies between any two of its steps; another one finds what it left. */
async function dieWhileLooking(story: Story): Promise<void> {
  const { app, payout } = story;
  const at = 1 + story.random(mostSteps);
  story.told.push(`at ${at}`);
  const { deps } = dyingProcess(app.deps, at);
  await advance({ ...app, deps }, payout).catch((error: unknown) => {
    if (!(error instanceof Died)) throw error;
  });
}

/** The database goes back to the copy, and an operator does what the runbook says; payouts wait for the release. */
async function restoreIt({ app, payout, backup, shipped }: Story): Promise<void> {
  if (!backup) return;
  await restore(app, backup, shipped);
  await advance(app, payout);
}

/** Somebody has compared what the database shows with what PayPal shows. */
async function releaseIt(story: Story): Promise<void> {
  await lookAtIt(story);
  await release(story.app);
}

/** A person who looks at the books of the stand-in, and says what is there. */
async function lookAtIt(story: Story): Promise<void> {
  await lookAtBatches(story);
  const { shop, payout, paypal } = story;
  for (const { id, reference, status, attention } of await itemsOf(shop, payout)) {
    if (!attention || (status !== 'sending' && status !== 'ready')) continue;
    const said = whatIsOf(liveOf(paypal, reference), status, attention.reason);
    if (said === undefined) continue;
    const body = { status: said, confirmChecked: true };
    const path = `/api/v1/payouts/${payout.id}/items/${id}/mark`;
    const answer = await (await shop.api()).post(path, body);
    story.told.push(`${reference} is ${said}: ${answer.status}`);
  }
}

/** Undefined while nobody can say it. */
function whatIsOf(live: readonly StandInItem[], status: string, reason: string) {
  if (live.some(({ word }) => word === 'SUCCESS')) return 'paid';
  if (live.length > 0) return undefined;
  if (status === 'sending') return 'failed';
  return reason === 'restored' ? 'ready' : undefined;
}

/** Finds batches by the sender's id, as somebody does who is signed in at PayPal. */
async function lookAtBatches(story: Story): Promise<void> {
  const { shop, payout, paypal } = story;
  for (const { id, status, senderBatchId } of await batchesOf(shop, payout)) {
    if (status !== 'attention') continue;
    const there = [...paypal.books.batches.values()].filter(
      (batch) => batch.senderBatchId === senderBatchId,
    );
    const [one] = there;
    const said = one ? { providerBatchId: one.batchId } : { nothingSent: true };
    const path = `/api/v1/payouts/${payout.id}/batches/${String(id)}/resolve`;
    const answer = await (await shop.api()).post(path, { ...said, code: shop.code() });
    story.told.push(`${Object.keys(said).join()}: ${answer.status}`);
  }
}

/** Tells one story, with all of it over at its end: whoever waits has looked, and every service answers. */
export async function tellStory(
  { app, paypal }: Pick<Story, 'app' | 'paypal'>,
  seed: number,
  length = 16,
): Promise<Story> {
  paypal.reset();
  // A story that broke off may have left payouts waiting.
  await release(app);
  const shop = await buildPayPalShop(app, { partners: 2 });
  const payout = await shop.payout();
  const story: Story = {
    app,
    paypal,
    shop,
    payout,
    random: randomOf(seed),
    shipped: new Set(),
    told: [],
  };
  const names = Object.keys(steps);
  // Half of them can be returned to a moment at which nothing was sent.
  if (story.random(2) === 0) story.backup = await backUp(app);
  await shop.send(payout);
  for (let done = 0; done < length; done += 1) {
    const name = some(story, names);
    story.told.push(name);
    await steps[name]?.(story);
  }
  paypal.moods = {};
  await later(app, payout, hour);
  await releaseIt(story);
  for (let look = 0; look < 4; look += 1) await later(app, payout, 25 * hour);
  await story.backup?.copy.drop();
  return story;
}

/** References by which more than one payment is out, or on its way. */
export async function paidTwice({ shop, payout, paypal }: Story): Promise<string[]> {
  const items = await itemsOf(shop, payout);
  return items
    .map(({ reference }) => reference)
    .filter((reference) => liveOf(paypal, reference).length > 1);
}
