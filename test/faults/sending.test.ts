import { setTimeout as pause } from 'node:timers/promises';
import { query } from '../../entities/database/sql';
import type { ProcessName } from '../../stack/supervisor/info';
import type { TestApp } from '../support/app';
import { signIn } from '../support/build/accounts';
import { until } from '../support/eventually';
import { untilAnswered } from '../support/faults/until-answered';
import { buildPayPalShop, compareBooks, type PayPalShop } from '../support/paypal/shop';
import { startPayPalStandIn, type CallKind, type PayPalStandIn } from '../support/paypal/stand-in';
import { isNightly } from '../support/run/nightly';
import { appOfStack } from '../support/stack/app-of-stack';
import {
  newStackDir,
  removeStackDir,
  startLocalStack,
  type LocalStack,
} from '../support/stack/local-stack';

jest.setTimeout(180_000);

interface Round {
  killed: readonly ProcessName[];
  /** A request of this kind has come to the provider; or so long after our API was asked to send. */
  at: CallKind | { ms: number };
  /** What becomes of that request besides. */
  silence?: 'before' | 'after';
}

const moments: readonly Omit<Round, 'killed'>[] = [
  { at: 'send' },
  { at: 'token' },
  { at: 'send', silence: 'before' },
  { at: 'send', silence: 'after' },
  { at: 'ask' },
];
const others: readonly ProcessName[] = ['worker', 'postgres', 'temporal'];

/** The rounds. By day each part dies once; by night each part at each moment, and the API at five. */
const rounds: readonly Round[] = isNightly
  ? [
      ...moments.flatMap((moment) => others.map((name) => ({ ...moment, killed: [name] }))),
      ...[0, 10, 20, 40, 80].map((ms) => ({ at: { ms }, killed: ['api' as const] })),
    ]
  : [
      { at: { ms: 20 }, killed: ['api'] },
      { at: 'send', killed: ['worker', 'temporal'] },
      { at: 'send', silence: 'after', killed: ['postgres'] },
    ];

const partners = 3;
const dir = newStackDir();
let stack: LocalStack;
let paypal: PayPalStandIn;
let app: TestApp;

beforeAll(async () => {
  paypal = await startPayPalStandIn();
  stack = await startLocalStack(dir, {
    PAYPAL_API_BASE: paypal.url,
    PAYOUT_TRY_SCHEDULE: '0s,1s',
    PAYOUT_ASK_SCHEDULE: '1s',
    PAYOUT_TRY_TIMEOUT_MS: '1000',
    RATE_LIMIT_GENERAL: '0',
  });
  app = await appOfStack(stack);
}, 120_000);

afterAll(async () => {
  await app.close();
  await stack.stop();
  await paypal.close();
  removeStackDir(dir);
});

/** Kills whatever serves under these names at that moment. */
function kill(names: readonly ProcessName[]): void {
  for (const name of names) stack.kill(name);
}

/** Kills at the first request of the kind. What the provider took it pays, once it was asked about after that. */
function killAt({ at, killed, silence }: Round): () => boolean {
  let hasKilled = typeof at === 'object';
  paypal.onCall = (kind) => {
    if (kind === at && !hasKilled) {
      hasKilled = true;
      if (silence) paypal.moods[kind] = [{ silence }];
      return kill(killed);
    }
    if (kind === 'ask' && hasKilled) payWhatIsOpen();
  };
  return () => hasKilled;
}

function payWhatIsOpen(): void {
  const items = [...paypal.books.batches.values()].flatMap((batch) => batch.items);
  for (const item of items) {
    if (item.word === null) paypal.books.sayOf(item, 'SUCCESS');
  }
}

/** Sends as a merchant who gets no answer and asks again: it is taken, or there is nothing left to send. */
async function send(shop: PayPalShop, payoutId: string, { at, killed }: Round): Promise<void> {
  const { accessToken } = await signIn(app.deps, shop.member);
  // The stack's clock is not moved.
  app.deps.clock.advance(-90_000);
  const body = {
    provider: 'paypal',
    expected: { items: partners, amountCents: partners * 2_000 },
    code: shop.code(),
  };
  const request = {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Mode': 'live',
      Authorization: `Bearer ${accessToken}`,
    },
    body: JSON.stringify(body),
  };
  const sent = untilAnswered(`${app.url}/api/v1/payouts/${payoutId}/send`, request, [202, 422]);
  if (typeof at === 'object') {
    await pause(at.ms);
    kill(killed);
  }
  await sent;
}

/** False as well while there is no Postgres. */
async function isPaid(payoutId: string): Promise<boolean> {
  const open = `SELECT 1 FROM payout_items WHERE payout_id = $1 AND status <> 'paid'`;
  const rows = await query(app.deps.db.manager, open, [payoutId]).catch(() => undefined);
  return rows?.length === 0;
}

/** What was killed serves again, so that the next round finds it. */
async function allServe(
  before: Partial<Record<ProcessName, number>>,
  names: readonly ProcessName[],
) {
  await until(() => {
    const now = stack.info().processes;
    return names.every((name) => now[name] !== undefined && now[name] !== before[name]);
  });
}

describe('a payout that is sent while parts are killed around its first byte', () => {
  it.each(rounds.map((round, index) => [index + 1, round] as const))(
    'round %i (%j) pays each once, as the books say',
    async (_number, round) => {
      const shop = await buildPayPalShop(app, { partners });
      const payout = await shop.payout();
      const before = stack.info().processes;
      if (round.at === 'token') paypal.revokeTokens();
      const hasKilled = killAt(round);

      await send(shop, payout.id, round);
      await until(() => isPaid(payout.id), 120_000);

      expect(hasKilled()).toBe(true);
      await allServe(before, round.killed);
      const times = payout.items.map(({ reference }) => paypal.books.itemsOf(reference).length);
      expect(times).toEqual(Array.from({ length: partners }, () => 1));
      expect(await compareBooks(app, paypal, payout)).toEqual([]);
    },
  );
});
