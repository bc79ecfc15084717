import { newId } from '../../../entities/ids';
import type { Program } from '../../../entities/tables/programs/program.entity';
import type { Mode } from '../../../entities/rules/values/mode';
import { query } from '../../../entities/database/sql';
import type { Db } from '../../../entities/database/sql';
import { asOwner } from '../../support/database';
import type { Caller } from '../../support/api-client';
import { startTestApp, type TestApp } from '../../support/app';
import { buildMember, buildPartner } from '../../support/build/accounts';
import { buildClick } from '../../support/build/clicks';
import { buildCommission } from '../../support/build/commissions';
import {
  buildLink,
  buildParticipant,
  buildProgram,
  buildPromoCode,
  type ParticipantOverrides,
} from '../../support/build/programs';
import { carryEvents } from '../../support/build/notifications';
import { callerOf } from '../../support/callers';

let app: TestApp;
let db: Db;

beforeAll(async () => {
  app = await startTestApp();
  db = app.deps.db.manager;
});

afterAll(() => app.close());

interface Shop {
  api: Caller;
  program: Program;
  path: string;
}

async function openShop(mode: Mode = 'live', overrides: Partial<Program> = {}): Promise<Shop> {
  const member = await buildMember(db, { role: 'member' });
  const program = await buildProgram(db, {
    workspaceId: member.workspaceId,
    mode,
    name: 'Tea shop',
    ...overrides,
  });
  const api = await callerOf(app, member, mode);
  return { api, program, path: `/api/v1/programs/${program.id}/partners` };
}

async function join(shop: Shop, overrides: ParticipantOverrides = {}) {
  const partner = await buildPartner(db);
  const participant = await buildParticipant(db, {
    program: shop.program,
    partnerId: partner.id,
    partnerEmail: partner.email,
    ...overrides,
  });
  return { ...participant, path: `${shop.path}/${participant.id}` };
}

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
      partnerName: 'Anna',
      partnerEmail: participant.partnerEmail,
      partnerGpaId: participant.partnerId,
      status: 'approved',
      statusReason: null,
      message: null,
      referralCode: 'Anna',
      promoCodes: ['FIRST', 'SECOND'],
      createdAt: participant.createdAt.toISOString(),
      approvedAt: participant.approvedAt?.toISOString(),
      clicks: 0,
      conversions: 0,
      revenue: [],
      commissions: [],
    });
  });

  it('approves, suspends and reinstates, with mail, event and audit row each', async () => {
    const shop = await openShop(mode);
    const participant = await join(shop, { status: 'pending' });

    const answers = [
      await shop.api.patch(`${participant.path}/approve`),
      await shop.api.patch(`${participant.path}/suspend`, { reason: 'Spam' }),
      await shop.api.patch(`${participant.path}/reinstate`),
    ];

    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    expect(answers.map((answer) => [answer.body['status'], answer.body['statusReason']])).toEqual([
      ['approved', null],
      ['suspended', 'Spam'],
      ['approved', null],
    ]);
    expect(answers[0]?.body['approvedAt']).not.toBeNull();
    expect(answers[2]?.body['approvedAt']).toBe(answers[0]?.body['approvedAt']);

    const events = await query<{ type: string; object: Record<string, unknown>; mode: Mode }>(
      db,
      'SELECT type, object, mode FROM events WHERE object_id = $1 ORDER BY seq',
      [participant.id],
    );
    expect(events.map((event) => event.type)).toEqual([
      'participant.approved',
      'participant.suspended',
      'participant.approved',
    ]);
    expect(events[1]).toMatchObject({
      mode,
      object: { id: participant.id, status: 'suspended', status_reason: 'Spam' },
    });
    expect(JSON.stringify(events)).not.toContain(participant.partnerEmail);

    await carryEvents(app.deps);
    const mails = await query<{ type: string; params: Record<string, unknown>; mode: Mode }>(
      db,
      'SELECT type, params, mode FROM mails WHERE account_id = $1 ORDER BY id',
      [participant.partnerId],
    );
    expect(mails.map((mail) => [mail.type, mail.mode, mail.params['programName']])).toEqual([
      ['participant.approved', mode, 'Tea shop'],
      ['participant.suspended', mode, 'Tea shop'],
      ['participant.reinstated', mode, 'Tea shop'],
    ]);
    expect(mails[1]?.params['reason']).toBe('Spam');

    const audit = await query<{ action: string }>(
      db,
      'SELECT action FROM audit_log WHERE target_id = $1 ORDER BY id',
      [participant.id],
    );
    expect(audit.map((row) => row.action)).toEqual([
      'participant.approved',
      'participant.suspended',
      'participant.reinstated',
    ]);
  });

  it('rejects with a reason, and approves what was rejected', async () => {
    const shop = await openShop(mode);
    const participant = await join(shop, { status: 'pending' });
    const rejected = await shop.api.patch(`${participant.path}/reject`, { reason: 'No website' });
    const approved = await shop.api.patch(`${participant.path}/approve`);
    expect(rejected.body).toMatchObject({ status: 'rejected', statusReason: 'No website' });
    expect(approved.body).toMatchObject({ status: 'approved', statusReason: null });
  });
});

