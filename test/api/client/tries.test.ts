import { AffiliateClient, AffiliateError } from '../../../packages/client/src';
import { useApp } from '../../support/app';
import { buildApiKey } from '../../support/build/accounts';
import {
  buildReportingMerchant,
  type ReportingMerchant,
} from '../../support/shops/reporting-merchant';
import { startFlakyProxy, type Fate, type FlakyProxy } from './flaky-proxy';

const app = useApp();
let shop: ReportingMerchant;
let apiKey: string;
const proxies: FlakyProxy[] = [];

beforeEach(async () => {
  shop = await buildReportingMerchant(app);
  const { workspaceId } = shop.participant;
  apiKey = (await buildApiKey(app.deps.db.manager, { workspaceId, mode: 'test' })).key;
});
afterEach(async () => {
  await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
});

const pass: Fate = { kind: 'pass' };

type Options = Partial<ConstructorParameters<typeof AffiliateClient>[0]>;

async function through(fateOf: (number: number) => Fate, options: Options = {}) {
  const proxy = await startFlakyProxy(app.url, fateOf);
  proxies.push(proxy);
  return { proxy, client: new AffiliateClient({ apiKey, baseUrl: proxy.url, ...options }) };
}

const sale = (id: string) => ({
  external_transaction_id: id,
  event_type: 'purchase' as const,
  click_id: shop.click.id,
  amount_cents: 4_900,
  currency: 'usd',
});

it('makes 100 conversions of 100 reports when every third answer is lost', async () => {
  const { client, proxy } = await through((n) => (n % 3 === 0 ? { kind: 'drop' } : pass), {
    maxRetries: 8,
  });
  const ids = Array.from({ length: 100 }, (_, i) => `order_${i}`);
  const reported = await Promise.all(ids.map((id) => client.conversions.report(sale(id))));
  expect(new Set(reported.map((conversion) => conversion.id)).size).toBe(100);
  expect(await shop.storedCount()).toBe(100);
  expect(proxy.keys.length).toBeGreaterThanOrEqual(140);
  expect(new Set(proxy.keys).size).toBe(100);
});

it.each<[string, Fate]>([
  ['an answer that is lost', { kind: 'drop' }],
  ['a request that arrives twice', { kind: 'twice' }],
  ['429', { kind: 'refuse', status: 429 }],
  ['503', { kind: 'refuse', status: 503 }],
  ...[408, 500, 502, 504].map((status): [string, Fate] => [
    `${status}`,
    { kind: 'refuse', status },
  ]),
  ['a gateway that hides the answer', { kind: 'gateway', status: 502 }],
  ['no answer in time', { kind: 'hang' }],
  ['an answer that comes too late', { kind: 'late' }],
])('reports a sale once despite %s', async (_, fate) => {
  const { client, proxy } = await through((n) => (n === 1 ? fate : pass), { timeoutMs: 2_000 });
  const { attributed } = await client.conversions.report(sale('order'));
  expect(attributed).toBe(true);
  expect(await shop.storedCount()).toBe(1);
  expect(proxy.keys).toHaveLength(fate.kind === 'twice' ? 1 : 2);
  expect(new Set(proxy.keys).size).toBe(1);
});

it('walks a list to its end, each row once, though pages are lost, late, refused and sent twice', async () => {
  const ids = Array.from({ length: 7 }, (_, i) => `order_${i}`);
  for (const id of ids) await shop.report({ external_transaction_id: id });
  const fates: Fate[] = [
    { kind: 'drop' },
    { kind: 'refuse', status: 429 },
    pass,
    { kind: 'late' },
    { kind: 'twice' },
    { kind: 'refuse', status: 503 },
  ];
  const { client, proxy } = await through((n) => fates[n - 1] ?? pass, { timeoutMs: 2_000 });
  const seen: string[] = [];
  for await (const row of client.conversions.list({ limit: 2 })) {
    seen.push(row.external_transaction_id);
  }
  expect(seen).toEqual(ids.toReversed());
  // Four pages, and four tries that came to nothing.
  expect(proxy.keys).toEqual(Array(8).fill(undefined));
});

it('waits as long as Retry-After says, in seconds or until a time', async () => {
  const at = new Date(Date.now() + 3_000).toUTCString();
  const fates: Fate[] = [{ kind: 'refuse', status: 429, retryAfter: '1' }];
  fates.push({ kind: 'refuse', status: 503, retryAfter: at });
  const { client } = await through((n) => fates[n - 1] ?? pass);
  const before = Date.now();
  await client.conversions.report(sale('order'));
  expect(Date.now()).toBeGreaterThanOrEqual(before + 1_000);
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(at));
});

