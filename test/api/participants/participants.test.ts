import { newId } from '../../../entities/ids';
import type { Mode } from '../../../entities/rules/values/mode';
import type { Db } from '../../../entities/database/sql';
import { asOwner } from '../../support/database';
import { useApp } from '../../support/app';
import { buildMember } from '../../support/build/accounts';
import { buildClick } from '../../support/build/clicks';
import { buildCommission } from '../../support/build/commissions';
import {
  buildLink,
  buildParticipant,
  buildProgram,
  buildPromoCode,
} from '../../support/build/programs';
import { callerOf } from '../../support/callers';
import { participantShops } from '../../support/partners/participants';

const app = useApp();
let db: Db;

beforeAll(async () => {
  db = app.deps.db.manager;
});

const { openShop, join } = participantShops(() => app);

interface ListBody {
  data: { id: string; partnerName: string }[];
  total: number;
}

describe.each<Mode>(['test', 'live'])('participants in %s mode', (mode) => {
  it('shows one with its codes and nothing counted yet', async () => {
    const shop = await openShop(mode);
    const participant = await join(shop, { referralCode: 'Anna', partnerName: 'Anna' });
    await buildPromoCode(db, participant, { code: 'first' });
    await buildPromoCode(db, participant, { code: 'second' });

    const read = await shop.api.get(participant.path);

    expect(read.status).toBe(200);
    expect(read.body).toEqual({
      id: participant.id,
      programId: shop.program.id,
      groupId: shop.program.id,
      groupName: 'Default',
      groupSince: participant.createdAt.toISOString(),
      partnerName: 'Anna',
      partnerEmail: participant.partnerEmail,
      partnerGpaId: participant.partnerId,
      status: 'approved',
      statusReason: null,
      message: null,
      referralCode: 'Anna',
      promoCodes: ['FIRST', 'SECOND'],
      createdAt: participant.createdAt.toISOString(),
      erasedAt: null,
      claimed: true,
      similarCodes: [],
      earlier: null,
      payoutMethod: null,
      paidBy: null,
      approvedAt: participant.approvedAt?.toISOString(),
      clicks: 0,
      conversions: 0,
      revenue: [],
      commissions: [],
    });
  });
});

