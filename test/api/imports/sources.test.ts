import type { Db } from '../../../entities/database/sql';
import { query } from '../../../entities/database/sql';
import type { Program } from '../../../entities/tables/programs/program.entity';
import { runImportTurn } from '../../../activities/imports/turn';
import type { ImportDto } from '../../../api/imports/imports.dto';
import { codeOf, type Caller } from '../../support/api-client';
import { useApp } from '../../support/app';
import { buildMember, type BuiltMember } from '../../support/build/accounts';
import { buildProgram } from '../../support/build/programs';
import { callerOf } from '../../support/callers';
import { cutover } from '../../support/imports';
import {
  affiliate,
  campaign,
  commission,
  coupon,
  referral,
} from '../../support/sources/rewardful-objects';
import {
  startFirstPromoter,
  startRewardful,
  startTolt,
  type Json,
  type Vendor,
} from '../../support/sources/stand-in';

let rewardful: Vendor;
let tolt: Vendor;
let firstPromoter: Vendor;
const bases: Record<string, string> = {};

beforeAll(async () => {
  [rewardful, tolt, firstPromoter] = await Promise.all([
    startRewardful(),
    startTolt(),
    startFirstPromoter(),
  ]);
  Object.assign(bases, {
    REWARDFUL_API_BASE: rewardful.url,
    TOLT_API_BASE: tolt.url,
    FIRSTPROMOTER_API_BASE: firstPromoter.url,
  });
});
afterAll(() => Promise.all([rewardful, tolt, firstPromoter].map((vendor) => vendor.close())));

const app = useApp(bases);
let db: Db;
let api: Caller;
let owner: BuiltMember;
let program: Program;
let path: string;

beforeEach(async () => {
  for (const vendor of [rewardful, tolt, firstPromoter]) {
    Object.assign(vendor, { calls: [], lists: {}, moods: [], onCall: undefined });
    vendor.keys = new Set(['good-key']);
  }
  db = app.deps.db.manager;
  owner = await buildMember(db);
  api = await callerOf(app, owner);
  program = await buildProgram(db, { workspaceId: owner.workspaceId, currency: 'usd' });
  path = `/api/v1/programs/${program.id}/imports`;
});
afterEach(() => app.deps.clock.set(undefined));

const credentials = { apiKey: 'good-key' };
type Made = ImportDto & Record<string, unknown>;
const begin = (body: object) => api.post<Made>(path, { cutover, credentials, ...body });

/** Works until nothing is left, and gives how long it had to wait, in seconds. */
async function work(importId: string): Promise<number[]> {
  const waits: number[] = [];
  for (;;) {
    const { isDone, waitMs } = await runImportTurn(app.deps, importId);
    if (isDone) return waits;
    if (waitMs === 0) continue;
    waits.push(Math.round(waitMs / 1_000));
    app.deps.clock.advance(waitMs);
  }
}

async function check(body: object): Promise<{ read: ImportDto; waits: number[]; one: string }> {
  const made = await begin(body);
  if (made.status !== 201) throw new Error(made.text);
  const one = `${path}/${made.body.id}`;
  const asked = await api.post(`${one}/check`);
  if (asked.status !== 202) throw new Error(asked.text);
  const waits = await work(made.body.id);
  return { read: (await api.get<ImportDto>(one)).body, waits, one };
}

function fillRewardful(more: Record<string, Json[]> = {}): void {
  rewardful.lists = {
    '/campaigns': [campaign('camp-1', 'Friends')],
    '/affiliates': [
      affiliate('ann', { wise_email: 'ann-wise@example.com' }),
      affiliate('bob', { state: 'disabled' }),
    ],
    '/affiliate_coupons': [coupon('ANN20', 'ann'), coupon('OLD', 'ann', { archived: true })],
    '/referrals': [
      referral('r1', 'ann'),
      referral('r2', 'bob', { conversion_state: 'lead', customer: null, stripe_customer_id: null }),
      referral('r3', 'bob', { deactivated_at: '2024-06-01T00:00:00.000Z' }),
      referral('r4', 'bob', { conversion_state: 'visitor' }),
    ],
    '/commissions': [
      commission('c1', 'ann'),
      commission('c2', 'ann', { state: 'paid', paid_at: '2024-05-01T00:00:00.000Z', amount: 999 }),
      commission('c3', 'bob', { state: 'voided', amount: 5 }),
    ],
    ...more,
  };
}

