import type { MetricsDto, TrendDto } from '../../../api/analytics/analytics.dto';
import type { Program } from '../../../entities/tables/programs/program.entity';
import type { Caller } from '../../support/api-client';
import { useApp } from '../../support/app';
import { buildCountedProgram, type CountedProgram } from '../../support/build/counted-program';
import { buildVisits } from '../../support/build/figures';
import { buildLink, type BuiltParticipant } from '../../support/build/programs';
import { callerOf } from '../../support/callers';

const at = (text: string): Date => new Date(text);

const app = useApp();
let merchant: Caller;
let program: Program;
let ava: BuiltParticipant;
let path: CountedProgram['path'];

beforeAll(async () => {
  const counted = await buildCountedProgram(app.deps.db.manager);
  merchant = await callerOf(app, counted.owner);
  ({ program, ava, path } = counted);
});

describe('metrics', () => {
  it('has both periods and the change between them', async () => {
    const { body } = await merchant.get<MetricsDto>(path('metrics'));
    expect(body).toEqual({
      currency: 'usd',
      current: {
        revenue: [
          { currency: 'eur', amountCents: 700 },
          { currency: 'usd', amountCents: 4_000 },
        ],
        clicks: 7,
        conversions: 3,
        newCustomers: 0,
        renewals: 0,
        leads: 1,
        conversionRate: 0.4286,
      },
      previous: {
        revenue: [{ currency: 'usd', amountCents: 2_000 }],
        clicks: 1,
        conversions: 1,
        newCustomers: 0,
        renewals: 0,
        leads: 0,
        conversionRate: 1,
      },
      change: { revenue: 1, clicks: 6, conversions: 2, conversionRate: -0.5714 },
    });
  });

  it('has no change where there was nothing before', async () => {
    const { body } = await merchant.get<MetricsDto>(path('metrics', { currency: 'EUR' }));
    expect([body.currency, body.change.revenue]).toEqual(['eur', null]);
    const later = { from: '2027-01-01', to: '2027-01-01' };
    const empty = await merchant.get<MetricsDto>(path('metrics', later));
    const kinds = { newCustomers: 0, renewals: 0, leads: 0 };
    const nothing = { revenue: [], clicks: 0, conversions: 0, ...kinds, conversionRate: 0 };
    expect(empty.body.current).toEqual(nothing);
    expect(Object.values(empty.body.change)).toEqual([null, null, null, null]);
  });

  it('narrows to a link or a promo code', async () => {
    const link = await buildLink(app.deps.db.manager, ava);
    await buildVisits(app.deps.db.manager, [
      { participant: ava, linkId: link.id, at: at('2026-06-01T00:00:00Z') },
    ]);
    const june = { from: '2026-06-01', to: '2026-06-01' };
    const byLink = await merchant.get<MetricsDto>(path('metrics', { ...june, linkId: link.id }));
    expect(byLink.body.current.clicks).toBe(1);
    const byCode = await merchant.get<MetricsDto>(path('metrics', { promoCode: 'ava10' }));
    expect(byCode.body.current).toMatchObject({ clicks: 0, conversions: 1, conversionRate: 0 });
    const byNone = await merchant.get<MetricsDto>(path('metrics', { linkId: program.id }));
    expect(byNone.body.current).toMatchObject({ clicks: 0, conversions: 0 });
  });
});

describe('trend', () => {
  it('has every day', async () => {
    const query = { granularity: 'day', metric: 'clicks', from: '2026-01-09', to: '2026-01-11' };
    const { body } = await merchant.get<TrendDto>(path('trend', query));
    expect(body).toEqual({
      currency: 'usd',
      buckets: [
        { start: '2026-01-09', value: 0 },
        { start: '2026-01-10', value: 7 },
        { start: '2026-01-11', value: 0 },
      ],
    });
  });

  it('has weeks by their Mondays, of which only days of the period count', async () => {
    const query = { granularity: 'week', metric: 'clicks', from: '2026-01-01', to: '2026-01-12' };
    const { body } = await merchant.get<TrendDto>(path('trend', query));
    expect(body.buckets).toEqual([
      { start: '2025-12-29', value: 0 },
      { start: '2026-01-05', value: 7 },
      { start: '2026-01-12', value: 0 },
    ]);
  });

  it('counts revenue in one currency', async () => {
    const query = { granularity: 'week', metric: 'revenue', from: '2026-01-05', to: '2026-01-11' };
    const usd = await merchant.get<TrendDto>(path('trend', query));
    expect(usd.body).toEqual({ currency: 'usd', buckets: [{ start: '2026-01-05', value: 4_000 }] });
    const eur = await merchant.get<TrendDto>(path('trend', { ...query, currency: 'eur' }));
    expect(eur.body.buckets).toEqual([{ start: '2026-01-05', value: 700 }]);
  });
});

it('fraud-summary counts once per conversion and rule, rejected conversions too', async () => {
  const { body } = await merchant.get(path('fraud-summary'));
  expect(body['total']).toBe(3);
  expect(body['byRule']).toHaveLength(8);
  expect(body['byRule']).toEqual(
    expect.arrayContaining([
      { rule: 'bot_click', count: 2 },
      { rule: 'click_velocity', count: 1 },
      { rule: 'refund_rate', count: 0 },
    ]),
  );
  const byLink = await merchant.get(path('fraud-summary', { linkId: ava.linkId }));
  expect(byLink.body['total']).toBe(1);
});