describe('finding participants (programmes.md, Participants)', () => {
  it("answers 404 for another programme's, also of the same workspace", async () => {
    const shop = await openShop();
    const other = await buildProgram(db, { workspaceId: shop.program.workspaceId });
    const elsewhere = await buildParticipant(db, { program: other });
    for (const id of [elsewhere.id, newId(), 'nonsense']) {
      const answers = await Promise.all([
        shop.api.get(`${shop.path}/${id}`),
        shop.api.get(`${shop.path}/${id}/links`),
        shop.api.patch(`${shop.path}/${id}/approve`),
        shop.api.delete(`${shop.path}/${id}/promo-codes/ABC`),
      ]);
      expect(answers.map((answer) => answer.body['code'])).toEqual(
        Array(4).fill('PARTICIPANT_NOT_FOUND'),
      );
    }
  });

  it("answers 403 below another workspace's programme and 404 below one of the other mode", async () => {
    const shop = await openShop();
    const foreign = await openShop();
    const test = await openShop('test');
    const { id } = await join(foreign);
    const own = await join(test);
    const member = await buildMember(db, { workspaceId: test.program.workspaceId });
    const live = await callerOf(app, member, 'live');

    expect((await shop.api.get(`${foreign.path}/${id}`)).body['code']).toBe('FORBIDDEN');
    expect((await live.get(own.path)).body['code']).toBe('PROGRAM_NOT_FOUND');
    expect((await live.get(test.path)).body['code']).toBe('PROGRAM_NOT_FOUND');
  });

  it('filters by status and searches names, addresses and codes, any character literally', async () => {
    const shop = await openShop();
    const anna = await join(shop, { partnerName: 'Anna 100%', referralCode: 'tea_lover' });
    const bert = await join(shop, { partnerName: 'Bert', partnerEmail: 'Bert@Mail.example' });
    const carl = await join(shop, { partnerName: 'Carl', status: 'pending' });
    await buildPromoCode(db, bert, { code: 'WINTER-SALE' });

    const found = async (queryString: string): Promise<string[]> =>
      (await shop.api.get<ListBody>(`${shop.path}?${queryString}`)).body.data.map((row) => row.id);

    expect(await found('status=pending')).toEqual([carl.id]);
    expect(await found('search=0%25')).toEqual([anna.id]);
    expect(await found('search=N_A')).toEqual([]);
    expect(await found('search=TEA_L')).toEqual([anna.id]);
    expect(await found('search=bert%40MAIL')).toEqual([bert.id]);
    expect(await found('search=ter-sa')).toEqual([bert.id]);
    expect(await found('search=carl&status=approved')).toEqual([]);
    expect((await found('search=')).sort()).toEqual([anna.id, bert.id, carl.id].sort());
  });

  it('finds those of these ids alone, and none of another programme', async () => {
    const shop = await openShop();
    const [one, two] = [await join(shop), await join(shop)];
    const elsewhere = await join(await openShop());
    await join(shop);
    const ids = [two.id, one.id.toUpperCase(), elsewhere.id].join(',');
    const found = await shop.api.get<ListBody>(`${shop.path}?ids=${ids}`);
    expect([found.body.total, found.body.data.map(({ id }) => id)]).toEqual([2, [two.id, one.id]]);
    for (const bad of ['', 'x', `${one.id},`, Array(101).fill(one.id).join(',')]) {
      const refused = await shop.api.get(`${shop.path}?ids=${bad}`);
      expect([refused.status, refused.body['details']]).toMatchObject([400, [{ field: 'ids' }]]);
    }
  });

  it('sorts, newest first by default, and no page repeats a row', async () => {
    const shop = await openShop();
    const createdAt = new Date('2026-01-01T00:00:00Z');
    for (const [partnerName, status] of [
      ['Bert', 'pending'],
      ['Anna', 'suspended'],
      ['Carl', 'approved'],
      ['Anna', 'approved'],
    ] as const) {
      await join(shop, { partnerName, status, createdAt });
    }
    const names = async (queryString: string): Promise<string[]> =>
      (await shop.api.get<ListBody>(`${shop.path}?${queryString}`)).body.data.map(
        (row) => row.partnerName,
      );

    expect(await names('sortBy=partnerName&sortOrder=asc')).toEqual([
      'Anna',
      'Anna',
      'Bert',
      'Carl',
    ]);
    expect(await names('sortBy=partnerName&sortOrder=desc')).toEqual([
      'Carl',
      'Bert',
      'Anna',
      'Anna',
    ]);
    expect(await names('sortBy=status&sortOrder=asc')).toEqual(['Carl', 'Anna', 'Bert', 'Anna']);

    const whole = await shop.api.get<ListBody>(shop.path);
    const pages = await Promise.all(
      [1, 2, 3].map((page) => shop.api.get<ListBody>(`${shop.path}?page=${page}&limit=2`)),
    );
    expect(pages.flatMap((page) => page.body.data)).toEqual(whole.body.data);
    expect(pages.map((page) => page.body.total)).toEqual([4, 4, 4]);
  });

  it.each([
    'status=gone',
    'sortBy=clicks',
    'sortOrder=up',
    'page=0',
    'limit=101',
    'limit=x',
    'search=%00',
  ])('refuses the query %s', async (queryString) => {
    const shop = await openShop();
    const answer = await shop.api.get(`${shop.path}?${queryString}`);
    expect(answer.status).toBe(400);
    expect(answer.body['details']).toMatchObject([{ field: queryString.split('=')[0] }]);
  });
});

describe('what is counted', () => {
  it('sums clicks, conversions, revenue and commissions in one read, rejected ones left out', async () => {
    const shop = await openShop();
    const participant = await join(shop);
    const link = await buildLink(db, participant);
    await buildClick(db, { participant });
    await buildClick(db, { participant, linkId: link.id });
    await buildClick(db, { participant, linkId: link.id });
    const dollars = await buildCommission(db, { participant });
    await buildCommission(db, { participant, status: 'rejected' });
    await buildCommission(db, {
      participant,
      conversionAmountCents: 5_000,
      conversionCurrency: 'eur',
    });
    await asOwner(
      app.deps.config.databaseUrl,
      'UPDATE conversions SET refunded_amount_cents = 2500, link_id = $2 WHERE id = $1',
      [dollars.conversionId, link.id],
    );

    const read = await shop.api.get(participant.path);
    const list = await shop.api.get<{ data: unknown[] }>(shop.path);
    const links = await shop.api.get(`${participant.path}/links`);

    expect(read.body).toMatchObject({
      clicks: 3,
      conversions: 3,
      revenue: [
        { currency: 'eur', amountCents: 5_000 },
        { currency: 'usd', amountCents: 17_500 },
      ],
      commissions: [
        { currency: 'eur', amountCents: 1_000 },
        { currency: 'usd', amountCents: 2_000 },
      ],
    });
    expect(list.body.data).toEqual([read.body]);
    expect(links.body['data']).toMatchObject([
      { token: participant.referralCode, clicks: 1 },
      { token: link.token, clicks: 2, conversions: 1 },
    ]);
  });
});