describe('a key', () => {
  it('is tried without a transaction that waits for the source', async () => {
    fillRewardful();
    const waiting = `SELECT count(*) AS count FROM pg_stat_activity
      WHERE datname = current_database() AND state = 'idle in transaction'`;
    const seen: unknown[] = [];
    rewardful.onCall = async () => {
      seen.push(...(await query(db, waiting)));
    };
    const headers = { 'Idempotency-Key': 'tried' };
    const body = { source: 'rewardful', cutover, credentials };
    const [made, again] = [
      await api.post(path, body, { headers }),
      await api.post(path, body, { headers }),
    ];
    expect([made.status, again.body['id']]).toEqual([201, made.body['id']]);
    expect(seen).toEqual([{ count: 0 }]);
  });
});

describe('Rewardful', () => {
  it('is read to the end of its pages, and booked (imports.md, Sources by API)', async () => {
    fillRewardful();
    const { read, one } = await check({ source: 'rewardful' });
    expect(read.error).toBeNull();
    expect(read.status).toBe('checked');
    expect(read.report).toMatchObject({
      kinds: [
        { kind: 'partners', read: 2, new: 2 },
        { kind: 'links', read: 3, new: 3 },
        { kind: 'customers', read: 3, new: 2, skipped: 1 },
        { kind: 'commissions', read: 3, new: 3 },
      ],
      money: [{ currency: 'usd', openCents: 3_000, paidCents: 999, voidCents: 5 }],
      params: ['via'],
      terms: [{ name: 'Friends', commission: '30 %', recurring: '12 months', cookieDays: 60 }],
    });
    expect(
      rewardful.calls.every(({ headers }) => headers.authorization?.startsWith('Basic ')),
    ).toBe(true);
    const expected = read.report?.money.map(({ currency, openCents, paidCents }) => ({
      currency,
      openCents,
      paidCents,
    }));
    expect((await api.post(`${one}/apply`, { expected })).status).toBe(202);
    await work(read.id);
    expect((await api.get<ImportDto>(one)).body).toMatchObject({ status: 'applied', error: null });
    const aliases = await query<{ customerId: string; alias: string }>(
      db,
      `SELECT u.customer_id AS "customerId", a.alias FROM customers AS u
         JOIN customer_aliases AS a ON a.customer = u.id
        WHERE u.program_id = $1 ORDER BY 1, 2`,
      [program.id],
    );
    expect(aliases.map(({ customerId, alias }) => [customerId, alias])).toEqual([
      ['cus_r1', 'cus_r1'],
      ['cus_r1', 'r1'],
      ['cus_r1', 'rewardful:r1'],
      ['rewardful:r2', 'r2'],
      ['rewardful:r2', 'rewardful:r2'],
    ]);
    const [kept] = await query<{ key: string | null; rows: number }>(
      db,
      `SELECT credentials_encrypted AS key,
              (SELECT count(*)::int FROM import_rows WHERE import_id = i.id) AS rows
         FROM imports AS i WHERE i.id = $1`,
      [read.id],
    );
    expect(kept).toEqual({ key: null, rows: 0 });
  });

  it('is read and booked where a name or an id has what no text of ours holds', async () => {
    fillRewardful({
      '/affiliates': [affiliate('ann', { first_name: 'An\0n', last_name: 'L\ud800' })],
      '/affiliate_coupons': [],
      '/referrals': [referral('r\0\udc001', 'ann')],
      '/commissions': [commission('c\0\ud8001', 'ann')],
    });
    const { read } = await check({ source: 'rewardful' });
    expect([read.status, read.error]).toEqual(['checked', null]);
    expect(read.report?.kinds.find(({ kind }) => kind === 'commissions')).toMatchObject({ new: 1 });
  });

  it('keeps its key encrypted, and never answers it', async () => {
    fillRewardful();
    const made = await begin({ source: 'rewardful' });
    expect(made.text).not.toContain('good-key');
    const [kept] = await query<{ key: string }>(
      db,
      'SELECT credentials_encrypted AS key FROM imports WHERE id = $1',
      [made.body.id],
    );
    expect(kept?.key).toMatch(/^v1\./);
    expect(kept?.key).not.toContain('good-key');
    await api.post(`${path}/${made.body.id}/cancel`);
    const gone = await query(db, 'SELECT credentials_encrypted AS key FROM imports WHERE id = $1', [
      made.body.id,
    ]);
    expect(gone).toEqual([{ key: null }]);
  });

  it('keeps nothing where the key is refused', async () => {
    fillRewardful();
    const answer = await begin({ source: 'rewardful', credentials: { apiKey: 'bad-key' } });
    expect(codeOf(answer)).toEqual([422, 'IMPORT_KEY_REJECTED']);
    expect((await api.get<{ total: number }>(path)).body.total).toBe(0);
  });

  it('takes a key that is refused later away, and says so', async () => {
    fillRewardful();
    const made = await begin({ source: 'rewardful' });
    const one = `${path}/${made.body.id}`;
    await api.post(`${one}/check`);
    rewardful.keys.clear();
    await work(made.body.id);
    const { body } = await api.get<ImportDto>(one);
    expect([body.status, body.error?.code]).toEqual(['failed', 'IMPORT_KEY_REJECTED']);
    expect(codeOf(await api.post(`${one}/check`))).toEqual([422, 'IMPORT_KEY_REJECTED']);
  });

  it('waits as it is told, and asks again', async () => {
    fillRewardful();
    const made = await begin({ source: 'rewardful' });
    await api.post(`${path}/${made.body.id}/check`);
    rewardful.moods = [
      { status: 429, headers: { 'retry-after': '7' } },
      { status: 429, headers: { 'ratelimit-reset': '11' } },
      { status: 503 },
      { silence: true },
    ];
    const waits = await work(made.body.id);
    expect(waits).toEqual([7, 11, 4, 8]);
    const { body } = await api.get<ImportDto>(`${path}/${made.body.id}`);
    expect([body.status, body.error]).toEqual(['checked', null]);
  });

  it.each<[string, Vendor['moods'], RegExp]>([
    [
      'longer than half an hour',
      [{ status: 429, headers: { 'retry-after': '1801' } }],
      /half an hour/,
    ],
    ['a page that is none', [{ status: 200, body: '<html>' }], /no JSON/],
    ['another list', [{ status: 200, body: '{"items": []}' }], /something else/],
    ['another refusal', [{ status: 404 }], /404/],
  ])('fails on %s, and books nothing', async (_, moods, why) => {
    fillRewardful();
    const made = await begin({ source: 'rewardful' });
    await api.post(`${path}/${made.body.id}/check`);
    rewardful.moods = moods;
    await work(made.body.id);
    const { body } = await api.get<ImportDto>(`${path}/${made.body.id}`);
    expect([body.status, body.error?.code, body.report]).toEqual([
      'failed',
      'IMPORT_SOURCE_FAILED',
      null,
    ]);
    expect(body.error?.message).toMatch(why);
  });

  it('reads rows once while others come, and again where pages end early', async () => {
    const many = Array.from({ length: 230 }, (_, n) => affiliate(`p${n}`));
    fillRewardful({ '/affiliates': many, '/commissions': [], '/referrals': [] });
    let pages = 0;
    rewardful.onCall = (call) => {
      if (call.path !== '/affiliates') return;
      pages += 1;
      // One who joins moves the others to the next page.
      if (pages === 2) rewardful.lists['/affiliates']?.unshift(affiliate('new'));
    };
    const { read } = await check({ source: 'rewardful' });
    expect(read.report?.kinds[0]).toMatchObject({ read: 231, new: 231, skipped: 0 });
    expect(read.report?.problems.count).toBe(1);
    expect(pages).toBe(6);
  });

  it('fails where it tells of more than it gives, twice', async () => {
    fillRewardful();
    const made = await begin({ source: 'rewardful' });
    await api.post(`${path}/${made.body.id}/check`);
    const body = JSON.stringify({ data: [], pagination: { next_page: null, total_count: 3 } });
    rewardful.moods = [
      { status: 200, body },
      { status: 200, body },
    ];
    await work(made.body.id);
    const read = (await api.get<ImportDto>(`${path}/${made.body.id}`)).body;
    expect(read.error).toEqual({
      code: 'IMPORT_SOURCE_FAILED',
      message: 'campaigns: it tells of 3 and gives 0, twice.',
    });
  });

  it('fails on pages that go round', async () => {
    fillRewardful();
    const made = await begin({ source: 'rewardful' });
    await api.post(`${path}/${made.body.id}/check`);
    const body = JSON.stringify({
      data: [campaign('a', 'A')],
      pagination: { next_page: 2, total_count: 9 },
    });
    rewardful.moods = [
      { status: 200, body },
      { status: 200, body },
    ];
    await work(made.body.id);
    const read = (await api.get<ImportDto>(`${path}/${made.body.id}`)).body;
    expect(read.error?.message).toMatch(/nothing new/);
  });

  it('takes the campaigns that are named alone', async () => {
    const other = { id: 'camp-2', name: 'Others' };
    fillRewardful({
      '/campaigns': [campaign('camp-1', 'Friends'), campaign('camp-2', 'Others')],
      '/affiliates': [affiliate('ann'), affiliate('bob', { campaign: other })],
      '/referrals': [],
      '/affiliate_coupons': [],
      '/commissions': [commission('c1', 'ann'), commission('c2', 'bob', { campaign: other })],
    });
    expect(codeOf(await begin({ source: 'rewardful', only: ['Nobody'] }))).toEqual([
      422,
      'IMPORT_CHOICE',
    ]);
    const { read } = await check({ source: 'rewardful', only: ['others'] });
    expect(read.report?.kinds.map((kind) => kind.new)).toEqual([1, 1, 0, 1]);
  });

  it('makes groups of campaigns, with what they promise where that is wanted (imports.md, Groups)', async () => {
    const other = { id: 'camp-2', name: 'Others' };
    const yen = {
      reward_type: 'amount',
      commission_percent: null,
      commission_amount_cents: 500,
      commission_amount_currency: 'JPY',
    };
    fillRewardful({
      '/campaigns': [campaign('camp-1', 'Friends'), campaign('camp-2', 'Others', yen)],
      '/affiliates': [affiliate('ann'), affiliate('bob', { campaign: other })],
      '/referrals': [],
      '/affiliate_coupons': [],
      // Their money decides, wherever a partner stands by now.
      '/commissions': [commission('c1', 'ann'), commission('c2', 'bob', { campaign: other })],
    });
    const { read, one } = await check({
      source: 'rewardful',
      groupBy: 'campaign_and_commission',
    });
    expect(Object.keys(read.report?.terms?.[0] ?? {})).toEqual([
      'name',
      'commission',
      'recurring',
      'cookieDays',
    ]);
    const expected = read.report?.money.map(({ currency, openCents, paidCents }) => {
      return { currency, openCents, paidCents };
    });
    expect((await api.post(`${one}/apply`, { expected })).status).toBe(202);
    await work(read.id);
    const groups = await api.get<{ data: Json[] }>(`/api/v1/programs/${program.id}/groups`);
    expect(groups.body.data).toMatchObject([
      { name: 'Default', participants: 0 },
      {
        name: 'Friends',
        participants: 1,
        commission: { type: 'percentage', rateBps: 3_000, recurring: true, recurringMonths: 12 },
      },
      { name: 'Others', participants: 1, commission: null },
    ]);
  });

  it('is cancelled while it waits', async () => {
    fillRewardful();
    const made = await begin({ source: 'rewardful' });
    const one = `${path}/${made.body.id}`;
    await api.post(`${one}/check`);
    rewardful.moods = [{ status: 429, headers: { 'retry-after': '60' } }];
    const turn = await runImportTurn(app.deps, made.body.id);
    expect(turn.waitMs).toBeGreaterThan(50_000);
    expect((await api.post(`${one}/cancel`)).status).toBe(202);
    expect(await work(made.body.id)).toEqual([]);
    expect(rewardful.calls.filter((call) => call.path === '/campaigns')).toHaveLength(2);
  });

  it('goes on behind the last page when it is killed after any, to the same report', async () => {
    const many = Array.from({ length: 230 }, (_, n) => affiliate(`p${n}`));
    fillRewardful({ '/affiliates': many });
    const made = await begin({ source: 'rewardful' });
    await api.post(`${path}/${made.body.id}/check`);
    for (;;) {
      const killed = (): void => {
        throw new Error('killed');
      };
      const turn = await runImportTurn(app.deps, made.body.id, killed).catch(() => null);
      if (turn?.isDone) break;
    }
    const asked = rewardful.calls.filter((call) => call.path === '/affiliates');
    expect(asked.map((call) => call.query.get('page'))).toEqual(['1', '2', '3']);
    const read = (await api.get<ImportDto>(`${path}/${made.body.id}`)).body;
    expect(read.report?.kinds[0]).toMatchObject({ read: 230, new: 230, skipped: 0 });
  });

  it('takes no files', async () => {
    fillRewardful();
    const made = await begin({ source: 'rewardful' });
    const file = await api.put(
      `${path}/${made.body.id}/files/partners`,
      'partner_id,email\na,b@c.de',
      {
        headers: { 'Content-Type': 'text/csv' },
      },
    );
    expect(codeOf(file)).toEqual([409, 'IMPORT_INVALID_STATE']);
  });
});

