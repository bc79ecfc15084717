import type { Program } from '../../../entities/tables/programs/program.entity';
import { newId } from '../../../entities/ids';
import type { Db } from '../../../entities/database/sql';
import { codeOf, type ApiResponse, type Caller } from '../../support/api-client';
import { useApp } from '../../support/app';
import {
  buildApiKey,
  buildMember,
  buildPartner,
  type BuiltMember,
} from '../../support/build/accounts';
import { buildCommission } from '../../support/build/commissions';
import {
  buildParticipant,
  buildProgram,
  type BuiltParticipant,
} from '../../support/build/programs';
import { carryEvents } from '../../support/build/notifications';
import { callerOf } from '../../support/callers';
import { foldAll } from '../../support/stored/fold-all';

const app = useApp();
let db: Db;
let owner: BuiltMember;
let api: Caller;
let portal: Caller;
let program: Program;
let participant: BuiltParticipant;

beforeAll(async () => {
  db = app.deps.db.manager;
});
beforeEach(async () => {
  owner = await buildMember(db);
  const partner = await buildPartner(db);
  [api, portal] = [await callerOf(app, owner), await callerOf(app, partner)];
  program = await buildProgram(db, { workspaceId: owner.workspaceId });
  participant = await buildParticipant(db, {
    program,
    partnerId: partner.id,
    partnerEmail: partner.email,
  });
});

const programPath = () => `/api/v1/programs/${participant.programId}`;
const partnerPath = () => `${programPath()}/partners/${participant.id}`;
interface Adjusted {
  id: string;
  code: string;
  ledger: { type: string; amountCents: number }[];
}
const adjust = (fields: object, by = api) =>
  by.post<Adjusted>(`${partnerPath()}/adjustments`, { reason: 'a bonus', ...fields });
const detail = async (id: string) =>
  (await api.get<Adjusted>(`${programPath()}/commissions/${id}`)).body;
const balance = async () => (await api.get(`${partnerPath()}/balance`)).body['balances'];
const pay = async () => {
  const made = await api.post('/api/v1/payouts', { programId: participant.programId });
  if (made.status === 201) await api.post(`/api/v1/payouts/${String(made.body['id'])}/complete`);
  return made;
};

it('an adjustment is a commission without a sale, approved at once, with its reason for the partner (payouts.md, Adjustments)', async () => {
  const { status, body, headers } = await adjust({ amountCents: 2_500, externalId: 'b-1' });
  expect(status).toBe(201);
  expect(headers.get('location')).toBe(`${programPath()}/commissions/${body.id}`);
  expect(body).toMatchObject({
    commissionType: 'adjustment',
    conversionId: null,
    conversionAmountCents: 0,
    externalTransactionId: 'b-1',
    adjustmentReason: 'a bonus',
    status: 'approved',
    amountCents: 2_500,
    currency: 'usd',
    decidedBy: { type: 'member', id: owner.id },
  });
  expect((await detail(body.id)).ledger).toMatchObject([
    { type: 'adjustment', amountCents: 2_500 },
  ]);
  expect(await balance()).toMatchObject([{ currency: 'usd', approvedCents: 2_500 }]);
  const seen = await portal.get<{ data: object[] }>('/api/v1/partner/commissions');
  expect(seen.body.data).toMatchObject([
    { commissionType: 'adjustment', amountCents: 2_500, adjustmentReason: 'a bonus' },
  ]);
  const stats = await api.get(`${programPath()}/commissions/stats`);
  expect(stats.body).toMatchObject({ totals: [{ currency: 'usd', amountCents: 2_500 }] });
  const audit = await api.get<{ data: object[] }>('/api/v1/workspace/audit-log');
  expect(audit.body.data[0]).toMatchObject({ action: 'commission.adjusted' });
});

it('an adjustment is made once for an external id, of many at once and whatever is sent again', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => adjust({ amountCents: 100, externalId: 'once' })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  const again = await adjust({ amountCents: 100, externalId: 'once', reason: 'another' });
  expect([again.status, again.body.id]).toEqual([200, answers[0]?.body.id]);
  const other = await buildParticipant(db, { program });
  const ofOther = `${programPath()}/partners/${other.id}/adjustments`;
  for (const answer of [
    await adjust({ amountCents: 999, externalId: 'once' }),
    await adjust({ amountCents: 100, currency: 'eur', externalId: 'once' }),
    await api.post(ofOther, { amountCents: 100, reason: 'a bonus', externalId: 'once' }),
  ]) {
    expect(codeOf(answer as ApiResponse)).toEqual([409, 'ADJUSTMENT_EXTERNAL_ID_TAKEN']);
  }
  expect(await balance()).toMatchObject([{ approvedCents: 100 }]);
});