describe('reinstating', () => {
  it('clears the flag of commissions whose hold ended meanwhile, and no other flag', async () => {
    const shop = await openShop();
    const participant = await join(shop, { status: 'suspended' });
    await buildCommission(db, { participant, reviewReasons: ['PARTNER_SUSPENDED'] });
    await buildCommission(db, {
      participant,
      reviewReasons: ['FRAUD_SUSPECTED', 'PARTNER_SUSPENDED'],
    });

    await shop.api.patch(`${participant.path}/reinstate`);

    const rows = await query<{ reasons: string[] }>(
      db,
      'SELECT review_reasons AS reasons FROM commissions WHERE participant_id = $1 ORDER BY id',
      [participant.id],
    );
    expect(rows.map((row) => row.reasons)).toEqual([[], ['FRAUD_SUSPECTED']]);
  });
});

describe('moves that are not allowed', () => {
  it.each([
    ['approve', ['approved', 'suspended']],
    ['reject', ['approved', 'rejected', 'suspended']],
    ['suspend', ['pending', 'rejected', 'suspended']],
    ['reinstate', ['pending', 'approved', 'rejected']],
  ] as const)('refuses %s from %j', async (decision, statuses) => {
    const shop = await openShop();
    for (const status of statuses) {
      const { path } = await join(shop, { status });
      const body = decision === 'reject' || decision === 'suspend' ? { reason: 'x' } : undefined;
      const answer = await shop.api.patch(`${path}/${decision}`, body);
      expect(answer.status).toBe(409);
      expect(answer.body['code']).toBe('PARTICIPANT_INVALID_TRANSITION');
      expect((await shop.api.get(path)).body['status']).toBe(status);
    }
  });

  it.each([
    [{}],
    [{ reason: '' }],
    [{ reason: 'x'.repeat(501) }],
    [{ reason: 5 }],
    [{ reason: 'x', by: 'me' }],
  ])('refuses the reason %j', async (body) => {
    const shop = await openShop();
    const { path } = await join(shop);
    const answer = await shop.api.patch(`${path}/suspend`, body);
    expect(answer.status).toBe(400);
    expect((await shop.api.get(path)).body['status']).toBe('approved');
  });

  it('refuses every change of an erased participant', async () => {
    const shop = await openShop();
    const participant = await join(shop, { erasedAt: new Date() });
    await buildPromoCode(db, participant, { code: 'KEEP-ME' });
    const { path } = participant;

    const answers = await Promise.all([
      shop.api.patch(`${path}/approve`),
      shop.api.patch(`${path}/reject`, { reason: 'x' }),
      shop.api.patch(`${path}/suspend`, { reason: 'x' }),
      shop.api.patch(`${path}/reinstate`),
      shop.api.post(`${path}/promo-codes`, { code: 'NEW-CODE' }),
      shop.api.delete(`${path}/promo-codes/keep-me`),
      shop.api.patch(`${path}/referral-code`, { referralCode: 'new-code' }),
    ]);

    expect(answers.map((answer) => [answer.status, answer.body['code']])).toEqual(
      Array(7).fill([409, 'PARTICIPANT_ERASED']),
    );
  });

  it('lets exactly one of many equal decisions through', async () => {
    const shop = await openShop();
    const { path } = await join(shop, { status: 'pending' });
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        index % 2 === 0
          ? shop.api.patch(`${path}/approve`)
          : shop.api.patch(`${path}/reject`, { reason: 'x' }),
      ),
    );
    // A rejection may be followed by an approval, never by another rejection.
    const done = answers.filter((answer) => answer.status === 200);
    expect(done.length).toBeLessThanOrEqual(2);
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(6 - done.length);
  });

  it('refuses viewers, before it looks anything up', async () => {
    const shop = await openShop();
    const { path } = await join(shop, { status: 'pending' });
    const viewer = await buildMember(db, {
      workspaceId: shop.program.workspaceId,
      role: 'viewer',
    });
    const api = await callerOf(app, viewer);
    const answers = await Promise.all([
      api.patch(`${path}/approve`),
      api.patch(`${shop.path}/${newId()}/approve`),
      api.post(`${path}/promo-codes`, { code: 'ABC' }),
      api.delete(`${path}/promo-codes/ABC`),
      api.patch(`${path}/referral-code`, { referralCode: 'abc' }),
    ]);
    expect(answers.map((answer) => answer.body['code'])).toEqual(Array(5).fill('FORBIDDEN'));
    expect((await api.get(path)).status).toBe(200);
  });
});

