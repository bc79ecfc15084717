import { buildMember } from '../../support/build/accounts';
import { startTestApp, type TestApp } from '../../support/app';
import { buildApiKey } from '../../support/build/accounts';
import { buildSales, buildVisits } from '../../support/build/figures';
import {
  buildLink,
  buildParticipant,
  buildProgram,
  buildPromoCode,
  type BuiltParticipant,
} from '../../support/build/programs';
import { callerOf } from '../../support/callers';
import type { Caller } from '../../support/api-client';
import { execute } from '../../../entities/database/sql';
import type { MetricsDto, PartnerPageDto, TrendDto } from '../../../api/analytics/analytics.dto';
import type { Program } from '../../../entities/tables/programs/program.entity';

let app: TestApp;
let merchant: Caller;
let program: Program;
let ava: BuiltParticipant;
let bea: BuiltParticipant;
let idle: BuiltParticipant;
let workspaceId: string;

const at = (text: string): Date => new Date(text);
const path = (what: string, query: Record<string, string> = {}): string =>
  `/api/v1/analytics/${what}?${new URLSearchParams({
    from: '2026-01-01',
    to: '2026-01-31',
    tz: 'UTC',
    programId: program.id,
    ...query,
  }).toString()}`;
const trend = { granularity: 'day', metric: 'clicks' };
const endpoints = [
  'metrics',
  'trend',
  'top-partners',
  'partners',
  'partners/export',
  'fraud-summary',
];

beforeAll(async () => {
  app = await startTestApp();
  const db = app.deps.db.manager;
  const owner = await buildMember(db);
  ({ workspaceId } = owner);
  merchant = await callerOf(app, owner);
  program = await buildProgram(db, { workspaceId });
  ava = await buildParticipant(db, { program, partnerName: 'Ava 100%' });
  bea = await buildParticipant(db, { program, partnerName: '=Bea_Blog' });
  idle = await buildParticipant(db, { program, partnerName: 'Idle' });
  const day = at('2026-01-10T12:00:00Z');
  await buildVisits(db, [
    ...Array.from({ length: 3 }, () => ({ participant: ava, at: day })),
    ...Array.from({ length: 4 }, () => ({ participant: bea, at: day })),
    { participant: bea, at: at('2025-12-31T23:59:59.999Z') },
  ]);
  await buildSales(db, [
    { participant: ava, at: day, amountCents: 5_000, refundedCents: 1_000 },
    { participant: ava, at: day, amountCents: 700, currency: 'eur', flags: ['bot_click'] },
    { participant: ava, at: day, amountCents: 0, currency: null, promoCode: 'AVA10' },
    {
      participant: bea,
      at: at('2026-01-31T23:59:59.999Z'),
      amountCents: 900,
      isRejected: true,
      flags: ['bot_click', 'click_velocity'],
    },
    { participant: bea, at: at('2025-12-05T00:00:00Z'), amountCents: 2_000 },
  ]);
}, 60_000);
afterAll(() => app.close());

