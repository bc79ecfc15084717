import { runImportTurn } from '../../../activities/imports/turn';
import type { ImportDto } from '../../../api/imports/imports.dto';
import { query } from '../../../entities/database/sql';
import { affiliate, campaign } from '../../support/sources/rewardful-objects';
import type { Json, Vendor } from '../../support/sources/stand-in';
import { rewardfulLists, useSources } from '../../support/sources/use-sources';

const own = useSources();

const fill = (more: Record<string, Json[]> = {}): void => {
  own.rewardful.lists = rewardfulLists(more);
};

const keyOf = (source: string): object => {
  return { apiKey: 'good-key', ...(source === 'firstpromoter' && { accountId: 'acc-1' }) };
};

it('waits as it is told, and asks again', async () => {
  fill();
  const made = await own.begin({ source: 'rewardful' });
  await own.api.post(`${own.path}/${made.body.id}/check`);
  own.rewardful.moods = [
    { status: 429, headers: { 'retry-after': '7' } },
    { status: 429, headers: { 'ratelimit-reset': '11' } },
    { status: 503 },
    { silence: true },
  ];
  const waits = await own.work(made.body.id);
  expect(waits).toEqual([7, 11, 4, 8]);
  const { body } = await own.api.get<ImportDto>(`${own.path}/${made.body.id}`);
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
  fill();
  const made = await own.begin({ source: 'rewardful' });
  await own.api.post(`${own.path}/${made.body.id}/check`);
  own.rewardful.moods = moods;
  await own.work(made.body.id);
  const { body } = await own.api.get<ImportDto>(`${own.path}/${made.body.id}`);
  expect([body.status, body.error?.code, body.report]).toEqual([
    'failed',
    'IMPORT_SOURCE_FAILED',
    null,
  ]);
  expect(body.error?.message).toMatch(why);
});

it('reads rows once while others come, and again where pages end early', async () => {
  const many = Array.from({ length: 230 }, (_, n) => affiliate(`p${n}`));
  fill({ '/affiliates': many, '/commissions': [], '/referrals': [] });
  let pages = 0;
  own.rewardful.onCall = (call) => {
    if (call.path !== '/affiliates') return;
    pages += 1;
    // One who joins moves the others to the next page.
    if (pages === 2) own.rewardful.lists['/affiliates']?.unshift(affiliate('new'));
  };
  const { read } = await own.check({ source: 'rewardful' });
  expect(read.report?.kinds[0]).toMatchObject({ read: 231, new: 231, skipped: 0 });
  expect(read.report?.problems.count).toBe(1);
  expect(pages).toBe(6);
});

it('fails where it tells of more than it gives, twice', async () => {
  fill();
  const made = await own.begin({ source: 'rewardful' });
  await own.api.post(`${own.path}/${made.body.id}/check`);
  const body = JSON.stringify({ data: [], pagination: { next_page: null, total_count: 3 } });
  own.rewardful.moods = [
    { status: 200, body },
    { status: 200, body },
  ];
  await own.work(made.body.id);
  const read = (await own.api.get<ImportDto>(`${own.path}/${made.body.id}`)).body;
  expect(read.error).toEqual({
    code: 'IMPORT_SOURCE_FAILED',
    message: 'campaigns: it tells of 3 and gives 0, twice.',
  });
});

it('fails on pages that go round', async () => {
  fill();
  const made = await own.begin({ source: 'rewardful' });
  await own.api.post(`${own.path}/${made.body.id}/check`);
  const body = JSON.stringify({
    data: [campaign('a', 'A')],
    pagination: { next_page: 2, total_count: 9 },
  });
  own.rewardful.moods = [
    { status: 200, body },
    { status: 200, body },
  ];
  await own.work(made.body.id);
  const read = (await own.api.get<ImportDto>(`${own.path}/${made.body.id}`)).body;
  expect(read.error?.message).toMatch(/nothing new/);
});

it('goes on behind the last page when it is killed after any, to the same report', async () => {
  const many = Array.from({ length: 230 }, (_, n) => affiliate(`p${n}`));
  fill({ '/affiliates': many });
  const made = await own.begin({ source: 'rewardful' });
  await own.api.post(`${own.path}/${made.body.id}/check`);
  for (;;) {
    const killed = (): void => {
      throw new Error('killed');
    };
    const turn = await runImportTurn(own.app.deps, made.body.id, killed).catch(() => null);
    if (turn?.isDone) break;
  }
  const asked = own.rewardful.calls.filter((call) => call.path === '/affiliates');
  expect(asked.map((call) => call.query.get('page'))).toEqual(['1', '2', '3']);
  const read = (await own.api.get<ImportDto>(`${own.path}/${made.body.id}`)).body;
  expect(read.report?.kinds[0]).toMatchObject({ read: 230, new: 230, skipped: 0 });
});

