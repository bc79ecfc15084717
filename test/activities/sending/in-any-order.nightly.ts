import { advanceBatch } from '../../../activities/sending/advance';
import { wakeOverdueBatches } from '../../../activities/sending/overdue';
import { execute, query } from '../../../entities/database/sql';
import type { TestApp } from '../../support/app';
import { backUp, release, restore } from '../../support/paypal/restores';
import {
  advance,
  batchesOf,
  compareBooks,
  itemsOf,
  later,
  payBy,
  statusesOf,
} from '../../support/paypal/shop';
import {
  client,
  errorOf,
  funds,
  refused,
  type Mood,
  type StandInCall,
} from '../../support/paypal/stand-in';
import {
  checkFirst,
  day,
  hour,
  markFirst,
  minute,
  resolve,
  usePayPal,
  type Sent,
} from '../../support/paypal/suite';

/** One payout by many ways: what PayPal answers, says and lists, and what people do meanwhile. */
const { app, paypal, sent } = usePayPal();
afterEach(async () => {
  Object.assign(paypal, { itemsOfPage: 1_000 });
  expect(await compareBooks(app, paypal)).toEqual([]);
});

const clientPath = '/api/v1/workspace/payout-providers/paypal';
const unauthorised: Mood = { status: 401, body: errorOf('AUTHENTICATION_FAILURE') };

/** Asks PayPal until nothing is due for hours. */
async function settle({ payout }: Sent): Promise<void> {
  paypal.onCall = undefined;
  for (let passed = 0; passed < 3; passed += 1) await later(app, payout, 7 * hour);
}

async function says(story: Sent, ...words: string[]): Promise<void> {
  for (const word of words) {
    paypal.books.say(story.reference, word);
    await settle(story);
  }
}

async function tries(story: Sent, ...moods: Mood[]): Promise<void> {
  paypal.moods.send = [...moods];
  await advance(app, story.payout);
  for (let passed = 0; passed < moods.length; passed += 1) await later(app, story.payout, hour);
  await settle(story);
}

/** PayPal takes it, and answers as if it had not. */
async function takenWith(story: Sent, mood: Mood): Promise<void> {
  paypal.onCall = (kind, call) => {
    if (kind !== 'send') return;
    paypal.onCall = undefined;
    take(call);
  };
  await tries(story, mood);
}

interface SaidBatch {
  sender_batch_header: { sender_batch_id: string };
  items: {
    sender_item_id: string;
    receiver: string;
    amount: { currency: string; value: string };
  }[];
}

function take({ body }: StandInCall): void {
  const { sender_batch_header: header, items } = JSON.parse(body) as SaidBatch;
  const rows = items.map(({ sender_item_id: reference, receiver: address, amount }) => ({
    ...{ reference, address, note: '' },
    ...amount,
  }));
  const said = { senderBatchId: header.sender_batch_id, subject: '' };
  paypal.books.take(client.clientId, said, rows);
}

async function idOf({ payout }: Sent): Promise<string> {
  const sql = 'SELECT id FROM payout_batches WHERE payout_id = $1';
  const [row] = await query<{ id: string }>(app.deps.db.manager, sql, [payout.id]);
  return String(row?.id);
}

const known = (more: object): Mood => ({
  status: 400,
  body: errorOf('USER_BUSINESS_ERROR', { details: [{ field: 'SENDER_BATCH_ID', ...more }] }),
});
const link = (href: unknown) => known({ link: [{ href }] });