it.each([
  [{ source: 'rewardful', credentials: undefined }, 'credentials'],
  [{ source: 'csv' }, 'credentials'],
  [{ source: 'tolt', credentials: { apiKey: '' } }, 'credentials.apiKey'],
  [{ source: 'tolt', credentials: { apiKey: 'a\nb' } }, 'credentials.apiKey'],
  [{ source: 'firstpromoter' }, 'credentials.accountId'],
])('refuses %j by its field', async (body, field) => {
  const answer = await begin(body);
  expect(answer.status).toBe(400);
  expect(answer.body['details']).toMatchObject([{ field }]);
});

describe('Tolt', () => {
  const of = (program_id: string, more: Json): Json => {
    return { program_id, created_at: '2024-02-01T10:00:00.000Z', more: null, ...more };
  };

  beforeEach(() => {
    tolt.lists = {
      // docs.tolt.com/api-reference/programs: id, name
      '/v2/programs': [
        { id: 'prg_1', name: 'Shop' },
        { id: 'prg_2', name: 'Other' },
      ],
      // docs.tolt.com/partners/list; payout_method and payout_details are of version 1
      '/v2/partners': [
        of('prg_1', {
          id: 'part_1',
          first_name: 'Ann',
          last_name: 'One',
          email: 'ann@example.com',
          status: 'active',
          payout_method: 'paypal',
          payout_details: { email: 'ann-pay@example.com' },
        }),
        of('prg_1', { id: 'part_2', email: 'bob@example.com', status: 'rejected' }),
        of('prg_2', { id: 'part_3', email: 'eve@example.com', status: 'active' }),
      ],
      // docs.tolt.com/concepts/programs-groups: param, value
      '/v2/links': Array.from({ length: 150 }, (_, n) =>
        of('prg_1', { id: `lnk_${n}`, partner_id: 'part_1', param: 'ref', value: `ann${n}` }),
      ),
      // docs.tolt.com/promotion-codes/list
      '/v2/promotion-codes': [
        of('prg_1', { id: 'prc_1', partner_id: 'part_1', code: 'ANN20', active: true }),
        of('prg_1', { id: 'prc_2', partner_id: null, code: 'ALL', active: true }),
      ],
      // docs.tolt.com/customers/create: customer_id is the merchant's
      '/v2/customers': [
        of('prg_1', {
          id: 'cus_tolt1',
          customer_id: 'cus_stripe1',
          partner_id: 'part_1',
          lead_at: '2024-02-02T10:00:00.000Z',
          active_at: '2024-02-03T10:00:00.000Z',
        }),
      ],
      // docs.tolt.com/commissions/create: sums are texts of minor units
      '/v2/commissions': [
        of('prg_1', {
          id: 'comm_1',
          partner_id: 'part_1',
          customer_id: 'cus_tolt1',
          charge_id: 'ch_1',
          amount: '1999',
          revenue: '9999',
          currency: null,
          status: 'approved',
        }),
        of('prg_1', {
          id: 'comm_2',
          partner_id: 'part_1',
          customer_id: 'cus_tolt1',
          transaction_id: 'txn_2',
          amount: '500',
          revenue: null,
          currency: 'EUR',
          status: 'refunded',
        }),
      ],
    };
  });

  it('wants one of its programmes, and is read by cursors', async () => {
    expect(codeOf(await begin({ source: 'tolt' }))).toEqual([422, 'IMPORT_CHOICE']);
    expect(codeOf(await begin({ source: 'tolt', only: ['prg_9'] }))).toEqual([
      422,
      'IMPORT_CHOICE',
    ]);
    const { read } = await check({ source: 'tolt', only: ['shop'] });
    expect([read.only, read.error]).toEqual([['prg_1'], null]);
    expect(read.report).toMatchObject({
      kinds: [
        { read: 2, new: 1, skipped: 1 },
        { read: 151, new: 151 },
        { read: 1, new: 1 },
        { read: 2, new: 2 },
      ],
      money: [
        { currency: 'eur', openCents: 0, paidCents: 0, voidCents: 500 },
        { currency: 'usd', openCents: 1_999, paidCents: 0 },
      ],
      params: ['via', 'ref'],
    });
  });
});