it('finds who moved to a page that was read, because somebody before them went', async () => {
  const many = Array.from({ length: 230 }, (_, n) => affiliate(`p${n}`));
  fill({ '/affiliates': many, '/commissions': [], '/referrals': [], '/affiliate_coupons': [] });
  let pages = 0;
  own.rewardful.onCall = (call) => {
    if (call.path !== '/affiliates') return;
    pages += 1;
    if (pages === 2) own.rewardful.lists['/affiliates']?.shift();
  };
  const { read } = await own.check({ source: 'rewardful' });
  expect(read.error).toBeNull();
  expect(read.report?.kinds[0]).toMatchObject({ read: 230, new: 230 });
  expect(pages).toBe(6);
});

describe('a key that is refused halfway', () => {
  const promoter = (n: number): Json => ({ id: n, email: `p${n}@example.com` });
  const ofTolt = (n: number): Json => {
    return { id: `part_${n}`, program_id: 'prg', email: `p${n}@example.com`, status: 'active' };
  };
  const fillAll = (count: number): void => {
    const numbers = Array.from({ length: count }, (_, n) => n);
    fill({ '/affiliates': numbers.map((n) => affiliate(`p${n}`)) });
    own.tolt.lists = {
      '/v2/programs': [{ id: 'prg', name: 'Shop' }],
      '/v2/partners': numbers.map(ofTolt),
    };
    own.firstPromoter.lists = { '/promoters': numbers.map(promoter) };
  };

  it.each(['rewardful', 'tolt', 'firstpromoter'] as const)(
    'of %s ends the reading, is gone, and books nothing',
    async (source) => {
      fillAll(150);
      const vendor = source === 'firstpromoter' ? own.firstPromoter : own[source];
      const { id, one } = await own.ask({ source, credentials: keyOf(source) });
      let pages = 0;
      vendor.onCall = ({ path }) => {
        if (/affiliates|partners|promoters/.test(path)) pages += 1;
        if (pages === 2) vendor.keys.clear();
      };
      await own.work(id);
      expect(pages).toBe(2);
      const read = await own.read(id);
      expect([read.status, read.error?.code, read.report]).toEqual([
        ...['failed', 'IMPORT_KEY_REJECTED', null],
      ]);
      const [kept] = await query<object>(
        own.db,
        `SELECT credentials_encrypted AS key,
                (SELECT count(*)::int FROM participants WHERE program_id = $2) AS partners
           FROM imports WHERE id = $1`,
        [id, own.program.id],
      );
      expect(kept).toEqual({ key: null, partners: 0 });
      expect((await own.api.post(`${one}/cancel`)).status).toBe(202);
      await own.work(id);
      const rows = await query(own.db, 'SELECT 1 FROM import_rows WHERE import_id = $1', [id]);
      expect(rows).toEqual([]);
    },
  );
});

it.each(['tolt', 'firstpromoter'] as const)(
  'reads rows of %s once while others come before them',
  async (source) => {
    const many = Array.from({ length: 230 }, (_, n): Json => {
      return { id: `n${n}`, program_id: 'prg', email: `p${n}@example.com`, status: 'active' };
    });
    own.tolt.lists = {
      '/v2/programs': [{ id: 'prg', name: 'Shop' }],
      '/v2/partners': many,
      ...{ '/v2/links': [], '/v2/promotion-codes': [], '/v2/customers': [], '/v2/commissions': [] },
    };
    own.firstPromoter.lists = { '/promoters': many, '/referrals': [], '/commissions': [] };
    const vendor = source === 'tolt' ? own.tolt : own.firstPromoter;
    let pages = 0;
    vendor.onCall = ({ path, query: asked }) => {
      const isFirst = !asked.has('starting_after') && (asked.get('page') ?? '1') === '1';
      if (!/partners|promoters/.test(path) || isFirst) return;
      pages += 1;
      if (pages === 1) many.unshift({ ...many[0], id: 'new', email: 'new@example.com' });
    };
    const { read } = await own.check({ source, credentials: keyOf(source) });
    expect(read.error).toBeNull();
    expect(read.report?.kinds[0]).toMatchObject({ read: 230, new: 230, skipped: 0 });
    expect(read.report?.problems.count).toBe(0);
  },
);
