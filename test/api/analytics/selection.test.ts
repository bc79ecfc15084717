import type { MetricsDto, PartnerPageDto, TrendDto } from '../../../api/analytics/analytics.dto';
import { newId } from '../../../entities/ids';
import type { Caller } from '../../support/api-client';
import { useApp } from '../../support/app';
import { buildMember } from '../../support/build/accounts';
import { buildCountedProgram, type CountedProgram } from '../../support/build/counted-program';
import { buildSales } from '../../support/build/figures';
import {
  buildParticipant,
  buildProgram,
  type BuiltParticipant,
} from '../../support/build/programs';
import { callerOf } from '../../support/callers';

const at = (text: string): Date => new Date(text);

const trend = { granularity: 'day', metric: 'clicks' };
const endpoints = [
  'metrics',
  'trend',
  'top-partners',
  'partners',
  'partners/export',
  'fraud-summary',
];

const app = useApp();
let merchant: Caller;
let workspaceId: string;
let path: CountedProgram['path'];

beforeAll(async () => {
  const counted = await buildCountedProgram(app.deps.db.manager);
  merchant = await callerOf(app, counted.owner);
  ({ workspaceId } = counted.owner);
  ({ path } = counted);
});

describe('what is asked (analytics.md, Currency)', () => {
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
    ['a link and a code', { linkId: newId(), promoCode: 'AVA10' }, 'promoCode'],
    ['an unknown currency', { currency: 'zzz' }, 'currency'],
  ];

  it.each(refused)('with %s is refused everywhere', async (_, query, field) => {
    for (const endpoint of endpoints) {
      const answer = await merchant.get(path(endpoint, { ...trend, ...query }));
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

it('one partner of a programme is asked for by its id, everywhere', async () => {
  const db = app.deps.db.manager;
  const owner = await buildMember(db);
  const caller = await callerOf(app, owner);
  const program = await buildProgram(db, { workspaceId: owner.workspaceId, mode: 'live' });
  const [ada, bob] = [
    await buildParticipant(db, { program }),
    await buildParticipant(db, { program }),
  ];
  const moment = at('2026-01-20T00:00:00Z');
  await buildSales(db, [
    { participant: ada, at: moment, amountCents: 100 },
    { participant: bob, at: moment, amountCents: 900 },
  ]);
  const asked = { programId: program.id, participantId: ada.id };
  const metrics = await caller.get<MetricsDto>(path('metrics', asked));
  expect(metrics.body.current).toMatchObject({
    conversions: 1,
    revenue: [{ currency: 'usd', amountCents: 100 }],
  });
  const line = await caller.get<TrendDto>(path('trend', { ...trend, ...asked, metric: 'revenue' }));
  expect(line.body.buckets.reduce((sum, { value }) => sum + value, 0)).toBe(100);
  const partners = await caller.get<PartnerPageDto>(path('partners', asked));
  expect(partners.body.data.map(({ participantId }) => participantId)).toEqual([ada.id]);
  const flags = await caller.get(path('fraud-summary', asked));
  expect(flags.body['total']).toBe(0);
});
