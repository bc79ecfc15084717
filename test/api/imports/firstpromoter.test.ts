import { query } from '../../../entities/database/sql';
import { codeOf } from '../../support/api-client';
import type { Json } from '../../support/sources/stand-in';
import { useSources } from '../../support/sources/use-sources';

const own = useSources();

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
    own.firstPromoter.lists = {
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
    const [first] = own.firstPromoter.lists['/promoters'] ?? [];
    const both = [in2(7, 'accepted', 'Main'), in2(8, 'accepted', 'Agencies')];
    own.firstPromoter.lists['/promoters'] = [{ ...first, promoter_campaigns: both }];
    own.firstPromoter.lists['/referrals'] = [];
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
    own.firstPromoter.lists['/commissions'] = [
      of(1, 900, 'Main', { is_paid: true }),
      of(2, 100, 'Main'),
      of(3, 200, 'Agencies'),
    ];
    const credentials = { apiKey: 'good-key', accountId: 'acc-1' };
    const given = { source: 'firstpromoter', credentials, groupBy: 'campaign' };
    const { read } = await own.check(given);
    expect(read.report).toMatchObject({
      kinds: [{ read: 1, new: 1 }, { new: 2 }, {}, { new: 3 }],
      problems: { count: 1, sample: [{ id: '1', code: 'GROUP_AMBIGUOUS' }] },
    });
    const names = await query(
      own.db,
      `SELECT group_name AS name FROM import_rows WHERE import_id = $1 AND kind = 'partners'`,
      [read.id],
    );
    expect(names).toEqual([{ name: 'Agencies' }]);
  });

  it('is read page by page, and what is no money is told', async () => {
    const both = { apiKey: 'good-key', accountId: 'acc-1' };
    expect(
      codeOf(
        await own.begin({ source: 'firstpromoter', credentials: { ...both, accountId: 'no' } }),
      ),
    ).toEqual([422, 'IMPORT_KEY_REJECTED']);
    const { read, one } = await own.check({ source: 'firstpromoter', credentials: both });
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
    const problems = await own.api.get(`${one}/problems`);
    expect(problems.text).toContain('commissions,3,903,UNIT_NOT_MONEY');
    expect(problems.text).not.toContain('example.com');
  });
});
