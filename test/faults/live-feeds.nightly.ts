import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'pg';
import { PROCESS_NAMES, type ProcessName } from '../../stack/supervisor/info';
import { followLive, type LiveFollower } from '../support/faults/follower';
import { untilAnswered } from '../support/faults/until-answered';
import { sellAtDemo, signInAtDemo } from '../support/stack/demo-shop';
import {
  newStackDir,
  removeStackDir,
  startLocalStack,
  type LocalStack,
} from '../support/stack/local-stack';

jest.setTimeout(180_000);

const dir = newStackDir();
let stack: LocalStack;
let database: Pool;
let tabs: LiveFollower[];
let merchant: { token: string; feedId: string };
let partner: { token: string; feedId: string };

beforeAll(async () => {
  stack = await startLocalStack(dir, { RATE_LIMIT_GENERAL: '0', RATE_LIMIT_AUTH: '0' });
  const { databaseUrl, apiUrl } = stack.info();
  database = new Pool({ connectionString: databaseUrl });
  // Its connections break with the database; the next query opens one.
  database.on('error', () => undefined);
  merchant = await signIn('merchant');
  partner = await signIn('partner');
  const own = `${apiUrl}/api/v1/notifications/stream`;
  const of = (token: string) => ({ token, mode: 'test' }) as const;
  tabs = [
    await followLive(own, of(merchant.token)),
    await followLive(own, of(merchant.token)),
    await followLive(`${apiUrl}/api/v1/partner/notifications/stream`, of(partner.token)),
  ];
}, 120_000);
afterAll(async () => {
  for (const tab of tabs) tab.close();
  await database.end();
  await stack.stop();
  removeStackDir(dir);
});

async function signIn(side: 'merchant' | 'partner') {
  const { accessToken: token, account } = await signInAtDemo(stack.info(), side);
  const { id, gpaId, workspaceId } = account;
  return { token, feedId: side === 'merchant' ? workspaceId : (gpaId ?? id) };
}

let sold = 0;

/** A sale and the approval of its commission: one notification for the merchant, two for the partner. */
async function live(): Promise<void> {
  const info = stack.info();
  sold += 1;
  const transaction = `life-${sold}`;
  await sellAtDemo(info, transaction);
  const commissionId = await commissionOf(transaction);
  await untilAnswered(
    `${info.apiUrl}/api/v1/programs/${info.demo?.programId}/commissions/${commissionId}/approve-override`,
    {
      method: 'PATCH',
      headers: {
        'Content-Type': 'application/json',
        'X-Mode': 'test',
        Authorization: `Bearer ${merchant.token}`,
      },
      body: JSON.stringify({ reason: 'A test' }),
    },
    [200, 409],
  );
}

/** The test's own look into the database, which may be away just now. */
async function commissionOf(transaction: string): Promise<string> {
  for (;;) {
    const found = await database
      .query<{ id: string }>('SELECT id FROM commissions WHERE external_transaction_id = $1', [
        transaction,
      ])
      .catch(() => undefined);
    if (found) return found.rows[0]?.id ?? '';
    await pause(100);
  }
}

async function untilSo(isSo: () => Promise<boolean>, what: () => string): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(what());
    await pause(50);
  }
}

/** What came of these lives: the demo's own sales may still be announced. */
async function seen(): Promise<string[][]> {
  const own = new Set([...(await stored(merchant.feedId)), ...(await stored(partner.feedId))]);
  return tabs.map((tab) => tab.ids().filter((id) => own.has(id)));
}

async function haveSeen(each: number[]): Promise<boolean> {
  // The database may be away just now.
  const ids = await seen().catch(() => undefined);
  return ids?.every((own, tab) => own.length >= (each[tab] ?? 0)) ?? false;
}

const counts = (): string => tabs.map((tab) => tab.ids().length).join();

/** Kills it in the middle of lives that go on, and waits for its successor. */
async function killAmid(name: ProcessName): Promise<void> {
  const before = stack.info().processes[name];
  const first = live();
  stack.kill(name);
  await first;
  await untilSo(
    () => Promise.resolve(stack.info().processes[name] !== before),
    () => `${name} was not started again`,
  );
}

async function stored(feedId: string): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    `SELECT n.id FROM notifications AS n JOIN events AS e ON e.id = n.cause_id
      WHERE n.feed_id = $1 AND n.mode = 'test'
        AND e.object->>'external_transaction_id' LIKE 'life-%' ORDER BY n.seq`,
    [feedId],
  );
  return rows.map(({ id }) => id);
}

it('two tabs of a merchant and a partner miss and repeat nothing, whatever is killed', async () => {
  await live();
  await untilSo(
    () => haveSeen([1, 1, 2]),
    () => `after a quiet life they have ${counts()}`,
  );
  for (const name of PROCESS_NAMES) await killAmid(name);
  await live();
  await untilSo(
    () => haveSeen([sold, sold, 2 * sold]),
    () => `of ${sold} lives they have ${counts()}\n${stack.output()}`,
  );
  for (const tab of tabs) expect(new Set(tab.ids()).size).toBe(tab.ids().length);
  const [first, second, third] = await seen();
  expect(first).toEqual(await stored(merchant.feedId));
  expect(second).toEqual(first);
  expect(third).toEqual(await stored(partner.feedId));
  expect(tabs.every((tab) => tab.streams() > 1)).toBe(true);
});
