import { AffiliateClient, type RequestInfo, type ResponseInfo } from '../../../packages/client/src';
import { useApp } from '../../support/app';
import { buildApiKey } from '../../support/build/accounts';
import {
  buildReportingMerchant,
  type ReportingMerchant,
} from '../../support/shops/reporting-merchant';
import { version } from '../../../package.json';
import { startFlakyProxy, type Fate, type FlakyProxy } from './flaky-proxy';

const app = useApp();
let shop: ReportingMerchant;
let apiKey: string;
let proxy: FlakyProxy;

beforeAll(async () => {
  shop = await buildReportingMerchant(app);
  const { workspaceId } = shop.participant;
  apiKey = (await buildApiKey(app.deps.db.manager, { workspaceId, mode: 'test' })).key;
});
afterEach(() => proxy.close());

type Options = Partial<ConstructorParameters<typeof AffiliateClient>[0]>;

async function behind(fate: Fate, options: Options = {}) {
  proxy = await startFlakyProxy(app.url, (n) => (n === 1 ? fate : { kind: 'pass' }));
  return new AffiliateClient({ apiKey, baseUrl: proxy.url, ...options });
}

const sale = (id: string) => ({
  external_transaction_id: id,
  event_type: 'purchase' as const,
  click_id: shop.click.id,
  // A caller's value that is not there.
  promo_code: undefined,
  amount_cents: 4_900,
  currency: 'usd',
});
const failureOf = (call: PromiseLike<unknown>) =>
  Promise.resolve(call).then(
    () => 'a success',
    (error: unknown) => error,
  );

it.each<[string, Fate]>([
  ['the page of a portal', { kind: 'portal' }],
  ['a redirect', { kind: 'refuse', status: 302, location: '/api/v1/health' }],
])('takes %s for no success', async (_, fate) => {
  const client = await behind(fate);
  const before = await shop.storedCount();
  const error = await failureOf(client.conversions.report(sale('nobody was told')));
  expect(error).toMatchObject({ code: 'UNEXPECTED_ANSWER' });
  expect(String(error)).toContain('baseUrl');
  expect(proxy.keys).toHaveLength(1);
  expect(await shop.storedCount()).toBe(before);
});

it('a call without fields fails with the names of those that it lacks', async () => {
  const client = await behind({ kind: 'pass' });
  const report = client.conversions.report as (fields?: object) => Promise<unknown>;
  for (const fields of [undefined, {}]) {
    expect(await failureOf(report(fields))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: expect.arrayContaining([
        expect.objectContaining({ field: 'external_transaction_id' }),
      ]),
    });
  }
});

it('says of an error whose it is', async () => {
  const client = await behind({ kind: 'pass' });
  const error = await failureOf(client.conversions.report({ ...sale('x'), amount_cents: -1 }));
  expect(client.conversions.report.refused(error)).toBe(true);
  expect(client.payouts.create.refused(error)).toBe(false);
  expect(client.conversions.list.refused(error)).toBe(false);
  expect(error).toMatchObject({ operation: 'conversions.report' });
});

it('gives what a success says beside its data', async () => {
  const client = await behind({ kind: 'pass' });
  const { data, status, requestId, headers } = await client.conversions
    .report(sale('with response'))
    .withResponse();
  expect(data).toMatchObject({ external_transaction_id: 'with response' });
  expect([status, requestId]).toEqual([201, headers.get('x-request-id')]);
  expect(requestId).toMatch(/./);
  expect(headers.get('location')).toContain(data.id);
  const page = await client.conversions.list().withResponse();
  expect([page.status, page.data.data.length > 0]).toEqual([200, true]);
});

it('tells its hooks of each try, nothing that is secret, and says who it is', async () => {
  const told: RequestInfo[] = [];
  const answers: ResponseInfo[] = [];
  const client = await behind(
    { kind: 'drop' },
    {
      onRequest: (request) => told.push(request),
      onResponse: (response) => {
        answers.push(response);
        throw new Error('a logger that fails');
      },
    },
  );
  await client.conversions.report(sale('hooked'));
  expect(told.map(({ operation, method, attempt }) => [operation, method, attempt])).toEqual([
    ['conversions.report', 'POST', 1],
    ['conversions.report', 'POST', 2],
  ]);
  expect(told[0]?.url).toBe(`${proxy.url}/api/v1/conversions`);
  expect(answers.map(({ status }) => status)).toEqual([0, 201]);
  expect(answers[1]?.requestId).toMatch(/./);
  expect(new Set(told.map(({ idempotencyKey }) => idempotencyKey))).toEqual(new Set(proxy.keys));
  expect(JSON.stringify([told, answers])).not.toContain(apiKey);
  expect(proxy.agents).toEqual(Array(2).fill(`affiliate-programme-client/${version}`));
});
