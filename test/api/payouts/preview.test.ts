import { newId } from '../../../entities/ids';
import { execute, type Db } from '../../../entities/database/sql';
import { codeOf, type Caller } from '../../support/api-client';
import { useApp } from '../../support/app';
import { buildMember, buildPartner, testPassword } from '../../support/build/accounts';
import { buildCommission } from '../../support/build/commissions';
import { buildParticipant, buildProgram } from '../../support/build/programs';
import { callerOf } from '../../support/callers';
import type { Program } from '../../../entities/tables/programs/program.entity';

const app = useApp();
let db: Db;
let api: Caller;
let program: Program;

beforeAll(async () => {
  db = app.deps.db.manager;
});
beforeEach(async () => {
  const owner = await buildMember(db);
  api = await callerOf(app, owner);
  program = await buildProgram(db, { workspaceId: owner.workspaceId, minPayoutCents: 500 });
});

const path = '/api/v1/payouts';

interface Preview {
  items: {
    partnerName: string;
    amountCents: number;
    commissionCount: number;
    method: { type: string; label: string } | null;
  }[];
  totals: { currency: string; amountCents: number }[];
  leftOut: { partnerName: string; amountCents: number; why: string }[];
  remaining: number;
  until: string;
}

/** A partner of the programme with one approved commission. */
async function owed(partnerName: string, amountCents: number, more: object = {}) {
  const partner = await buildPartner(db, { name: partnerName });
  const participant = await buildParticipant(db, {
    program,
    partnerId: partner.id,
    partnerName,
    partnerEmail: partner.email,
  });
  const commission = await buildCommission(db, {
    program,
    participant,
    status: 'approved',
    conversionAmountCents: amountCents * 5,
    ...more,
  });
  return { partner, participant, commission };
}

const preview = async (more: object = {}) =>
  (await api.post<Preview>(`${path}/preview`, { programId: program.id, ...more })).body;
const create = (more: object = {}) => api.post(path, { programId: program.id, ...more });
const saysHowToPay = async ({ partner }: Awaited<ReturnType<typeof owed>>) => {
  const method = { type: 'paypal', email: partner.email };
  const portal = await callerOf(app, partner);
  await portal.put('/api/v1/partner/payout-method', { method, password: testPassword });
};

it('shows what a payout takes and who is left out, and changes nothing (payouts.md, Seeing it first)', async () => {
  await owed('Anna', 2_000);
  await owed('Bob', 100);
  const suspended = await owed('Cleo', 3_000);
  await execute(db, `UPDATE participants SET status = 'suspended' WHERE id = $1`, [
    suspended.participant.id,
  ]);
  await owed('Dora', 4_000, { reviewReasons: ['DISPUTED'] });

  const first = await preview();
  expect(first).toMatchObject({
    items: [{ partnerName: 'Anna', amountCents: 2_000, commissionCount: 1 }],
    totals: [{ currency: 'usd', amountCents: 2_000 }],
    remaining: 0,
  });
  expect(first.leftOut.map(({ partnerName, why }) => [partnerName, why])).toEqual([
    ['Bob', 'below_minimum'],
    ['Cleo', 'suspended'],
    ['Dora', 'disputed'],
  ]);
  expect((await api.get(`${path}?programId=${program.id}`)).body['total']).toBe(0);
  expect({ ...(await preview()), until: null }).toEqual({ ...first, until: null });
});

it('a preview is kept to: a payout takes what was seen, or nothing', async () => {
  await owed('Anna', 2_000);
  const seen = await preview();
  await owed('Bob', 700);

  const changed = await create({ expected: seen.totals });
  expect(codeOf(changed)).toEqual([409, 'PAYOUT_CHANGED']);
  const made = await create({ expected: seen.totals, until: seen.until });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({ items: [{ partnerName: 'Anna', amountCents: 2_000 }] });
});

it('leaves out who has not said how to be paid, when asked to', async () => {
  const anna = await owed('Anna', 2_000);
  const bob = await owed('Bob', 1_000);
  await saysHowToPay(anna);

  const both = await preview();
  const methods = both.items.map(({ partnerName, method }) => [partnerName, method?.type ?? null]);
  expect(methods.sort()).toEqual([
    ['Anna', 'paypal'],
    ['Bob', null],
  ]);
  expect(JSON.stringify(both)).not.toContain(anna.partner.email);
  const wanted = await preview({ requireMethod: true });
  expect(wanted.items.map(({ partnerName }) => partnerName)).toEqual(['Anna']);
  expect(wanted.leftOut).toMatchObject([{ partnerName: 'Bob', why: 'no_method' }]);
  const named = { commissionIds: [anna.commission.id, bob.commission.id], requireMethod: true };
  expect(await preview(named)).toMatchObject({ totals: [{ currency: 'usd', amountCents: 2_000 }] });

  const made = await create({ requireMethod: true });
  expect(made.body).toMatchObject({
    items: [
      {
        partnerName: 'Anna',
        method: { type: 'paypal', label: expect.stringContaining('PayPal') as string },
      },
    ],
  });
});

it('refuses what a payout would', async () => {
  const { commission } = await owed('Anna', 2_000, { status: 'pending' });
  const named = { programId: program.id, commissionIds: [commission.id] };
  expect(codeOf(await api.post(`${path}/preview`, named))).toEqual([422, 'COMMISSION_NOT_PAYABLE']);
  const unknown = { programId: newId() };
  expect(codeOf(await api.post(`${path}/preview`, unknown))).toEqual([404, 'PROGRAM_NOT_FOUND']);
  const odd = await api.post(`${path}/preview`, { programId: program.id, until: 'soon' });
  expect([odd.status, odd.text]).toEqual([400, expect.stringContaining('until')]);
});