it('gives up at once when it would wait for longer than two minutes', async () => {
  const { client, proxy } = await through(() => ({
    kind: 'refuse',
    status: 429,
    retryAfter: '3600',
  }));
  await expect(client.conversions.list()).rejects.toMatchObject({ status: 429 });
  expect(proxy.keys).toHaveLength(1);
});

it('gives up after its tries, and says what happened', async () => {
  const { client, proxy } = await through(() => ({ kind: 'drop' }), { maxRetries: 1 });
  const failure = await client.conversions.list().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(AffiliateError);
  expect(failure).toMatchObject({ status: 0, code: 'NETWORK_ERROR', requestId: null });
  expect(proxy.keys).toHaveLength(2);

  const hung = await through(() => ({ kind: 'hang' }), { maxRetries: 0, timeoutMs: 50 });
  await expect(hung.client.conversions.list()).rejects.toMatchObject({ code: 'TIMEOUT' });
});

it('a call is ended by its signal, also while it waits for the next try', async () => {
  const stop = new AbortController();
  const { client } = await through(() => {
    setTimeout(() => stop.abort(new Error('enough')), 20);
    return { kind: 'refuse', status: 503, retryAfter: '60' };
  });
  await expect(client.conversions.list({}, { signal: stop.signal })).rejects.toThrow('enough');
});

it('repeats no refusal, and says which it was', async () => {
  const { client, proxy } = await through(() => pass);
  const body = { ...sale('order'), amount_cents: -1 };
  const error: unknown = await client.conversions.report(body).catch((caught: unknown) => caught);
  if (!client.conversions.report.refused(error)) throw error;
  // The compiler knows the operation's codes: another one would not be comparable.
  expect(error.code === 'VALIDATION_ERROR').toBe(true);
  expect(error.status).toBe(400);
  expect(error.details.map(({ field }) => field)).toEqual(['amount_cents']);
  expect(error.requestId).toMatch(/./);
  expect(proxy.keys).toHaveLength(1);
});

it('sends the key that it is given, and another one with each call', async () => {
  const { client, proxy } = await through(() => pass);
  const options = { idempotencyKey: 'mine' };
  const first = await client.conversions.report(sale('a'), options);
  expect(await client.conversions.report(sale('a'), options)).toEqual(first);
  await client.conversions.report(sale('b'));
  await client.conversions.report(sale('c'));
  expect(proxy.keys.slice(0, 2)).toEqual(['mine', 'mine']);
  expect(new Set(proxy.keys).size).toBe(3);
});

it('waits for a key that is held, be it longer than its tries', async () => {
  const body = { statusCode: 409, message: 'held', code: 'IDEMPOTENCY_IN_PROGRESS' };
  const held: Fate = { kind: 'refuse', status: 409, retryAfter: '0', body };
  const { client, proxy } = await through((n) => (n <= 3 ? held : pass), { maxRetries: 1 });
  expect(await client.conversions.report(sale('order'))).toMatchObject({ attributed: true });
  expect(proxy.keys).toHaveLength(4);
});

it('counts what is gone after an answer was lost as deleted, and says so of nothing else', async () => {
  const { workspaceId } = shop.participant;
  const { key } = await buildApiKey(app.deps.db.manager, {
    ...{ workspaceId, mode: 'test', kind: 'management', role: 'admin' },
  });
  const { client, proxy } = await through((n) => (n === 2 ? { kind: 'drop' } : pass), {
    apiKey: key,
  });
  const { id } = await client.webhooks.create({ url: 'http://127.0.0.1:2000', events: ['*'] });
  expect(await client.webhooks.delete({ id })).toBeUndefined();
  expect(proxy.keys).toHaveLength(3);
  await expect(client.webhooks.delete({ id })).rejects.toMatchObject({ code: 'WEBHOOK_NOT_FOUND' });
});

it('ends all tries and waits together by its deadline', async () => {
  const { client, proxy } = await through(() => ({ kind: 'refuse', status: 503 }), {
    maxRetries: 50,
  });
  const before = Date.now();
  const refused = client.conversions.report(sale('order'), { deadlineMs: 1_000 });
  await expect(refused).rejects.toMatchObject({ status: 503 });
  expect(proxy.keys.length).toBeGreaterThan(1);
  const hung = await through(() => ({ kind: 'hang' }));
  const late = hung.client.conversions.report(sale('order'), { deadlineMs: 1_000 });
  await expect(late).rejects.toMatchObject({ code: 'TIMEOUT' });
  // The first of four tries alone would last for 30 seconds without the deadline.
  expect(Date.now() - before).toBeLessThan(15_000);
});