describe('a batch that was taken is known as such, though it is answered by', () => {
  it.each<[string, Mood]>([
    ['nothing that can be read', { status: 201, body: {} }],
    ['an id that is none', { status: 201, body: { batch_header: { payout_batch_id: 'a/../b' } } }],
    ['another success', { status: 200, body: {} }],
    ['an acceptance', { status: 202, body: {} }],
    ['another place', { status: 302, body: {} }],
    ['a conflict', { status: 409, body: errorOf('RESOURCE_CONFLICT') }],
    ['a name that is not known', { status: 422, body: errorOf('UNPROCESSABLE_ENTITY') }],
    ['nothing there', { status: 404, body: {} }],
    ['our id without a link', known({})],
    ['a link to nothing', link('https://paypal.test/v1/payments/payouts/')],
    ['a link that is a number', link(7)],
    ['a link of text', known({ link: 'nonsense' })],
  ])('%s, and pays once', async (_, mood) => {
    const story = await sent();
    await takenWith(story, mood);
    expect(await statusesOf(story.shop, story.payout)).toEqual(['sending']);
    expect(paypal.books.itemsOf(story.reference)).toHaveLength(1);
    await says(story, 'SUCCESS');
    expect(await statusesOf(story.shop, story.payout)).toEqual(['paid']);
  });
});

type Way = [name: string, go: (story: Sent) => Promise<unknown>, status: string];

