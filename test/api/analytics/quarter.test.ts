import { foldAll } from '../../support/stored/fold-all';
import { asOwner } from '../../support/database';
import type {
  FraudSummaryDto,
  MetricsDto,
  PartnerPageDto,
  TrendDto,
} from '../../../api/analytics/analytics.dto';
import { useApp } from '../../support/app';
import type { Caller } from '../../support/api-client';
import { buildApiKey, buildMember } from '../../support/build/accounts';
import { buildSales, buildVisits } from '../../support/build/figures';
import {
  buildParticipant,
  buildProgram,
  type BuiltParticipant,
} from '../../support/build/programs';
import { callerOf } from '../../support/callers';

/**
 * One quarter, February to April 2026, with figures computed by hand. In it New York loses an hour
 * (8 March, 02:00), Sydney gains one (5 April, 03:00), and Kathmandu is 5:45 ahead all the time.
 */
const quarter = { from: '2026-02-01', to: '2026-04-30' };

const app = useApp();
let merchant: Caller;
let ava: BuiltParticipant;
let bea: BuiltParticipant;

const z = (text: string): Date => new Date(`2026-${text}Z`);

beforeAll(async () => {
  const db = app.deps.db.manager;
  const owner = await buildMember(db);
  merchant = await callerOf(app, owner, 'test');
  const program = await buildProgram(db, { workspaceId: owner.workspaceId, mode: 'test' });
  ava = await buildParticipant(db, { program, partnerName: 'Ava' });
  bea = await buildParticipant(db, { program, partnerName: 'Bea' });

  // Midnights of New York around the short day: 05:00 before it, 04:00 after it.
  await buildVisits(db, [
    { participant: ava, at: z('03-08T04:59:59.999') }, // 7 March, 23:59
    { participant: ava, at: z('03-08T05:00:00.000') }, // 8 March, 00:00
    { participant: ava, at: z('03-09T03:59:59.999') }, // 8 March, 23:59
    { participant: ava, at: z('03-09T04:00:00.000') }, // 9 March, 00:00
  ]);
  await foldAll(db);
  // Midnights of Sydney around the long day: 13:00 before it, 14:00 after it.
  await buildVisits(db, [
    { participant: bea, at: z('04-04T12:59:59.999') }, // 4 April, 23:59
    { participant: bea, at: z('04-04T13:00:00.000') }, // 5 April, 00:00
    { participant: bea, at: z('04-05T13:59:59.999') }, // 5 April, 23:59
    { participant: bea, at: z('04-05T14:00:00.000') }, // 6 April, 00:00
  ]);
  const ids = await buildSales(db, [
    // The first and the last moment of the quarter in Kathmandu, and those beyond.
    { participant: ava, at: z('01-31T18:14:59.999'), amountCents: 1 },
    { participant: ava, at: z('01-31T18:15:00.000'), amountCents: 1_000 },
    { participant: ava, at: z('04-30T18:14:59.999'), amountCents: 2_000, flags: ['bot_click'] },
    { participant: ava, at: z('04-30T18:15:00.000'), amountCents: 4 },
    { participant: bea, at: z('03-15T12:00:00.000'), amountCents: 5_000 },
    { participant: bea, at: z('03-15T12:00:00.000'), amountCents: 300, currency: 'eur' },
    {
      participant: bea,
      at: z('03-16T12:00:00.000'),
      amountCents: 9_000,
      isRejected: true,
      flags: ['bot_click', 'duplicate_customer'],
    },
  ]);
  await foldAll(db);
  const key = await buildApiKey(db, { workspaceId: owner.workspaceId });
  const server = app.client.as(key.key);
  const refund = (index: number, cents: number) =>
    server.post(`/api/v1/conversions/${ids[index]}/refunds`, {
      external_refund_id: `refund-${index}-${cents}`,
      amount_cents: cents,
    });
  await refund(4, 1_500); // 5,000 usd of 15 March: 3,500 are left
  await refund(5, 300); // 300 eur: nothing is left, the count stays
}, 60_000);

const ask = <T>(what: string, query: Record<string, string>) =>
  merchant.get<T>(
    `/api/v1/analytics/${what}?${new URLSearchParams({ ...quarter, programId: ava.programId, ...query }).toString()}`,
  );

