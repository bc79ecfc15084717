import type { PartnerPageDto } from '../../../api/analytics/analytics.dto';
import { execute } from '../../../entities/database/sql';
import type { Caller } from '../../support/api-client';
import { useApp } from '../../support/app';
import { buildApiKey } from '../../support/build/accounts';
import { buildCountedProgram, type CountedProgram } from '../../support/build/counted-program';
import {
  buildParticipant,
  buildPromoCode,
  type BuiltParticipant,
} from '../../support/build/programs';
import { callerOf } from '../../support/callers';

const app = useApp();
let merchant: Caller;
let workspaceId: string;
let ava: BuiltParticipant;
let bea: BuiltParticipant;
let idle: BuiltParticipant;
let path: CountedProgram['path'];

beforeAll(async () => {
  const counted = await buildCountedProgram(app.deps.db.manager);
  merchant = await callerOf(app, counted.owner);
  ({ workspaceId } = counted.owner);
  ({ ava, bea, idle, path } = counted);
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