const ways: Way[] = [
  ['silence before it was taken', (story) => tries(story, { silence: 'before' }), 'sending'],
  ['no answer once it was taken', (story) => tries(story, { hang: 'after' }), 'sending'],
  [
    'busy, then silence, then a refusal',
    (story) => tries(story, { status: 429, body: {} }, { silence: 'after' }, refused),
    'sending',
  ],
  [
    'a silence, then no permission twice',
    (story) => tries(story, { silence: 'after' }, unauthorised, unauthorised),
    'sending',
  ],
  [
    'a silence, then no token',
    async (story) => {
      paypal.moods.send = [{ silence: 'after' }];
      await advance(app, story.payout);
      paypal.revokeTokens();
      paypal.moods.token = [{ status: 401, body: { error: 'invalid_client' } }];
      await later(app, story.payout, minute);
      await settle(story);
    },
    'sending',
  ],
  [
    'a key that is revoked and given again',
    async (story) => {
      await advance(app, story.payout);
      paypal.apps.clear();
      paypal.revokeTokens();
      await later(app, story.payout, hour);
      paypal.apps.set(client.clientId, client.clientSecret);
      await says(story, 'SUCCESS');
    },
    'paid',
  ],
  [
    'a mark that is refused, and a return',
    async (story) => {
      await advance(app, story.payout);
      await says(story, 'UNCLAIMED');
      for (const confirmChecked of [false, true]) {
        const mark = { status: 'failed', confirmChecked };
        expect((await markFirst(story.shop, story.payout, mark)).status).toBe(409);
      }
      await says(story, 'RETURNED');
    },
    'failed',
  ],
  [
    'paid, returned a month later, paid again',
    async (story) => {
      await advance(app, story.payout);
      await says(story, 'SUCCESS');
      app.deps.clock.advance(30 * day);
      await says(story, 'RETURNED');
      expect(await statusesOf(story.shop, story.payout)).toEqual(['returned']);
      await says(story, 'SUCCESS');
    },
    'paid',
  ],
  ['paid, and reversed', (story) => advanceAndSay(story, 'SUCCESS', 'REVERSED'), 'returned'],
  [
    'paid, refunded, and said to be returned',
    async (story) => {
      await advanceAndSay(story, 'SUCCESS', 'REFUNDED');
      expect(await statusesOf(story.shop, story.payout)).toEqual(['paid!refunded']);
      await checkFirst(story.shop, story.payout, 'returned');
      await settle(story);
    },
    'returned',
  ],
  [
    'paid, said to be returned, said to be paid',
    async (story) => {
      await advanceAndSay(story, 'SUCCESS');
      await markFirst(story.shop, story.payout, { status: 'returned' });
      await settle(story);
      expect(await statusesOf(story.shop, story.payout)).toEqual(['returned']);
      await says(story, 'RETURNED');
    },
    'returned',
  ],
  [
    'held, blocked, said to have failed, paid',
    async (story) => {
      await advanceAndSay(story, 'ONHOLD', 'BLOCKED');
      await checkFirst(story.shop, story.payout, 'failed');
      await says(story, 'SUCCESS');
    },
    'paid',
  ],
  [
    'blocked, said to be paid, returned',
    async (story) => {
      await advanceAndSay(story, 'BLOCKED');
      await checkFirst(story.shop, story.payout, 'paid');
      await says(story, 'RETURNED');
    },
    'returned',
  ],
  [
    'on its way for too long, said to be paid, returned',
    async (story) => {
      await advanceAndSay(story, 'UNCLAIMED');
      await later(app, story.payout, 46 * day);
      expect(await statusesOf(story.shop, story.payout)).toEqual(['sending!too_long']);
      await checkFirst(story.shop, story.payout, 'paid');
      await says(story, 'RETURNED');
    },
    'returned',
  ],
  [
    'three workers at once',
    async (story) => {
      const batchId = await idOf(story);
      await Promise.all([1, 2, 3].map(() => advanceBatch(app.deps, { batchId })));
      await settle(story);
      expect(paypal.countOf('send')).toBe(1);
    },
    'sending',
  ],
  [
    'a worker whose clock goes two minutes ahead',
    async (story) => {
      const batchId = await idOf(story);
      paypal.onCall = async (kind) => {
        if (kind !== 'send') return;
        paypal.onCall = undefined;
        await advanceBatch(ahead(app), { batchId });
      };
      await advanceBatch(app.deps, { batchId });
      await settle(story);
    },
    'sending',
  ],
  [
    'a payout that somebody cancels, completes and sends again',
    async ({ shop, payout, ...story }) => {
      await advance(app, payout);
      const api = await shop.api();
      for (const verb of ['cancel', 'complete']) {
        expect((await api.post(`/api/v1/payouts/${payout.id}/${verb}`, {})).status).toBe(409);
      }
      expect((await shop.send(payout)).status).toBe(422);
      await settle({ shop, payout, ...story });
    },
    'sending',
  ],
  [
    'a workflow that is lost',
    async (story) => {
      const db = app.deps.db.manager;
      await execute(db, `DELETE FROM outbox WHERE topic = 'payout_batch'`, []);
      app.deps.clock.advance(6 * minute);
      expect(await wakeOverdueBatches(db, app.deps.clock.now())).toBeGreaterThan(0);
      await settle(story);
    },
    'sending',
  ],
  [
    'a connection that is removed, and set again',
    async (story) => {
      const { shop } = story;
      await advance(app, story.payout);
      expect((await (await shop.api()).delete(clientPath)).status).toBe(409);
      await says(story, 'SUCCESS');
      expect((await (await shop.api()).delete(clientPath)).status).toBe(204);
      await says(story, 'RETURNED');
      const body = { ...client, code: shop.code() };
      expect((await (await shop.api()).put(clientPath, body)).status).toBe(200);
      await settle(story);
    },
    'returned',
  ],
  [
    'an address that is changed once it is pinned',
    async (story) => {
      await payBy(app, story.shop.partners[0]!, 'changed@partner.test');
      await advanceAndSay(story, 'SUCCESS');
      const [payment] = paypal.books.itemsOf(story.reference);
      expect(payment?.address).not.toBe('changed@partner.test');
    },
    'paid',
  ],
  [
    'a list in another case',
    async (story) => {
      await advance(app, story.payout);
      const [payment] = paypal.books.itemsOf(story.reference);
      payment!.reference = story.reference.toUpperCase();
      paypal.books.sayOf(payment!, 'SUCCESS');
      await settle(story);
      payment!.reference = story.reference;
      paypal.books.sayOf(payment!, 'PENDING');
    },
    'sending',
  ],
  [
    'an older backup, and everything again',
    async (story) => {
      const before = await backUp(app);
      await advanceAndSay(story, 'SUCCESS');
      await restore(app, before, new Set());
      await release(app);
      await settle(story);
      expect(await statusesOf(story.shop, story.payout)).toEqual(['sending!unanswered']);
      const [own] = paypal.books.itemsOf(story.reference);
      const providerBatchId = own!.batchId;
      expect((await resolve(story.shop, story.payout, { providerBatchId })).status).toBe(200);
      await before.copy.drop();
    },
    'paid',
  ],
];

