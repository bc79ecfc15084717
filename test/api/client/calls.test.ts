import { AffiliateClient } from '../../../packages/client/src';
import { useApp } from '../../support/app';
import { buildApiKey } from '../../support/build/accounts';
import {
  buildReportingMerchant,
  type ReportingMerchant,
} from '../../support/shops/reporting-merchant';

const app = useApp();
let shop: ReportingMerchant;
let client: AffiliateClient;

beforeAll(async () => {
  shop = await buildReportingMerchant(app);
  const { workspaceId } = shop.participant;
  const { key } = await buildApiKey(app.deps.db.manager, { workspaceId, mode: 'test' });
  client = new AffiliateClient({ apiKey: key, baseUrl: `${app.url}/` });
  for (let i = 0; i < 7; i += 1) await shop.report({ external_transaction_id: `order ${i}` });
});

describe('a list', () => {
  it('is one page when it is awaited', async () => {
    const page = await client.conversions.list({ limit: 3, page: 2 });
    expect(page).toMatchObject({ total: 7, page: 2, limit: 3 });
    expect(page.data).toHaveLength(3);
  });

  it('is the rows of all pages when it is iterated', async () => {
    const ids: string[] = [];
    for await (const { external_transaction_id: id } of client.conversions.list({ limit: 3 })) {
      ids.push(id);
    }
    expect(new Set(ids).size).toBe(7);
    const later: string[] = [];
    for await (const row of client.conversions.list({ limit: 3, page: 2 })) later.push(row.id);
    expect(later).toHaveLength(4);
  });

  it('is an array of as many rows as are asked for', async () => {
    const all = await client.conversions.list().toArray();
    expect(new Set(all.map(({ id }) => id)).size).toBe(7);
    expect(await client.conversions.list({ limit: 2 }).toArray({ limit: 3 })).toEqual(
      all.slice(0, 3),
    );
    expect(await client.conversions.list().toArray({ limit: 0 })).toEqual([]);
  });

  it('skips and doubles nothing though rows come while it is read', async () => {
    const known = await client.conversions.list().toArray();
    const met: string[] = [];
    for await (const { id } of client.conversions.list({ limit: 3 })) {
      met.push(id);
      if (met.length === 3) await shop.report({ external_transaction_id: 'meanwhile' });
    }
    expect(met).toEqual(known.map(({ id }) => id));
  });

  it('asks for a hundred rows a page, by whatever field the list has for it', async () => {
    const sizes: unknown[] = [];
    const counting = new AffiliateClient({
      baseUrl: app.url,
      fetch: async (url) => {
        const { searchParams } = new URL(url as string);
        sizes.push([searchParams.get('limit'), searchParams.get('pageSize')]);
        return Response.json({ data: [], total: 0, nextCursor: null });
      },
    });
    await counting.conversions.list().toArray();
    await counting.conversions.list({ limit: 5 }).toArray();
    await counting.testMode.listNotificationLog().toArray();
    expect(sizes).toEqual([
      ['100', null],
      ['5', null],
      [null, '100'],
    ]);
  });

  it('asks for no page before it is used, and for each only when its rows are', async () => {
    let asked = 0;
    const counting = new AffiliateClient({
      baseUrl: app.url,
      getAccessToken: () => 'none',
      fetch: async () => {
        asked += 1;
        return Response.json({ data: [1, 2], total: 6 });
      },
    });
    const list = counting.conversions.list();
    expect(asked).toBe(0);
    for await (const row of list) if (row) break;
    expect(asked).toBe(1);
    // The page that is awaited is as large as its caller or the API says.
    await list;
    await list;
    expect(asked).toBe(2);
  });
});

describe('a call', () => {
  const sent: Request[] = [];
  const answered = (response: () => Response) =>
    new AffiliateClient({
      baseUrl: 'https://api.example.com',
      getAccessToken: async () => 'token',
      mode: 'test',
      fetch: async (url, init) => {
        sent.push(new Request(url as string, init));
        return response();
      },
    });
  beforeEach(() => sent.splice(0));

  it('puts fields into path, query and body, each where it belongs', async () => {
    const recorder = answered(() => Response.json({}));
    await recorder.commissions.reject({ programId: 'p/1', commissionId: 'c', reason: 'why' });
    await recorder.conversions.list({ attributed: true, external_transaction_id: 'a b' });
    await recorder.payouts.reportResults({ id: 'p', dryRun: true, body: 'reference' });
    expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'PATCH https://api.example.com/api/v1/programs/p%2F1/commissions/c/reject',
      'GET https://api.example.com/api/v1/conversions?attributed=true&external_transaction_id=a+b',
      'POST https://api.example.com/api/v1/payouts/p/results?dryRun=true',
    ]);
    expect(await sent[0]?.json()).toEqual({ reason: 'why' });
    expect(sent[0]?.headers.get('authorization')).toBe('Bearer token');
    expect(sent[0]?.headers.get('x-mode')).toBe('test');
    expect(await sent[2]?.text()).toBe('reference');
  });

  it('is in the mode of the client where its own is undefined: no mode at all means live', async () => {
    const recorder = answered(() => Response.json({}));
    const plain = { mode: undefined } as object;
    await recorder.conversions.list({}, plain);
    expect(sent[0]?.headers.get('x-mode')).toBe('test');
  });

  it('refuses an empty id, which would be another path', async () => {
    const recorder = answered(() => Response.json({}));
    await expect(recorder.conversions.get({ conversionId: '' })).rejects.toThrow('conversionId');
    expect(sent).toEqual([]);
  });

  it('answers with text where the API answers no JSON, and nothing where there is nothing', async () => {
    expect(await client.conversions.list()).toMatchObject({ page: 1 });
    const csv = { headers: { 'Content-Type': 'text/csv' } };
    const file = answered(() => new Response('id,status', csv));
    expect(await file.commissions.export()).toBe('id,status');
    const nothing = answered(() => new Response(null, { status: 204 }));
    expect(await nothing.webhooks.delete({ id: '1' })).toBeUndefined();
    const stream = answered(
      () => new Response('', { headers: { 'Content-Type': 'text/event-stream' } }),
    );
    expect(await stream.notifications.stream()).toBeInstanceOf(Response);
  });
});
