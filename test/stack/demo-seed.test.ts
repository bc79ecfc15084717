import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { seedDemo } from '../../stack/demo/seed';
import { ensureViewer } from '../../stack/demo/viewer';
import { AffiliateClient } from '../../packages/client/src';
import { startTestApp, type TestApp } from '../support/app';

let app: TestApp;
const folders: string[] = [];
const newFolder = (): string => {
  folders.push(mkdtempSync(path.join(tmpdir(), 'demo-')));
  return folders.at(-1) ?? '';
};
const seed = (stackDir: string, shopUrl = 'http://127.0.0.1:8000', signal?: AbortSignal) =>
  seedDemo({ apiUrl: app.url, shopUrl, stackDir, signal: signal ?? AbortSignal.timeout(60_000) });

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  for (const folder of folders) rmSync(folder, { recursive: true });
  await app.close();
});

it('the demo is seeded once, and is the same at the next start', async () => {
  const folder = newFolder();
  const demo = await seed(folder);
  expect(await seed(folder)).toEqual(demo);
  const client = new AffiliateClient({ apiKey: demo.keys.live.secret, baseUrl: app.url });
  const sale = await client.conversions.report({
    external_transaction_id: 'first',
    event_type: 'purchase',
    promo_code: demo.promoCode,
    amount_cents: 4_900,
    currency: 'usd',
  });
  expect(sale).toMatchObject({ attributed: true, mode: 'live', commission: { amount_cents: 980 } });
});

it('the demo has a login that reads what its merchant sees and changes nothing, the same each time', async () => {
  const folder = newFolder();
  const demo = await seed(folder);
  const service = { apiUrl: app.url, stackDir: folder, signal: AbortSignal.timeout(60_000) };
  const viewer = await ensureViewer(service);
  expect(await ensureViewer(service)).toEqual(viewer);

  const { accessToken } = await new AffiliateClient({ baseUrl: app.url }).signIn.loginMerchant(
    viewer,
  );
  const client = new AffiliateClient({ baseUrl: app.url, accessToken, mode: 'test' });
  const { data } = await client.payouts.list({ programId: demo.programId });
  expect(data.length).toBeGreaterThan(0);
  const renamed = client.programmes.update({ programId: demo.programId, name: 'Another' });
  await expect(renamed).rejects.toMatchObject({ status: 403 });
});

it('shows a payout in each state, with items that failed and came back', async () => {
  const folder = newFolder();
  const demo = await seed(folder);
  const login = new AffiliateClient({ baseUrl: app.url });
  const { accessToken } = await login.signIn.loginMerchant(demo.merchant);
  const client = new AffiliateClient({ baseUrl: app.url, accessToken, mode: 'test' });
  // Once more: by its new address all is looked at again.
  await seed(folder, 'http://127.0.0.1:8001');
  const { data } = await client.payouts.list({ programId: demo.programId });
  const seen = data.map(({ status, items }) => [
    status,
    items.map((item) => [item.currency, item.amountCents, item.status]).sort(),
  ]);
  const cancelled = 'cancelled';
  expect(seen).toEqual([
    [
      'processing',
      [
        ['eur', 4_200, 'ready'],
        ['gbp', 3_300, 'ready'],
        ['usd', 6_000, 'ready'],
      ],
    ],
    [
      cancelled,
      [
        ['eur', 4_200, cancelled],
        ['gbp', 3_300, cancelled],
        ['usd', 6_000, cancelled],
      ],
    ],
    [
      'completed',
      [
        ['eur', 4_200, 'returned'],
        ['gbp', 3_300, 'failed'],
        ['usd', 8_950, 'paid'],
      ],
    ],
    ['completed', [['usd', 12_400, 'paid']]],
  ]);
  expect(data[0]?.items[0]?.method?.label).toMatch(/^PayPal, a\*\*\*@/);
});

it('gets another address of the shop, and accounts beside those of another checkout', async () => {
  const folder = newFolder();
  const demo = await seed(folder);
  expect(demo.merchant.email).toMatch(/^mira-[0-9a-f]{6}@/);
  const moved = await seed(folder, 'http://127.0.0.1:8001');
  expect(moved).toEqual({ ...demo, referralUrl: 'http://127.0.0.1:8001/?ref=ava' });
});

it('the seeding is given up with the start, and says what was refused', async () => {
  const stopped = AbortSignal.abort(new Error('stopped'));
  await expect(seed(newFolder(), 'http://127.0.0.1:8000', stopped)).rejects.toThrow('stopped');
  const folder = newFolder();
  await expect(seed(folder, 'no address')).rejects.toThrow('set up: the service answered 400');
  // The seeding will be taken up where it stopped.
  expect(JSON.parse(readFileSync(path.join(folder, 'demo.json'), 'utf8'))).toHaveProperty('keys');
});
