import { beginRestore } from '../../../activities/restore/begin';
import { releasePayouts } from '../../../activities/restore/release-payouts';
import { newId } from '../../../entities/ids';
import { operatorActor } from '../../../entities/rules/values/actor';
import type { Db } from '../../../entities/database/sql';
import { execute } from '../../../entities/database/sql';
import type { Caller } from '../../support/api-client';
import { useApp } from '../../support/app';
import {
  buildMember,
  buildPartner,
  type BuiltMember,
  type BuiltPartner,
} from '../../support/build/accounts';
import { buildCommission } from '../../support/build/commissions';
import {
  buildParticipant,
  buildProgram,
  type BuiltParticipant,
} from '../../support/build/programs';
import { callerOf } from '../../support/callers';

const app = useApp();
let db: Db;
let owner: BuiltMember;
let api: Caller;

beforeAll(async () => {
  db = app.deps.db.manager;
  owner = await buildMember(db);
  api = await callerOf(app, owner);
});

interface World {
  partner: BuiltPartner;
  portal: Caller;
  participant: BuiltParticipant;
  programId: string;
}

async function buildWorld(partnerName = 'Anna Partner'): Promise<World> {
  const program = await buildProgram(db, { workspaceId: owner.workspaceId });
  const partner = await buildPartner(db, { name: partnerName });
  const participant = await buildParticipant(db, {
    program,
    partnerId: partner.id,
    partnerName,
    partnerEmail: partner.email,
  });
  return { partner, portal: await callerOf(app, partner), participant, programId: program.id };
}

const approved = ({ participant }: World, more = {}) =>
  buildCommission(db, { participant, status: 'approved', ...more });

const balanceOf = async ({ programId, participant }: World) =>
  (await api.get(`/api/v1/programs/${programId}/partners/${participant.id}/balance`)).body;