describe('what is asked', () => {
  const refused: [string, Record<string, string>, string][] = [
    ['a day that is none', { from: '2026-02-30' }, 'from'],
    ['an instant', { to: '2026-01-31T00:00:00Z' }, 'to'],
    ['from after to', { from: '2026-02-01' }, 'from'],
    ['367 days', { from: '2025-01-01', to: '2026-01-02' }, 'to'],
    ['an offset', { tz: '+05:30' }, 'tz'],
    ['an offset with a name', { tz: 'UTC+1' }, 'tz'],
    ['an unknown zone', { tz: 'Mars/Olympus' }, 'tz'],
    ['an abbreviation that is no zone of IANA', { tz: 'PST' }, 'tz'],
    ['no zone', { tz: '' }, 'tz'],
    ['a malformed programme', { programId: 'mine' }, 'programId'],
    ['a malformed link', { linkId: 'x' }, 'linkId'],
    ['a link and a code', { linkId: workspaceId, promoCode: 'AVA10' }, 'promoCode'],
    ['an unknown currency', { currency: 'zzz' }, 'currency'],
  ];

  it.each(refused)('with %s is refused everywhere', async (_, query, field) => {
    const given = field === 'promoCode' ? { ...query, linkId: program.id } : query;
    for (const endpoint of endpoints) {
      const answer = await merchant.get(path(endpoint, { ...trend, ...given }));
      expect([answer.status, answer.body['code']]).toEqual([400, 'VALIDATION_ERROR']);
      expect(answer.body['details']).toEqual([expect.objectContaining({ field })]);
    }
  });

  it.each(['from', 'to', 'tz', 'programId'])('without %s is refused everywhere', async (field) => {
    for (const endpoint of endpoints) {
      const url = path(endpoint, trend).replace(new RegExp(`([?&])${field}=[^&]*&?`), '$1');
      const answer = await merchant.get(url);
      expect([answer.status, answer.body['details']]).toEqual([
        400,
        [expect.objectContaining({ field })],
      ]);
    }
  });

  it.each([
    ['trend', { metric: 'clicks', granularity: 'month' }],
    ['trend', { metric: 'sales', granularity: 'day' }],
    ['partners', { sort: 'partnerName' }],
    ['partners', { order: 'down' }],
    ['partners', { pageSize: '101' }],
    ['partners', { page: '0' }],
    ['partners/export', { fraudOnly: 'maybe' }],
  ])('of %s with %p is refused', async (endpoint, query) => {
    expect((await merchant.get(path(endpoint, query))).status).toBe(400);
  });

  it.each(['Asia/Calcutta', 'europe/berlin', 'Etc/GMT+5', 'GMT', 'US/Pacific', 'EST'])(
    'may be in %s',
    async (tz) => {
      expect((await merchant.get(path('metrics', { tz }))).status).toBe(200);
    },
  );

  it('may be a year with a leap day, the whole calendar, and a time to come', async () => {
    const ranges = [
      { from: '2024-01-01', to: '2024-12-31' },
      { from: '0001-01-01', to: '0001-12-31' },
      { from: '9999-01-01', to: '9999-12-31' },
    ];
    for (const range of ranges) {
      for (const tz of ['Pacific/Kiritimati', 'America/New_York']) {
        const answer = await merchant.get<TrendDto>(path('trend', { ...trend, ...range, tz }));
        expect(answer.status).toBe(200);
        expect(answer.body.buckets.at(0)?.start).toBe(range.from);
        expect(answer.body.buckets.at(-1)?.start).toBe(range.to);
        expect((await merchant.get(path('metrics', { ...range, tz }))).status).toBe(200);
      }
    }
  });

  it('is of a programme of the workspace and mode', async () => {
    const foreign = await buildProgram(app.deps.db.manager);
    const test = await buildProgram(app.deps.db.manager, { workspaceId, mode: 'test' });
    for (const endpoint of endpoints) {
      const ask = async (programId: string): Promise<unknown[]> => {
        const { status, body } = await merchant.get(path(endpoint, { ...trend, programId }));
        return [status, body['code']];
      };
      expect(await ask(foreign.id)).toEqual([403, 'FORBIDDEN']);
      expect(await ask(test.id)).toEqual([404, 'PROGRAM_NOT_FOUND']);
      expect(await ask(workspaceId)).toEqual([404, 'PROGRAM_NOT_FOUND']);
    }
  });
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
        conversionRate: 0.4286,
      },
      previous: {
        revenue: [{ currency: 'usd', amountCents: 2_000 }],
        clicks: 1,
        conversions: 1,
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
    const nothing = { revenue: [], clicks: 0, conversions: 0, conversionRate: 0 };
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

describe('partners', () => {
  const names = async (query: Record<string, string>): Promise<string[]> => {
    const { body } = await merchant.get<PartnerPageDto>(path('partners', query));
    return body.data.map(({ partnerName }) => partnerName);
  };

  it('has a row for each participant, by revenue', async () => {
    const { body } = await merchant.get<PartnerPageDto>(path('partners'));
    expect([body.currency, body.total, body.page, body.limit]).toEqual(['usd', 3, 1, 20]);
    const avas = {
      participantId: ava.id,
      partnerName: 'Ava 100%',
      attributedRevenueCents: 4_000,
      conversions: 3,
      clicks: 3,
      conversionRate: 1,
      fraudFlagCount: 1,
    };
    const none = { attributedRevenueCents: 0, conversions: 0, conversionRate: 0 };
    expect(body.data[0]).toEqual(avas);
    expect(body.data.slice(1)).toEqual(
      expect.arrayContaining([
        { participantId: bea.id, partnerName: '=Bea_Blog', clicks: 4, fraudFlagCount: 2, ...none },
        { participantId: idle.id, partnerName: 'Idle', clicks: 0, fraudFlagCount: 0, ...none },
      ]),
    );
  });

  it.each([
    [{ sort: 'clicks' }, ['=Bea_Blog', 'Ava 100%', 'Idle']],
    [{ sort: 'clicks', order: 'asc' }, ['Idle', 'Ava 100%', '=Bea_Blog']],
    [{ sort: 'fraudFlagCount' }, ['=Bea_Blog', 'Ava 100%', 'Idle']],
    [{ fraudOnly: 'true', sort: 'conversionRate' }, ['Ava 100%', '=Bea_Blog']],
    [{ fraudOnly: 'false', sort: 'clicks' }, ['=Bea_Blog', 'Ava 100%', 'Idle']],
    [{ search: 'A 100%' }, ['Ava 100%']],
    [{ search: 'a_b' }, ['=Bea_Blog']],
    [{ search: '_v' }, []],
    [{ promoCode: 'AVA10' }, ['Ava 100%']],
  ])('with %p are %p', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it('come in pages that neither repeat nor skip a row', async () => {
    const query = { sort: 'attributedRevenue', pageSize: '1' };
    const pages = await Promise.all(
      ['1', '2', '3'].map((page) =>
        merchant.get<PartnerPageDto>(path('partners', { ...query, page })),
      ),
    );
    expect(pages.map(({ body }) => [body.total, body.limit, body.data.length])).toEqual(
      Array(3).fill([3, 1, 1]),
    );
    const ids = pages.map(({ body }) => body.data[0]?.participantId);
    expect(new Set(ids).size).toBe(3);
    const beyond = await merchant.get<PartnerPageDto>(path('partners', { ...query, page: '9' }));
    expect([beyond.body.total, beyond.body.data]).toEqual([3, []]);
  });

  it('at the top are those of whom something was counted', async () => {
    const { body } = await merchant.get<PartnerPageDto>(path('top-partners'));
    expect(body.data.map(({ participantId }) => participantId)).toEqual([ava.id, bea.id]);
    expect([body.total, body.page, body.limit, body.currency]).toEqual([2, 1, 10, 'usd']);
  });

  it('are a file, with formulas neutralised', async () => {
    const { text, headers } = await merchant.get(path('partners/export', { sort: 'clicks' }));
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe(
      'attachment; filename="partner-performance.csv"',
    );
    expect(text.split('\r\n')).toEqual([
      'participantId,partnerName,attributedRevenueCents,conversions,clicks,conversionRate,fraudFlagCount,currency',
      `${bea.id},'=Bea_Blog,0,0,4,0,2,usd`,
      `${ava.id},Ava 100%,4000,3,3,1,1,usd`,
      `${idle.id},Idle,0,0,0,0,0,usd`,
      '',
    ]);
    const flagged = await merchant.get(
      path('partners/export', { fraudOnly: 'true', search: 'ava' }),
    );
    expect(flagged.text.split('\r\n')).toHaveLength(3);
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

describe('all programmes', () => {
  it('are counted in the currency with most revenue, without the other mode', async () => {
    const db = app.deps.db.manager;
    const owner = await buildMember(db);
    const caller = await callerOf(app, owner);
    const empty = await caller.get<MetricsDto>(path('metrics', { programId: 'all' }));
    expect(empty.body.current.clicks).toBe(0);

    const [first, second, test] = await Promise.all(
      (['live', 'live', 'test'] as const).map(async (mode) => {
        const own = await buildProgram(db, { workspaceId: owner.workspaceId, mode });
        return buildParticipant(db, { program: own });
      }),
    );
    const moment = at('2026-01-20T00:00:00Z');
    await buildSales(db, [
      { participant: first as BuiltParticipant, at: moment, amountCents: 100 },
      { participant: second as BuiltParticipant, at: moment, amountCents: 900, currency: 'eur' },
      { participant: test as BuiltParticipant, at: moment, amountCents: 50_000 },
    ]);
    const { body } = await caller.get<PartnerPageDto>(path('partners', { programId: 'all' }));
    expect(body.currency).toBe('eur');
    expect(body.data.map((row) => row.attributedRevenueCents)).toEqual([900, 0]);
    const metrics = await caller.get<MetricsDto>(path('metrics', { programId: 'all' }));
    expect(metrics.body.current.revenue).toEqual([
      { currency: 'eur', amountCents: 900 },
      { currency: 'usd', amountCents: 100 },
    ]);
  });
});

it('figures show at once, and an erased partner stays as a placeholder', async () => {
  const db = app.deps.db.manager;
  const participant = await buildParticipant(db, { workspaceId, referralCode: 'at-once' });
  await buildPromoCode(db, participant, { code: 'ATONCE' });
  const keys = await Promise.all(
    (['public', 'secret'] as const).map((kind) =>
      buildApiKey(db, { workspaceId, mode: 'live', kind }),
    ),
  );
  const [visitor, server] = keys.map(({ key }) => app.client.as(key)) as [Caller, Caller];
  const now = new Date().toISOString().slice(0, 10);
  const today = { from: now, to: now, programId: participant.programId };

  await visitor.post(
    '/v1/clicks',
    { ref: 'at-once' },
    { headers: { 'User-Agent': 'Mozilla/5.0' } },
  );
  const sold = await server.post<{ id: string }>('/api/v1/conversions', {
    external_transaction_id: 'at-once',
    event_type: 'purchase',
    promo_code: 'ATONCE',
    amount_cents: 2_500,
    currency: 'usd',
  });
  await server.post(`/api/v1/conversions/${sold.body.id}/refunds`, {
    external_refund_id: 'r',
    amount_cents: 500,
  });
  await execute(
    db,
    `UPDATE participants SET erased_at = now(), partner_name = 'Erased partner' WHERE id = $1`,
    [participant.id],
  );
  const { body } = await merchant.get<PartnerPageDto>(path('top-partners', today));
  expect(body.data).toEqual([
    {
      participantId: participant.id,
      partnerName: 'Erased partner',
      attributedRevenueCents: 2_000,
      conversions: 1,
      clicks: 1,
      conversionRate: 1,
      fraudFlagCount: 0,
    },
  ]);
});