describe('FirstPromoter', () => {
  // docs.firstpromoter.com/api-reference-v2/api-admin/referrals/get-referral
  const promoterOf = (id: number): Json => {
    return {
      id: 10 + id,
      campaign_id: 7,
      promoter_id: id,
      promoter: { id, email: `p${id}@example.com`, name: 'P' },
      campaign: { id: 7, name: 'Main', color: '#fff' },
    };
  };

  beforeEach(() => {
    firstPromoter.lists = {
      // docs.firstpromoter.com/api-reference-v2/api-admin/promoters
      '/promoters': Array.from({ length: 120 }, (_, n) => {
        return {
          id: n + 1,
          email: `p${n + 1}@example.com`,
          name: `P ${n + 1}`,
          joined_at: '2024-01-01T00:00:00.000Z',
          archived_at: n === 2 ? '2024-06-01T00:00:00.000Z' : null,
          promoter_campaigns: [
            {
              id: 11 + n,
              state: 'accepted',
              campaign: { id: 7, name: 'Main' },
              ref_token: `tok${n}`,
              coupon: n === 0 ? 'PEN10' : null,
            },
          ],
        };
      }),
      '/referrals': [
        {
          id: 501,
          email: 'buyer@example.com',
          uid: 'user-1',
          state: 'active',
          created_at: '2024-02-01T00:00:00.000Z',
          customer_since: '2024-02-02T00:00:00.000Z',
          promoter_campaign: promoterOf(1),
        },
        { id: 502, uid: null, state: 'moved', promoter_campaign: promoterOf(1) },
      ],
      // docs.firstpromoter.com/api-reference-v2/api-admin/commissions/get-all-commissions
      '/commissions': [
        {
          id: 901,
          status: 'approved',
          is_paid: false,
          unit: 'cash',
          amount: 2_000,
          sale_amount: 10_000,
          event_id: 'ch_901',
          commission_type: 'sale',
          created_at: '2024-02-02T00:00:00.000Z',
          promoter_campaign: promoterOf(1),
          referral: { id: 501, email: 'buyer@example.com', uid: 'user-1' },
        },
        {
          id: 902,
          status: 'approved',
          is_paid: true,
          unit: 'cash',
          amount: 700,
          commission_type: 'custom',
          created_at: '2024-02-02T00:00:00.000Z',
          promoter_campaign: promoterOf(2),
          referral: null,
        },
        {
          id: 903,
          status: 'pending',
          unit: 'points',
          amount: 5,
          created_at: '2024-02-02T00:00:00.000Z',
          promoter_campaign: promoterOf(2),
        },
      ],
    };
  });

  it('puts a promoter of two campaigns where most money is open, and tells so', async () => {
    const in2 = (id: number, state: string, name: string): Json => {
      return { id, state, campaign: { id, name }, ref_token: `t${id}`, coupon: null };
    };
    const [first] = firstPromoter.lists['/promoters'] ?? [];
    const both = [in2(7, 'accepted', 'Main'), in2(8, 'accepted', 'Agencies')];
    firstPromoter.lists['/promoters'] = [{ ...first, promoter_campaigns: both }];
    firstPromoter.lists['/referrals'] = [];
    const of = (id: number, amount: number, name: string, more: Json = {}): Json => ({
      id,
      status: 'approved',
      is_paid: false,
      unit: 'cash',
      amount,
      commission_type: 'custom',
      created_at: '2024-02-02T00:00:00.000Z',
      promoter_campaign: { promoter_id: 1, campaign: { id: 8, name } },
      ...more,
    });
    firstPromoter.lists['/commissions'] = [
      of(1, 900, 'Main', { is_paid: true }),
      of(2, 100, 'Main'),
      of(3, 200, 'Agencies'),
    ];
    const credentials = { apiKey: 'good-key', accountId: 'acc-1' };
    const given = { source: 'firstpromoter', credentials, groupBy: 'campaign' };
    const { read } = await check(given);
    expect(read.report).toMatchObject({
      kinds: [{ read: 1, new: 1 }, { new: 2 }, {}, { new: 3 }],
      problems: { count: 1, sample: [{ id: '1', code: 'GROUP_AMBIGUOUS' }] },
    });
    const names = await query(
      db,
      `SELECT group_name AS name FROM import_rows WHERE import_id = $1 AND kind = 'partners'`,
      [read.id],
    );
    expect(names).toEqual([{ name: 'Agencies' }]);
  });

  it('is read page by page, and what is no money is told', async () => {
    const both = { apiKey: 'good-key', accountId: 'acc-1' };
    expect(
      codeOf(await begin({ source: 'firstpromoter', credentials: { ...both, accountId: 'no' } })),
    ).toEqual([422, 'IMPORT_KEY_REJECTED']);
    const { read, one } = await check({ source: 'firstpromoter', credentials: both });
    expect(read.error).toBeNull();
    expect(read.report).toMatchObject({
      kinds: [
        { read: 120, new: 120 },
        { read: 121, new: 121 },
        { read: 2, new: 1, skipped: 1 },
        { read: 3, new: 2, skipped: 1 },
      ],
      money: [{ currency: 'usd', openCents: 2_000, paidCents: 700 }],
      params: ['fpr'],
    });
    const problems = await api.get(`${one}/problems`);
    expect(problems.text).toContain('commissions,3,903,UNIT_NOT_MONEY');
    expect(problems.text).not.toContain('example.com');
  });
});