describe('payouts (payouts.md, What a payout takes)', () => {
  it('are created, read, completed, and listed newest first', async () => {
    const world = await buildWorld();
    const one = await approved(world);
    const created = await api.post('/api/v1/payouts', {
      programId: world.programId,
      reference: 'March',
    });
    expect(created.status).toBe(201);
    const id = String(created.body['id']);
    expect(created.headers.get('location')).toBe(`/api/v1/payouts/${id}`);
    expect(created.body).toMatchObject({
      programId: world.programId,
      status: 'processing',
      reference: 'March',
      items: [
        {
          participantId: world.participant.id,
          partnerName: 'Anna Partner',
          currency: 'usd',
          amountCents: 2_000,
          commissionCount: 1,
          commissionIds: [one.id],
        },
      ],
      remaining: 0,
      completedAt: null,
      cancelledAt: null,
    });
    const { remaining: _, ...detail } = created.body;
    expect((await api.get(`/api/v1/payouts/${id}`)).body).toEqual(detail);

    const done = await api.post(`/api/v1/payouts/${id}/complete`);
    expect(done.status).toBe(200);
    expect(done.body).toMatchObject({ status: 'completed' });
    for (const deed of ['complete', 'cancel']) {
      const again = await api.post(`/api/v1/payouts/${id}/${deed}`);
      expect([again.status, again.body['code']]).toEqual([409, 'PAYOUT_NOT_PROCESSING']);
    }
    const listed = await api.get<{ data: { id: string }[] }>('/api/v1/payouts');
    expect(listed.body.data[0]?.id).toBe(id);
    const [item] = (listed.body.data[0] as unknown as { items: object[] }).items;
    expect(item).toMatchObject({ commissionCount: 1 });
    expect(item).not.toHaveProperty('commissionIds');
    const commission = await api.get(`/api/v1/programs/${world.programId}/commissions/${one.id}`);
    expect(commission.body).toMatchObject({
      status: 'paid',
      payoutId: id,
      ledger: [{ type: 'accrual' }, { type: 'payout', amountCents: -2_000 }],
    });
    const taken = `/api/v1/programs/${world.programId}/commissions?payoutId=${id}`;
    expect((await api.get(taken)).body).toMatchObject({ total: 1 });
  });

  it('are cancelled', async () => {
    const world = await buildWorld();
    const one = await approved(world);
    const { body } = await api.post('/api/v1/payouts', {
      programId: world.programId,
      commissionIds: [one.id],
    });
    const cancelled = await api.post(`/api/v1/payouts/${String(body['id'])}/cancel`);
    expect(cancelled.body).toMatchObject({ status: 'cancelled' });
    expect(await balanceOf(world)).toMatchObject({ balances: [{ approvedCents: 2_000 }] });
  });

  it('are refused with their codes', async () => {
    const world = await buildWorld();
    const { programId } = world;
    const foreign = await buildProgram(db);
    const pending = await buildCommission(db, { participant: world.participant });
    const codeOf = async (body: object) => {
      const response = await api.post('/api/v1/payouts', body);
      return [response.status, response.body['code']];
    };
    expect(await codeOf({ programId })).toEqual([422, 'PAYOUT_EMPTY']);
    expect(await codeOf({ programId, commissionIds: [pending.id] })).toEqual([
      422,
      'COMMISSION_NOT_PAYABLE',
    ]);
    expect(await codeOf({ programId: foreign.id })).toEqual([403, 'FORBIDDEN']);
    expect(await codeOf({ programId: newId() })).toEqual([404, 'PROGRAM_NOT_FOUND']);
    expect(await codeOf({ programId, commissionIds: [] })).toEqual([400, 'VALIDATION_ERROR']);
    expect(await codeOf({})).toEqual([400, 'VALIDATION_ERROR']);
    for (const id of [newId(), 'nonsense']) {
      const response = await api.get(`/api/v1/payouts/${id}`);
      expect([response.status, response.body['code']]).toEqual([404, 'PAYOUT_NOT_FOUND']);
    }
  });

  it('and balances whose sum no number holds exactly are refused, never rounded', async () => {
    const world = await buildWorld();
    const one = await approved(world);
    await db.query(
      `UPDATE commissions SET amount_cents = 9007199254740991, original_amount_cents = 9007199254740991,
              owed_cents = 9007199254740991 WHERE id = $1`,
      [one.id],
    );
    await approved(world);
    const base = `/api/v1/programs/${world.programId}`;
    for (const path of [
      `${base}/partners/${world.participant.id}/balance`,
      `${base}/commissions/stats`,
    ]) {
      const { status, body } = await api.get(path);
      expect([status, body['code']]).toEqual([422, 'AMOUNT_TOO_LARGE']);
    }
    const created = await api.post('/api/v1/payouts', { programId: world.programId });
    expect(created.body).toMatchObject({
      items: [{ commissionCount: 1, amountCents: 9_007_199_254_740_991 }],
      remaining: 1,
    });
  });

  it('of another workspace or mode are not found', async () => {
    const world = await buildWorld();
    await approved(world);
    const { body } = await api.post('/api/v1/payouts', { programId: world.programId });
    const path = `/api/v1/payouts/${String(body['id'])}`;
    const stranger = await callerOf(app, await buildMember(db));
    expect((await stranger.get(path)).status).toBe(404);
    expect((await stranger.post(`${path}/complete`)).status).toBe(404);
    expect((await stranger.get(`${path}/export`)).status).toBe(404);
    expect((await api.get(path, { mode: 'test' })).status).toBe(404);
  });

  it('need an admin, but everybody reads them', async () => {
    const world = await buildWorld();
    const member = await callerOf(
      app,
      await buildMember(db, { workspaceId: owner.workspaceId, role: 'member' }),
    );
    expect((await member.post('/api/v1/payouts', { programId: world.programId })).status).toBe(403);
    expect((await member.get('/api/v1/payouts')).status).toBe(200);
    expect((await member.get(`/api/v1/payouts/${newId()}/export`)).status).toBe(403);
  });

  it('are made once for one Idempotency-Key', async () => {
    const world = await buildWorld();
    await approved(world);
    const headers = { 'Idempotency-Key': newId() };
    const body = { programId: world.programId };
    const first = await api.post('/api/v1/payouts', body, { headers });
    const second = await api.post('/api/v1/payouts', body, { headers });
    expect(second.status).toBe(201);
    expect(second.body).toEqual(first.body);
  });

  it('export their items with the payout methods for the bank', async () => {
    const world = await buildWorld('Anna, "the" Partner');
    await execute(db, 'UPDATE partner_accounts SET payout_method_encrypted = $2 WHERE id = $1', [
      world.partner.id,
      app.deps.vault.encrypt('{"iban":"DE02"}', [
        'partner_accounts.payout_method',
        world.partner.id,
      ]),
    ]);
    await approved(world);
    const { body } = await api.post('/api/v1/payouts', { programId: world.programId });
    const csv = await api.get(`/api/v1/payouts/${String(body['id'])}/export`);
    expect(csv.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(csv.text).toBe(
      'partnerName,partnerEmail,currency,amountCents,payoutMethod\r\n' +
        `"Anna, ""the"" Partner",${world.partner.email},usd,2000,"{""iban"":""DE02""}"\r\n`,
    );

    const sure = { confirmExported: true };
    await api.post(`/api/v1/payouts/${String(body['id'])}/cancel`, sure);
    const cancelled = await api.get(`/api/v1/payouts/${String(body['id'])}/export`);
    expect(cancelled.status).toBe(409);
  });
});

describe('balances (payouts.md, Balances)', () => {
  it('tell what is pending, approved, in a payout, paid and owed back', async () => {
    const world = await buildWorld();
    await buildCommission(db, { participant: world.participant, conversionAmountCents: 500 });
    await approved(world, { conversionAmountCents: 1_000 });
    await approved(world, { reviewReasons: ['DISPUTED'] });
    expect(await balanceOf(world)).toEqual({
      balances: [
        {
          currency: 'usd',
          pendingCents: 100,
          approvedCents: 200,
          inPayoutCents: 0,
          paidCents: 0,
          importedCents: 0,
          paidElsewhereCents: 0,
          debtCents: 0,
        },
      ],
    });
    const { body } = await api.post('/api/v1/payouts', { programId: world.programId });
    const inPayout = { approvedCents: 0, inPayoutCents: 200, paidCents: 0 };
    expect(await balanceOf(world)).toMatchObject({ balances: [inPayout] });
    await api.post(`/api/v1/payouts/${String(body['id'])}/complete`);
    const paid = { inPayoutCents: 0, paidCents: 200, debtCents: 0 };
    expect(await balanceOf(world)).toMatchObject({ balances: [paid] });
  });

  it('are empty for a partner without commissions', async () => {
    expect(await balanceOf(await buildWorld())).toEqual({ balances: [] });
  });
});

describe('the portal of a partner', () => {
  it('shows commissions without what is the merchant’s own', async () => {
    const world = await buildWorld();
    const rejected = await buildCommission(db, {
      participant: world.participant,
      status: 'rejected',
    });
    const stranger = await buildCommission(db);
    const page = await world.portal.get<{ data: Record<string, unknown>[]; total: number }>(
      '/api/v1/partner/commissions',
    );
    expect(page.body.total).toBe(1);
    const [row] = page.body.data;
    expect(row).toMatchObject({ id: rejected.id, status: 'rejected', rejectionReason: null });
    for (const hidden of [
      'externalTransactionId',
      'decidedBy',
      'overrideReason',
      'reviewReasons',
    ]) {
      expect(row).not.toHaveProperty(hidden);
    }
    expect(page.text).not.toContain(stranger.id);

    const found = async (search: string) => {
      const query = `?search=${encodeURIComponent(search)}`;
      const { body } = await world.portal.get(`/api/v1/partner/commissions${query}`);
      const counted = await world.portal.get(`/api/v1/partner/commissions/stats${query}`);
      expect(counted.body).toMatchObject({ count: body['total'] });
      return body['total'];
    };
    expect(await found(rejected.externalTransactionId ?? '')).toBe(0);
    expect(await found('anna PART')).toBe(1);
    expect(await found('%')).toBe(0);
    const stats = await world.portal.get('/api/v1/partner/commissions/stats');
    expect(stats.body).toMatchObject({ count: 1, byStatus: { rejected: { count: 1 } } });
  });

  it('shows balances and payouts over all programmes', async () => {
    const world = await buildWorld();
    await approved(world);
    const { body } = await api.post('/api/v1/payouts', { programId: world.programId });
    const balances = await world.portal.get('/api/v1/partner/balances');
    expect(balances.body).toMatchObject({ balances: [{ currency: 'usd', inPayoutCents: 2_000 }] });
    const payouts = await world.portal.get<{ data: unknown[] }>('/api/v1/partner/payouts');
    expect(payouts.body.data).toEqual([
      {
        id: body['id'],
        programId: world.programId,
        amountCents: 2_000,
        currency: 'usd',
        status: 'processing',
        createdAt: body['createdAt'],
        completedAt: null,
        itemStatus: 'ready',
        reason: null,
        claimUntil: null,
      },
    ]);
  });

  it('narrows to a programme that the partner is in', async () => {
    const world = await buildWorld();
    await approved(world);
    const path = '/api/v1/partner/commissions?programId=';
    expect((await world.portal.get(path + world.programId)).body).toMatchObject({ total: 1 });
    expect((await world.portal.get(path + newId())).status).toBe(404);
    const elsewhere = await world.portal.get('/api/v1/partner/commissions', { mode: 'test' });
    expect(elsewhere.body).toMatchObject({ total: 0 });
  });

  it('is closed to merchants, and theirs to partners', async () => {
    const world = await buildWorld();
    expect((await api.get('/api/v1/partner/balances')).status).toBe(403);
    expect((await world.portal.get('/api/v1/commissions')).status).toBe(403);
  });
});

describe('payouts (payouts.md, After a restore of the database)', () => {
  it('are refused until an operator releases them, and reports of what was paid are not', async () => {
    const world = await buildWorld();
    await approved(world);
    const { programId } = world;
    const made = await api.post('/api/v1/payouts', { programId });
    const path = `/api/v1/payouts/${String(made.body['id'])}`;
    const [item] = made.body['items'] as { id: string }[];
    await approved(world);

    const cause = { actor: operatorActor, now: new Date() };
    await beginRestore(db, cause, new Date('2026-01-31T09:30:00Z'));
    const refused = [
      await api.post('/api/v1/payouts', { programId }),
      await api.post(`${path}/complete`),
      await api.get(`${path}/files/generic`),
      await api.get(`${path}/export`),
    ];
    for (const { status, body, headers } of refused) {
      expect([status, body['code'], headers.get('retry-after')]).toEqual([
        ...[503, 'SERVICE_UNAVAILABLE', '600'],
      ]);
    }
    expect((await api.get(path)).body['status']).toBe('processing');
    const marked = await api.post(`${path}/items/${item?.id}/mark`, { status: 'paid' });
    expect(marked.status).toBe(200);

    expect(await releasePayouts(db, cause)).toBe(1);
    expect((await api.post('/api/v1/payouts', { programId })).status).toBe(201);
    await beginRestore(db, cause, new Date('2026-01-31T09:30:00Z'));
    expect(await releasePayouts(db, cause)).toBe(0);
  });
});
