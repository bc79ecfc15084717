import { update } from '../../../entities/database/update';
import type { Db } from '../../../entities/database/sql';
import { Participant } from '../../../entities/tables/partners/participant.entity';
import { Program } from '../../../entities/tables/programs/program.entity';
import { newId } from '../../../entities/ids';
import { codeOf } from '../../support/api-client';
import { useApp } from '../../support/app';
import { buildApiKey, buildMember, buildPartner } from '../../support/build/accounts';
import { buildCommission } from '../../support/build/commissions';
import { buildSales, buildVisits } from '../../support/build/figures';
import { buildParticipant, buildProgram, buildPromoCode } from '../../support/build/programs';
import { visitorUserAgent } from '../../support/browser';
import { callerOf } from '../../support/callers';
import { expired, inviteShops } from '../../support/partners/invites';

const app = useApp();
let db: Db;
beforeAll(async () => {
  db = app.deps.db.manager;
});

const { openShop } = inviteShops(() => app);

async function joined(program?: Program) {
  const partner = await buildPartner(db);
  const api = await callerOf(app, partner, 'live');
  const participant = await buildParticipant(db, {
    partnerId: partner.id,
    ...(program && { program }),
  });
  return { api, participant, programId: participant.programId };
}

describe('GET /api/v1/partner/programs/{programId}', () => {
  it('shows the terms, and of the rules those that name the caller, without the others', async () => {
    const program = await buildProgram(db, { publicApplications: false });
    const mine = await joined(program);
    const other = await joined(program);
    const rule = (name: string, participantIds: string[]) => ({
      ...{ name, match: { participantIds }, type: 'percentage' as const, rateBps: 4_000 },
      ...{ amountCents: null, basis: 'gross' as const, holdDays: null, autoApprove: null },
    });
    const ours = [mine.participant.id, other.participant.id];
    const all = { ...rule('All', []), match: { minAmountCents: 10_000 } };
    const rules = [rule('Ours', ours), rule('Theirs', [other.participant.id]), all];
    await update(db, Program, { set: { rules }, where: { id: program.id } });

    const answer = await mine.api.get(`/api/v1/partner/programs/${program.id}`);
    expect(answer.body).toMatchObject({
      id: program.id,
      status: 'active',
      minPayoutCents: 0,
      participantId: mine.participant.id,
      participantStatus: 'approved',
      rules: [
        { name: 'Ours', words: '40 % of each sale', rateBps: 4_000, holdDays: null },
        { name: 'All', words: '40 % of each sale, from USD 100.00 on' },
      ],
    });
    expect(answer.text).not.toContain(other.participant.id);
    expect(answer.text).not.toContain('match');
  });

  it('is 404 for who is not in it', async () => {
    const { api } = await joined();
    const program = await buildProgram(db);
    const answer = await api.get(`/api/v1/partner/programs/${program.id}`);
    expect(codeOf(answer)).toEqual([404, 'PROGRAM_NOT_FOUND']);
  });
});

describe('GET /api/v1/partner/commissions/{commissionId}', () => {
  it('shows history and ledger, and neither who decided nor what the buyer is', async () => {
    const { api, participant, programId } = await joined();
    const made = await buildCommission(db, { participant, externalTransactionId: 'order-77' });
    const owner = await buildMember(db, { workspaceId: participant.workspaceId, role: 'owner' });
    const merchant = await callerOf(app, owner, 'live');
    const path = `/api/v1/programs/${programId}/commissions/${made.id}`;
    await merchant.patch(`${path}/approve-override`, { reason: 'An old friend' });
    await merchant.patch(`${path}/reject`, { reason: 'The order was cancelled' });

    const answer = await api.get(`/api/v1/partner/commissions/${made.id}`);
    expect(answer.body).toMatchObject({
      id: made.id,
      rejectionReason: 'The order was cancelled',
      history: [
        { to: 'pending', reason: null },
        { to: 'approved', trigger: 'approve_override', reason: null },
        { to: 'rejected', reason: 'The order was cancelled' },
      ],
      ledger: [{ amountCents: 2_000 }, { amountCents: -2_000 }],
    });
    expect(answer.text).not.toMatch(
      /order-77|An old friend|overrideReason|reviewReasons|decidedBy/,
    );
    expect(answer.text).not.toContain(owner.id);
  });

  it('is read by its partner when the participation was erased and the account lives', async () => {
    const { api, participant } = await joined();
    const made = await buildCommission(db, { participant });
    const { id } = participant;
    await update(db, Participant, { set: { erasedAt: new Date() }, where: { id } });

    const answer = await api.get(`/api/v1/partner/commissions/${made.id}`);
    expect(answer.body).toMatchObject({ id: made.id, ledger: [{ amountCents: 2_000 }] });
  });

  it("is 404 for another partner's", async () => {
    const { participant } = await joined();
    const made = await buildCommission(db, { participant });
    const { api } = await joined();
    const answer = await api.get(`/api/v1/partner/commissions/${made.id}`);
    expect(codeOf(answer)).toEqual([404, 'COMMISSION_NOT_FOUND']);
  });
});

