import { useApp } from '../../support/app';
import type { Caller } from '../../support/api-client';
import {
  buildWatchedProgram,
  type Rules,
  type WatchedProgram,
} from '../../support/shops/watched-program';

const app = useApp();
let admin: Caller;
let base: string;
let set: WatchedProgram['set'];
let convert: WatchedProgram['convert'];
let hitsOf: WatchedProgram['hitsOf'];

beforeEach(async () => {
  ({ admin, base, set, convert, hitsOf } = await buildWatchedProgram(app));
});

const fromAd = { url: 'https://shop.example/?ref=anna&gclid=Cj0' };
const fromCoupons = { referrer: 'https://www.coupons.example/tea' };

describe('the further rules', () => {
  const rules = async () => (await admin.get<Rules>(`${base}/fraud-rules`)).body.rules;

  it('are not there until they are set, and are put back as they were read', async () => {
    await set('bot_click', 'off');
    expect(await rules()).toHaveLength(8);
    await set('paid_traffic', 'hold');
    const read = await rules();
    expect(read.slice(8)).toEqual([{ rule: 'paid_traffic', action: 'hold', threshold: null }]);
    const put = await admin.put<Rules>(`${base}/fraud-rules`, { rules: read });
    expect([put.status, put.body.rules]).toEqual([200, read]);
    const bad = [{ rule: 'banned_source', action: 'flag', threshold: 1 }];
    expect((await admin.put(`${base}/fraud-rules`, { rules: bad })).status).toBe(400);
  });

  it('paid_traffic holds a sale that an advertisement brought', async () => {
    expect(await hitsOf(await convert(fromAd))).toEqual({});
    await set('paid_traffic', 'hold');
    const sale = await convert(fromAd);
    expect(await hitsOf(sale)).toEqual({ paid_traffic: true });
    expect(sale.commission).toMatchObject({ status: 'pending', needsReview: true });
    expect(await hitsOf(await convert())).toEqual({});
  });

  it('banned_source looks for the hosts of the programme, subdomains included', async () => {
    await set('banned_source', 'reject');
    expect(await hitsOf(await convert(fromCoupons))).toEqual({});
    const patch = await admin.patch<{ bannedSources: string[] }>(base, {
      bannedSources: ['Coupons.example'],
    });
    expect([patch.status, patch.body.bannedSources]).toEqual([200, ['coupons.example']]);
    const sale = await convert(fromCoupons);
    expect(sale).toMatchObject({ attributed: false, reason: 'FRAUD_REJECTED' });
    expect(await hitsOf(sale)).toEqual({ banned_source: true });
    expect(await hitsOf(await convert({ referrer: 'https://blog.example/' }))).toEqual({});
  });

  it('are counted and listed where they hit', async () => {
    await set('paid_traffic', 'flag');
    const sale = await convert(fromAd);
    const flags = await admin.get<{ data: { conversion: { id: string } }[] }>(
      `${base}/fraud-flags?rule=paid_traffic`,
    );
    expect(flags.body.data.map(({ conversion }) => conversion.id)).toEqual([sale.id]);
    const today = new Date().toISOString().slice(0, 10);
    const summary = await admin.get<{ total: number; byRule: { rule: string; count: number }[] }>(
      `/api/v1/analytics/fraud-summary?programId=${base.split('/').pop()}&from=${today}&to=${today}&tz=UTC`,
    );
    expect(summary.body.total).toBe(1);
    expect(summary.body.byRule.slice(8)).toEqual([{ rule: 'paid_traffic', count: 1 }]);
  });

  it('are tried on past sales by what was seen then', async () => {
    await convert(fromAd);
    const today = new Date().toISOString().slice(0, 10);
    const tried = await admin.post<{ byRule: { rule: string; hits: number | null }[] }>(
      `${base}/fraud-rules/back-test`,
      { rules: [{ rule: 'paid_traffic', action: 'reject' }], from: today, to: today },
    );
    expect(tried.body.byRule.slice(8)).toEqual([{ rule: 'paid_traffic', hits: 1 }]);
    expect(await rules()).toHaveLength(8);
  });
});