async function advanceAndSay(story: Sent, ...words: string[]): Promise<void> {
  await advance(app, story.payout);
  await says(story, ...words);
}

function ahead({ deps }: TestApp): TestApp['deps'] {
  const { clock } = deps;
  const now = () => new Date(clock.now().getTime() + 2 * minute);
  return { ...deps, clock: { ...clock, now } };
}

it.each(ways)('a payout is sent once after %s', async (_, go, status) => {
  const story = await sent();
  await go(story);
  expect(paypal.books.itemsOf(story.reference)).toHaveLength(1);
  expect(await statusesOf(story.shop, story.payout)).toEqual([status]);
});

describe('pages that move while they are read', () => {
  async function moving(say: (place: number) => string): Promise<Sent> {
    const story = await sent(3);
    await advance(app, story.payout);
    paypal.itemsOfPage = 1;
    const batch = [...paypal.books.batches.values()].at(-1)!;
    for (const [place, item] of batch.items.entries()) paypal.books.sayOf(item, say(place));
    batch.word = 'DENIED';
    let asked = 0;
    paypal.onCall = (kind) => {
      if (kind !== 'ask') return;
      asked += 1;
      if (asked === 2) batch.items.reverse();
    };
    await later(app, story.payout, minute);
    return story;
  }

  it('say nothing of what they do not show', async () => {
    const story = await moving((place) => (place === 0 ? 'SUCCESS' : 'PENDING'));
    expect(await statusesOf(story.shop, story.payout)).toEqual(['sending', 'sending', 'sending']);
    await settle(story);
    expect((await statusesOf(story.shop, story.payout)).sort()).toEqual(['paid', 'ready', 'ready']);
  });
});

it('a denied batch that pays all the same, beside the one that was sent after it', async () => {
  const story = await sent();
  await advance(app, story.payout);
  const denied = [...paypal.books.batches.values()].at(-1)!;
  denied.word = 'DENIED';
  await settle(story);
  expect((await story.shop.send(story.payout)).status).toBe(202);
  await advanceAndSay(story, 'SUCCESS');
  expect(await statusesOf(story.shop, story.payout)).toEqual(['paid']);
  paypal.books.sayOf(denied.items[0]!, 'SUCCESS');
  await settle(story);
  expect(await statusesOf(story.shop, story.payout)).toEqual(['paid!twice']);
  expect(await batchesOf(story.shop, story.payout)).toHaveLength(2);
});

const hard = [
  'BLOCKED',
  'FAILED',
  'RETURNED',
  'REVERSED',
  'DENIED',
  'CANCELED',
  'SUCCESS',
  'NEW WORD',
];
/** Words that leave it paid after SUCCESS, whatever they may mean then. */
const soft = ['PENDING', 'UNCLAIMED', 'ONHOLD'];

it.each([...hard, ...soft])('any other word after %s, and then the money', async (first) => {
  const others = [...hard, ...(first === 'SUCCESS' ? [] : soft)];
  for (const second of others) {
    const story = await sent();
    const { shop, payout, reference } = story;
    await advance(app, payout);
    for (const word of [first, second]) {
      paypal.books.say(reference, word, { error: funds });
      await later(app, payout, hour);
      expect([second, await compareBooks(app, paypal, payout)]).toEqual([second, []]);
    }
    paypal.books.say(reference, 'SUCCESS');
    await later(app, payout, 2 * hour);
    const [item] = await itemsOf(shop, payout);
    expect([second, item?.status]).toEqual([second, 'paid']);
  }
});