describe('GET /api/v1/partner/analytics', () => {
  const span = 'from=2026-03-01&to=2026-03-03&tz=UTC';
  const at = new Date('2026-03-02T12:00:00Z');

  it('counts what the caller brought, over all programmes or in one', async () => {
    const program = await buildProgram(db);
    const mine = await joined(program);
    const other = await joined(program);
    for (const { participant } of [mine, mine, other]) {
      await buildVisits(db, [{ participant, at }]);
      await buildSales(db, [{ participant, at, amountCents: 5_000, currency: 'usd' }]);
    }

    for (const all of ['', '&programId=all']) {
      const metrics = await mine.api.get(`/api/v1/partner/analytics/metrics?${span}${all}`);
      expect(metrics.body).toMatchObject({
        current: { clicks: 2, conversions: 2, revenue: [{ currency: 'usd', amountCents: 10_000 }] },
      });
    }
    const trend = await mine.api.get(
      `/api/v1/partner/analytics/trend?${span}&programId=${program.id}&granularity=day&metric=clicks`,
    );
    expect(trend.body).toMatchObject({
      buckets: [
        { start: '2026-03-01', value: 0 },
        { start: '2026-03-02', value: 2 },
        { start: '2026-03-03', value: 0 },
      ],
    });
    const foreign = await buildProgram(db);
    const refused = await mine.api.get(
      `/api/v1/partner/analytics/metrics?${span}&programId=${foreign.id}`,
    );
    expect(codeOf(refused)).toEqual([404, 'PROGRAM_NOT_FOUND']);
  });
});

describe('POST /api/v1/partner/programs/{programId}/leave', () => {
  it('ends what is credited from now on, twice too, and one may apply again', async () => {
    const { api, participant, programId } = await joined();
    const leave = `/api/v1/partner/programs/${programId}/leave`;
    expect((await api.post(leave, undefined)).status).toBe(204);
    expect((await api.post(leave, undefined)).status).toBe(204);
    const own = await api.get<{ data: { status: string }[] }>('/api/v1/partner/programs');
    expect(own.body.data.map(({ status }) => status)).toEqual(['left']);

    const again = await api.post(`/api/v1/partner/programs/${programId}/applications`, {});
    expect([again.status, again.body['id'], again.body['status']]).toEqual([
      201,
      participant.id,
      'pending',
    ]);
    const twice = await api.post(`/api/v1/partner/programs/${programId}/applications`, {});
    expect(codeOf(twice)).toEqual([409, 'APPLICATION_DUPLICATE']);
  });

  it('stops links and codes, and lets what was earned go on', async () => {
    const program = await buildProgram(db, { approvalMode: 'auto' });
    const { api, participant } = await joined(program);
    const { workspaceId } = program;
    const { code } = await buildPromoCode(db, participant);
    const earned = await buildCommission(db, { participant, program });
    const server = app.client.as((await buildApiKey(db, { workspaceId, mode: 'live' })).key);
    const visit = { ref: participant.referralCode, user_agent: visitorUserAgent };
    let visitors = 0;
    const click = async () => {
      const ip = `198.51.100.${(visitors += 1)}`;
      const { body } = await server.post('/v1/clicks', { ...visit, ip });
      return { click_id: body['click_id'] };
    };
    const sell = async (signal: object) => {
      const sale = { external_transaction_id: newId(), event_type: 'purchase', currency: 'usd' };
      const { body } = await server.post<{ attribution: { reason: string } }>(
        '/api/v1/conversions',
        { ...sale, amount_cents: 1_000, ...signal },
      );
      return body.attribution.reason;
    };
    const before = await click();
    await api.post(`/api/v1/partner/programs/${program.id}/leave`, undefined);
    const away = await click();
    for (const signal of [before, away, { promo_code: code }])
      expect(await sell(signal)).toBe('PARTNER_NOT_APPROVED');

    const member = await callerOf(app, await buildMember(db, { workspaceId }), 'live');
    const at = `/api/v1/programs/${program.id}/commissions/${earned.id}`;
    expect((await member.patch(`${at}/approve-override`, { reason: 'Earned' })).status).toBe(200);
    const own = await api.get<{ data: { id: string }[] }>('/api/v1/partner/commissions');
    expect(own.body.data.map(({ id }) => id)).toEqual([earned.id]);

    await api.post(`/api/v1/partner/programs/${program.id}/applications`, {});
    expect(await sell(away)).toBe('PARTNER_NOT_APPROVED');
    expect(await sell(await click())).toBe('ATTRIBUTED');
  });

  it('lifts no suspension', async () => {
    const { api, participant, programId } = await joined();
    await db.query(`UPDATE participants SET status = 'suspended' WHERE id = $1`, [participant.id]);
    const answer = await api.post(`/api/v1/partner/programs/${programId}/leave`, undefined);
    expect(codeOf(answer)).toEqual([409, 'PARTICIPANT_INVALID_TRANSITION']);
  });
});

describe('POST /api/v1/partner/invites/preview', () => {
  it('says what the invite is for, spending nothing', async () => {
    const shop = await openShop('live');
    const person = { email: 'anna@partner.example', name: 'Anna Partner' };
    const { body } = await shop.api.post<{ inviteUrl: string }>(shop.path, person);
    const token = new URL(body.inviteUrl).searchParams.get('token');
    const preview = () => app.client.post('/api/v1/partner/invites/preview', { token });
    await preview();
    const answer = await preview();
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        programName: shop.program.name,
        workspaceName: expect.any(String) as string,
        websiteUrl: shop.program.websiteUrl,
        terms: expect.objectContaining({ id: shop.program.id }) as object,
        email: 'anna@partner.example',
        name: 'Anna Partner',
        expiresAt: expect.stringMatching(/Z$/) as string,
      },
    ]);
  });

  it('is 410 for a token that opens nothing', async () => {
    const answer = await app.client.post('/api/v1/partner/invites/preview', { token: 'nonsense' });
    expect(codeOf(answer)).toEqual(expired);
  });
});