describe('finding participants', () => {
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

describe('promo codes', () => {
  it('adds one in upper case, and takes it away in any case', async () => {
    const shop = await openShop();
    const { path } = await join(shop);

    const added = await shop.api.post(`${path}/promo-codes`, { code: 'Summer_24' });
    const removed = await shop.api.delete(`${path}/promo-codes/sUMMER_24`);
    const again = await shop.api.delete(`${path}/promo-codes/SUMMER_24`);

    expect(added.status).toBe(201);
    expect(added.headers.get('location')).toBe(path);
    expect(added.body['promoCodes']).toEqual(['SUMMER_24']);
    expect([removed.status, again.status]).toEqual([204, 404]);
    expect((await shop.api.get(path)).body['promoCodes']).toEqual([]);
  });

  it('gives a code to one participant of a workspace and mode, and is free again once deleted', async () => {
    const shop = await openShop();
    const other = await buildProgram(db, { workspaceId: shop.program.workspaceId });
    const first = await join(shop);
    const second = await join({
      ...shop,
      program: other,
      path: `/api/v1/programs/${other.id}/partners`,
    });

    await shop.api.post(`${first.path}/promo-codes`, { code: 'SALE' });
    const taken = await shop.api.post(`${second.path}/promo-codes`, { code: 'sale' });
    const own = await shop.api.post(`${first.path}/promo-codes`, { code: 'Sale' });
    await shop.api.delete(`${first.path}/promo-codes/SALE`);
    const free = await shop.api.post(`${second.path}/promo-codes`, { code: 'sale' });

    expect([taken.status, own.status, free.status]).toEqual([409, 409, 201]);
    expect(taken.body['code']).toBe('PROMO_CODE_TAKEN');
  });

  it('lets other workspaces and the other mode use the same code', async () => {
    const [live, test, foreign] = await Promise.all([openShop(), openShop('test'), openShop()]);
    for (const shop of [live, test, foreign]) {
      const { path } = await join(shop);
      expect((await shop.api.post(`${path}/promo-codes`, { code: 'SAME' })).status).toBe(201);
    }
  });

  it('gives a code to exactly one of many who ask at once', async () => {
    const shop = await openShop();
    const rivals = await Promise.all(Array.from({ length: 6 }, () => join(shop)));
    const answers = await Promise.all(
      rivals.map(({ path }) => shop.api.post(`${path}/promo-codes`, { code: 'RACE' })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  it.each(['ab', 'x'.repeat(41), 'a b', 'ümlaut', 'a.b', '', 5, null])(
    'refuses %j',
    async (code) => {
      const shop = await openShop();
      const { path } = await join(shop);
      const answer = await shop.api.post(`${path}/promo-codes`, { code });
      expect(answer.status).toBe(400);
      expect(answer.body['details']).toMatchObject([{ field: 'code' }]);
    },
  );

  it('answers 404 for codes that cannot be', async () => {
    const shop = await openShop();
    const { path } = await join(shop);
    const codes = ['none', '%00', '%E4', 'x'.repeat(300)];
    const answers = await Promise.all(
      codes.map((code) => shop.api.delete(`${path}/promo-codes/${code}`)),
    );
    expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404, 404]);
  });

  it('replays the first answer for a repeated Idempotency-Key', async () => {
    const shop = await openShop();
    const { path } = await join(shop);
    const headers = { 'Idempotency-Key': 'once' };
    const first = await shop.api.post(`${path}/promo-codes`, { code: 'IDEM' }, { headers });
    const second = await shop.api.post(`${path}/promo-codes`, { code: 'IDEM' }, { headers });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });
});

describe('referral codes', () => {
  it('keeps the code as it was typed, its own again too', async () => {
    const shop = await openShop();
    const { path } = await join(shop, { referralCode: 'anna' });
    const codes = ['Anna', 'anna-2', 'ANNA'];
    for (const referralCode of codes) {
      const answer = await shop.api.patch(`${path}/referral-code`, { referralCode });
      expect(answer.status).toBe(200);
      expect(answer.body['referralCode']).toBe(referralCode);
    }
    const links = await shop.api.get<{ data: { token: string }[] }>(`${path}/links`);
    expect(links.body.data.map((link) => link.token)).toEqual(['ANNA']);
  });

  it("refuses another's, past ones and link tokens too", async () => {
    const shop = await openShop();
    const holder = await join(shop, { referralCode: 'held' });
    const link = await buildLink(db, holder);
    await shop.api.patch(`${holder.path}/referral-code`, { referralCode: 'held-2' });
    const { path } = await join(shop);
    for (const referralCode of ['HELD', 'held-2', link.token]) {
      const answer = await shop.api.patch(`${path}/referral-code`, { referralCode });
      expect([answer.status, answer.body['code']]).toEqual([409, 'REFERRAL_CODE_TAKEN']);
    }
  });

  it.each(['ab', 'x'.repeat(41), 'a b', 'é'.repeat(4)])('refuses %j', async (referralCode) => {
    const shop = await openShop();
    const { path } = await join(shop);
    const answer = await shop.api.patch(`${path}/referral-code`, { referralCode });
    expect(answer.body['details']).toMatchObject([{ field: 'referralCode' }]);
  });
});

describe('an archived programme', () => {
  it('takes no change of its partners and their codes any more', async () => {
    const shop = await openShop('live', { status: 'archived' });
    const { path } = await join(shop);
    const answers = await Promise.all([
      shop.api.patch(`${path}/suspend`, { reason: 'Fraud' }),
      shop.api.patch(`${path}/approve`),
      shop.api.delete(`${path}/promo-codes/ABC`),
      shop.api.post(`${path}/promo-codes`, { code: 'ABC' }),
      shop.api.patch(`${path}/referral-code`, { referralCode: 'abc' }),
    ]);
    expect(answers.map((answer) => answer.body['code'])).toEqual(Array(5).fill('PROGRAM_ARCHIVED'));
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

  it('fixes the currency of the programme once there is a commission', async () => {
    const shop = await openShop();
    const owner = await buildMember(db, { workspaceId: shop.program.workspaceId });
    const api = await callerOf(app, owner);
    const path = `/api/v1/programs/${shop.program.id}`;

    expect((await api.patch(path, { currency: 'EUR' })).body['currency']).toBe('eur');
    await buildCommission(db, { participant: await join(shop), conversionCurrency: 'eur' });

    const refused = await api.patch(path, { currency: 'usd', name: 'Other' });
    const same = await api.patch(path, { currency: 'eur', name: 'Renamed' });

    expect([refused.status, refused.body['code']]).toEqual([409, 'PROGRAM_CURRENCY_FIXED']);
    expect(same.body).toMatchObject({ currency: 'eur', name: 'Renamed' });
  });
});