it('an adjustment below nothing is netted like a debt, and never paid alone', async () => {
  const { body } = await adjust({ amountCents: -500 });
  expect(codeOf((await pay()) as ApiResponse)).toEqual([422, 'PAYOUT_EMPTY']);
  const named = { programId: participant.programId, commissionIds: [body.id] };
  const alone = await api.post('/api/v1/payouts', named);
  expect(codeOf(alone)).toEqual([422, 'COMMISSION_NOT_PAYABLE']);
  const inDebt = { approvedCents: 0, debtCents: 500, inPayoutCents: 0, paidCents: 0 };
  expect(await balance()).toMatchObject([inDebt]);
  const inbox = await api.get('/api/v1/workspace/inbox');
  expect(inbox.body).toMatchObject({ debts: 1 });
  const partners = `/api/v1/programs/${participant.programId}/partners`;
  const owing = await api.get(`${partners}?owes=true`);
  expect(owing.body['data']).toMatchObject([{ id: participant.id }]);
  const others = await api.get(`${partners}?owes=false`);
  expect(others.body['total']).toBe(0);

  await buildCommission(db, { participant, status: 'approved' });
  expect(await balance()).toMatchObject([{ ...inDebt, approvedCents: 2_000 }]);
  const own = await portal.get('/api/v1/partner/balances');
  expect(own.body['balances']).toEqual(await balance());
  const ofOne = await portal.get(`/api/v1/partner/balances?programId=${participant.programId}`);
  expect(ofOne.body).toEqual(own.body);
  const ofNone = await portal.get(`/api/v1/partner/balances?programId=${participant.id}`);
  expect(codeOf(ofNone)).toEqual([404, 'PROGRAM_NOT_FOUND']);
  const made = await pay();
  expect(made.body).toMatchObject({ items: [{ amountCents: 1_500 }] });
  expect(await detail(body.id)).toMatchObject({ status: 'paid' });
  expect(await balance()).toMatchObject([{ paidCents: 1_500, debtCents: 0, approvedCents: 0 }]);
  const ledger = (await detail(body.id)).ledger.map(({ type, amountCents }) => [type, amountCents]);
  expect(ledger).toEqual([
    ['adjustment', -500],
    ['payout', 500],
  ]);
});

it('an adjustment is undone by a rejection while no payout has it', async () => {
  const { body } = await adjust({ amountCents: -500 });
  const reject = ({ id }: { id: string }) =>
    api.patch(`${programPath()}/commissions/${id}/reject`, { reason: 'no' });
  expect((await reject(body)).status).toBe(200);
  expect(await balance()).toMatchObject([{ debtCents: 0, approvedCents: 0 }]);

  const bonus = (await adjust({ amountCents: 700 })).body;
  const debit = (await adjust({ amountCents: -100 })).body;
  const made = await api.post('/api/v1/payouts', { programId: participant.programId });
  expect(await balance()).toMatchObject([{ debtCents: 0, approvedCents: 0, inPayoutCents: 600 }]);
  for (const one of [bonus, debit]) {
    expect(codeOf((await reject(one)) as ApiResponse)).toEqual([409, 'COMMISSION_IN_PAYOUT']);
  }
  await api.post(`/api/v1/payouts/${String(made.body['id'])}/complete`);
  expect(codeOf((await reject(bonus)) as ApiResponse)).toEqual([409, 'COMMISSION_TERMINAL']);
});

it('an adjustment is refused when it is nothing, too much, or of nobody', async () => {
  for (const amountCents of [0, 1_000_000_001, -1_000_000_001, 1.5]) {
    const answer = await adjust({ amountCents });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('amountCents')]);
  }
  expect((await adjust({ amountCents: 1, reason: '' })).status).toBe(400);
  const nobody = `${programPath()}/partners/${newId()}/adjustments`;
  const answer = await api.post(nobody, { amountCents: 1, reason: 'a' });
  expect(codeOf(answer)).toEqual([404, 'PARTICIPANT_NOT_FOUND']);
  const { workspaceId } = owner;
  const member = await callerOf(app, await buildMember(db, { workspaceId, role: 'member' }));
  expect((await adjust({ amountCents: 1 }, member)).status).toBe(403);
});