async function days(tz: string, from: string, to: string): Promise<number[]> {
  const query = { tz, from, to, granularity: 'day', metric: 'clicks' };
  return (await ask<TrendDto>('trend', query)).body.buckets.map(({ value }) => value);
}

describe('a scripted quarter (analytics.md, Counting)', () => {
  it('has a day of 23 hours in New York and one of 25 in Sydney', async () => {
    expect(await days('America/New_York', '2026-03-07', '2026-03-09')).toEqual([1, 2, 1]);
    expect(await days('Australia/Sydney', '2026-04-04', '2026-04-06')).toEqual([1, 2, 1]);
    // The same clicks by the days of Kathmandu: 8 March 10:44 and 10:45, 9 March 09:44 and 09:45.
    expect(await days('Asia/Kathmandu', '2026-03-07', '2026-03-09')).toEqual([0, 2, 2]);
  });

  it('begins and ends at quarters of an hour in Kathmandu', async () => {
    const { body } = await ask<MetricsDto>('metrics', { tz: 'Asia/Kathmandu' });
    expect(body.current).toEqual({
      revenue: [{ currency: 'usd', amountCents: 1_000 + 2_000 + 3_500 }],
      clicks: 8,
      conversions: 4,
      newCustomers: 0,
      renewals: 0,
      leads: 0,
      conversionRate: 0.5,
    });
    // The 89 days before end one millisecond before the quarter.
    expect(body.previous).toMatchObject({
      revenue: [{ currency: 'usd', amountCents: 1 }],
      conversions: 1,
    });
    expect(body.change.revenue).toBe(6_499);
  });

  it('is shifted by the zone: in New York it ends later', async () => {
    const { body } = await ask<MetricsDto>('metrics', { tz: 'America/New_York' });
    // 31 January 18:15 UTC is January there; 30 April 18:15 UTC is still April.
    expect(body.current.revenue).toEqual([{ currency: 'usd', amountCents: 2_000 + 4 + 3_500 }]);
    const weeks = await ask<TrendDto>('trend', {
      tz: 'America/New_York',
      granularity: 'week',
      metric: 'revenue',
    });
    expect(weeks.body.buckets[0]).toEqual({ start: '2026-01-26', value: 0 });
    expect(weeks.body.buckets.filter(({ value }) => value !== 0)).toEqual([
      { start: '2026-03-09', value: 3_500 },
      { start: '2026-04-27', value: 2_004 },
    ]);
  });

  it('adds up by partner, and counts what was rejected as fraud only', async () => {
    const { body } = await ask<PartnerPageDto>('partners', { tz: 'Asia/Kathmandu' });
    const figures = body.data.map((row) => [
      row.partnerName,
      row.attributedRevenueCents,
      row.conversions,
      row.clicks,
      row.conversionRate,
      row.fraudFlagCount,
    ]);
    expect(figures).toEqual([
      ['Bea', 3_500, 2, 4, 0.5, 2],
      ['Ava', 3_000, 2, 4, 0.5, 1],
    ]);
    const fraud = await ask<FraudSummaryDto>('fraud-summary', { tz: 'Asia/Kathmandu' });
    expect(fraud.body.total).toBe(3);
  });

  it('is gone after a reset of the test data', async () => {
    const db = app.deps.db.manager;
    const tables = [
      'conversion_refunds',
      'fraud_flags',
      'clicks',
      'conversions',
      'analytics_totals',
      'analytics_rollups',
      'analytics_facts',
    ];
    for (const table of tables) {
      await asOwner(
        app.deps.config.databaseUrl,
        `DELETE FROM ${table} WHERE workspace_id = $1 AND mode = 'test'`,
        [ava.workspaceId],
      );
      await foldAll(db);
    }
    const { body } = await ask<MetricsDto>('metrics', { tz: 'UTC', programId: 'all' });
    expect(body.current).toEqual({
      revenue: [],
      clicks: 0,
      conversions: 0,
      newCustomers: 0,
      renewals: 0,
      leads: 0,
      conversionRate: 0,
    });
    expect((await ask<FraudSummaryDto>('fraud-summary', { tz: 'UTC' })).body.total).toBe(0);
  });
});
