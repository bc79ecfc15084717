import type { ImportDto } from '../../../api/imports/imports.dto';
import { query } from '../../../entities/database/sql';
import { codeOf } from '../../support/api-client';
import { affiliate, campaign, commission, referral } from '../../support/sources/rewardful-objects';
import type { Json } from '../../support/sources/stand-in';
import { rewardfulLists, useSources } from '../../support/sources/use-sources';

const own = useSources();

const fill = (more: Record<string, Json[]> = {}): void => {
  own.rewardful.lists = rewardfulLists(more);
};

it('a programme at Rewardful is read to the end of its pages, and booked (imports.md, Sources by API)', async () => {
  fill();
  const { read, one } = await own.check({ source: 'rewardful' });
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
    own.rewardful.calls.every(({ headers }) => headers.authorization?.startsWith('Basic ')),
  ).toBe(true);
  const expected = read.report?.money.map(({ currency, openCents, paidCents }) => ({
    currency,
    openCents,
    paidCents,
  }));
  expect((await own.api.post(`${one}/apply`, { expected })).status).toBe(202);
  await own.work(read.id);
  expect((await own.api.get<ImportDto>(one)).body).toMatchObject({
    status: 'applied',
    error: null,
  });
  const aliases = await query<{ customerId: string; alias: string }>(
    own.db,
    `SELECT u.customer_id AS "customerId", a.alias FROM customers AS u
       JOIN customer_aliases AS a ON a.customer = u.id
      WHERE u.program_id = $1 ORDER BY 1, 2`,
    [own.program.id],
  );
  expect(aliases.map(({ customerId, alias }) => [customerId, alias])).toEqual([
    ['cus_r1', 'cus_r1'],
    ['cus_r1', 'r1'],
    ['cus_r1', 'rewardful:r1'],
    ['rewardful:r2', 'r2'],
    ['rewardful:r2', 'rewardful:r2'],
  ]);
  const [kept] = await query<{ key: string | null; rows: number }>(
    own.db,
    `SELECT credentials_encrypted AS key,
            (SELECT count(*)::int FROM import_rows WHERE import_id = i.id) AS rows
       FROM imports AS i WHERE i.id = $1`,
    [read.id],
  );
  expect(kept).toEqual({ key: null, rows: 0 });
});

it('takes the campaigns that are named alone', async () => {
  const other = { id: 'camp-2', name: 'Others' };
  fill({
    '/campaigns': [campaign('camp-1', 'Friends'), campaign('camp-2', 'Others')],
    '/affiliates': [affiliate('ann'), affiliate('bob', { campaign: other })],
    '/referrals': [],
    '/affiliate_coupons': [],
    '/commissions': [commission('c1', 'ann'), commission('c2', 'bob', { campaign: other })],
  });
  expect(codeOf(await own.begin({ source: 'rewardful', only: ['Nobody'] }))).toEqual([
    422,
    'IMPORT_CHOICE',
  ]);
  const { read } = await own.check({ source: 'rewardful', only: ['others'] });
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
  fill({
    '/campaigns': [campaign('camp-1', 'Friends'), campaign('camp-2', 'Others', yen)],
    '/affiliates': [affiliate('ann'), affiliate('bob', { campaign: other })],
    '/referrals': [],
    '/affiliate_coupons': [],
    // Their money decides, wherever a partner stands by now.
    '/commissions': [commission('c1', 'ann'), commission('c2', 'bob', { campaign: other })],
  });
  const { read, one } = await own.check({
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
  expect((await own.api.post(`${one}/apply`, { expected })).status).toBe(202);
  await own.work(read.id);
  const groups = await own.api.get<{ data: Json[] }>(`/api/v1/programs/${own.program.id}/groups`);
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

it('a programme at Rewardful is read and booked where a name or an id has what no text of ours holds', async () => {
  fill({
    '/affiliates': [affiliate('ann', { first_name: 'An\0n', last_name: 'L\ud800' })],
    '/affiliate_coupons': [],
    '/referrals': [referral('r\0\udc001', 'ann')],
    '/commissions': [commission('c\0\ud8001', 'ann')],
  });
  const { read } = await own.check({ source: 'rewardful' });
  expect([read.status, read.error]).toEqual(['checked', null]);
  expect(read.report?.kinds.find(({ kind }) => kind === 'commissions')).toMatchObject({ new: 1 });
});

it('books what check read: what was paid over there since then is marked by the next import (imports.md, Booking)', async () => {
  fill();
  const { read, one } = await own.check({ source: 'rewardful' });
  const others = read.report?.problems.count ?? 0;
  const paidAt = '2026-06-02T00:00:00.000Z';
  const due = (own.rewardful.lists['/commissions'] ?? []).slice(1);
  const nowPaid = commission('c1', 'ann', { state: 'paid', paid_at: paidAt });
  own.rewardful.lists['/commissions'] = [nowPaid, ...due];
  await apply(read, one);
  const toPay = async () => {
    const asked = { programId: own.program.id };
    const preview = await own.api.post<{ items: object[] }>('/api/v1/payouts/preview', asked);
    return preview.body.items;
  };
  expect(await toPay()).toMatchObject([{ amountCents: 3_000 }]);

  const again = await own.check({ source: 'rewardful' });
  expect(again.read.report).toMatchObject({
    money: [{ currency: 'usd', openCents: 0, paidCents: 3_999, voidCents: 5 }],
    problems: { count: others },
  });
  // Its payout here is first: it stays, and the problem says so.
  const payout = await own.api.post('/api/v1/payouts', { programId: own.program.id });
  expect(payout.status).toBe(201);
  await apply(again.read, again.one);
  const late = (await own.api.get<ImportDto>(again.one)).body;
  expect(late.report?.problems).toMatchObject({
    count: others + 1,
    sample: expect.arrayContaining([expect.objectContaining({ id: 'c1', code: 'CONFLICT' })]),
  });
  const cancel = `/api/v1/payouts/${String(payout.body['id'])}/cancel`;
  expect((await own.api.post(cancel)).status).toBe(200);

  const last = await own.check({ source: 'rewardful' });
  await apply(last.read, last.one);
  expect((await own.api.get<ImportDto>(last.one)).body.report?.problems.count).toBe(others);
  expect(await toPay()).toEqual([]);
  const [row] = await query<object>(
    own.db,
    `SELECT status, payout_id AS "payoutId", paid_at AS "paidAt" FROM commissions
      WHERE program_id = $1 AND external_transaction_id = 'ch_c1'`,
    [own.program.id],
  );
  expect(row).toEqual({ status: 'paid', payoutId: null, paidAt: new Date(paidAt) });
});

/** Books what was checked, its sums as they were read. */
async function apply({ id, report }: ImportDto, one: string): Promise<void> {
  const expected = report?.money.map(({ currency, openCents, paidCents }) => {
    return { currency, openCents, paidCents };
  });
  expect((await own.api.post(`${one}/apply`, { expected })).status).toBe(202);
  await own.work(id);
}