it('an adjustment is told by webhooks and to the partner once, and is no sale', async () => {
  const { body } = await adjust({ amountCents: 2_500, externalId: 'b-1' });
  await carryEvents(app.deps);
  const key = await buildApiKey(db, { workspaceId: owner.workspaceId, mode: 'live' });
  const server = app.client.as(key.key);
  const events = await server.get<{ data: { type: string; data: { object: object } }[] }>(
    '/api/v1/events',
  );
  expect(events.body.data.map(({ type, data: { object } }) => [type, object])).toMatchObject(
    ['commission.approved', 'commission.created'].map((type) => [
      type,
      {
        id: body.id,
        commission_type: 'adjustment',
        conversion_id: null,
        amount_cents: 2_500,
        participant_id: participant.id,
      },
    ]),
  );

  const feed = await portal.get<{ data: object[] }>('/api/v1/partner/notifications');
  expect(feed.body.data).toMatchObject([
    {
      type: 'commission.approved',
      title: 'Your balance was adjusted by USD 25.00',
      data: { commissionId: body.id, participantId: participant.id },
    },
  ]);
  const own = await api.get<{ data: object[] }>('/api/v1/notifications');
  expect(own.body.data).toEqual([]);

  await api.patch(`${programPath()}/commissions/${body.id}/reject`, { reason: 'a mistake' });
  await carryEvents(app.deps);
  const later = await portal.get<{ data: object[] }>('/api/v1/partner/notifications');
  expect(later.body.data).toMatchObject([
    { title: 'An adjustment of your balance by USD 25.00 was taken back' },
    { type: 'commission.approved' },
  ]);
});

it('an adjustment is in the export, and no sale for analytics', async () => {
  const { body } = await adjust({ amountCents: 2_500, externalId: 'b-1' });
  const file = await api.get(`${programPath()}/commissions/export`);
  const row = file.text.split('\r\n').find((line) => line.startsWith(body.id));
  expect(row).toMatch(/,approved,.*,adjustment,2500,usd,0,b-1,false,/);

  await foldAll(db);
  const today = new Date().toISOString().slice(0, 10);
  const period = `programId=all&from=${today}&to=${today}&tz=UTC`;
  const { body: metrics } = await api.get(`/api/v1/analytics/metrics?${period}`);
  expect(metrics).toMatchObject({ current: { conversions: 0, revenue: [] } });
});

describe('a debt that is written off', () => {
  const writeOff = (amountCents: number, fields: object = {}) =>
    adjust({ kind: 'write_off', amountCents, ...fields });
  const indebted = () => adjust({ amountCents: -2_000 });
  const erase = () =>
    db.query('UPDATE participants SET erased_at = now() WHERE id = $1', [participant.id]);

  it('is gone, also of a partner who was erased, and nothing is paid for it', async () => {
    await indebted();
    await erase();
    expect((await adjust({ amountCents: 2_000 })).body.code).toBe('PARTICIPANT_ERASED');
    const made = await writeOff(2_000);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ commissionType: 'adjustment', status: 'approved' });
    const settled = { approvedCents: 0, debtCents: 0, paidCents: 0, inPayoutCents: 0 };
    expect(await balance()).toMatchObject([settled]);
    const inbox = await api.get('/api/v1/workspace/inbox');
    expect(inbox.body).toMatchObject({ debts: 0 });
    expect(codeOf((await pay()) as ApiResponse)).toEqual([422, 'PAYOUT_EMPTY']);
    const named = { programId: participant.programId, commissionIds: [made.body.id] };
    const alone = await api.post('/api/v1/payouts', named);
    expect(codeOf(alone)).toEqual([422, 'COMMISSION_NOT_PAYABLE']);
  });

  it('is no more than is owed in that currency, and positive', async () => {
    await indebted();
    for (const answer of [
      await writeOff(2_001),
      await writeOff(-2_000),
      await writeOff(100, { currency: 'eur' }),
    ]) {
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('amountCents')]);
    }
    const both = await Promise.all([writeOff(1_500), writeOff(1_500)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 400]);
    expect(await balance()).toMatchObject([{ debtCents: 500, approvedCents: 0 }]);
  });

  it('is owed again once that is undone, and settled with the debt by the next payout', async () => {
    const debt = (await indebted()).body;
    const first = (await writeOff(2_000)).body;
    const path = `${programPath()}/commissions/${first.id}/reject`;
    expect((await api.patch(path, { reason: 'they pay after all' })).status).toBe(200);
    expect(await balance()).toMatchObject([{ debtCents: 2_000 }]);
    const second = (await writeOff(2_000)).body;
    await buildCommission(db, { participant, status: 'approved' });
    const made = await pay();
    expect(made.body).toMatchObject({ items: [{ amountCents: 2_000, commissionCount: 3 }] });
    for (const { id } of [debt, second]) expect(await detail(id)).toMatchObject({ status: 'paid' });
    expect(await balance()).toMatchObject([{ debtCents: 0, approvedCents: 0, paidCents: 2_000 }]);
  });
});
