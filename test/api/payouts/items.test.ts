import { newId } from '../../../entities/ids';
import type { Db } from '../../../entities/database/sql';
import { codeOf, type Caller } from '../../support/api-client';
import { useApp } from '../../support/app';
import { buildMember, buildPartner } from '../../support/build/accounts';
import { buildCommission } from '../../support/build/commissions';
import { buildParticipant, buildProgram } from '../../support/build/programs';
import { callerOf } from '../../support/callers';

interface Item {
  id: string;
  status: string;
}
interface Payout {
  id: string;
  status: string;
  items: Item[];
}

const app = useApp();
let db: Db;
beforeAll(async () => {
  db = app.deps.db.manager;
});

/** Two partners of whom each is owed something, and a payout that has it. */
async function buildPayout() {
  const owner = await buildMember(db);
  const api = await callerOf(app, owner);
  const { workspaceId } = owner;
  const member = await callerOf(app, await buildMember(db, { workspaceId, role: 'member' }));
  const program = await buildProgram(db, { workspaceId });
  const commissions = [];
  const portals: Caller[] = [];
  for (const partnerName of ['Anna', 'Bob']) {
    const partner = await buildPartner(db, { name: partnerName });
    const of = { partnerId: partner.id, partnerName, partnerEmail: partner.email };
    const participant = await buildParticipant(db, { program, ...of });
    commissions.push(await buildCommission(db, { program, participant, status: 'approved' }));
    portals.push(await callerOf(app, partner));
  }
  const { body } = await api.post<Payout>('/api/v1/payouts', { programId: program.id });
  const path = `/api/v1/payouts/${body.id}`;
  const mark = (n: number, report: object, by = api) =>
    by.post(`${path}/items/${body.items[n]?.id}/mark`, report);
  return { api, member, path, mark, payout: body, portals, commissions, programId: program.id };
}

describe('POST /api/v1/payouts/{id}/items/{itemId}/mark', () => {
  it('moves one item, and the payout follows', async () => {
    const { api, path, mark, portals, commissions, programId } = await buildPayout();
    expect((await mark(0, { status: 'paid' })).status).toBe(200);
    // The first transaction id is added to what is paid.
    const paid = await mark(0, { status: 'paid', transactionId: 'T1' });
    expect([paid.status, paid.body]).toMatchObject([
      200,
      {
        status: 'processing',
        items: [{ status: 'paid', transactionId: 'T1' }, { status: 'ready' }],
      },
    ]);
    expect((await api.get(path)).body).toMatchObject({ progress: { done: 1, total: 2 } });
    // The same again changes nothing; another transaction would be another payment.
    expect((await mark(0, { status: 'paid', transactionId: 'T1' })).body).toEqual(paid.body);
    const other = await mark(0, { status: 'paid', transactionId: 'T2' });
    expect(codeOf(other)).toEqual([409, 'PAYOUT_ITEM_INVALID_TRANSITION']);

    const failed = await mark(1, { status: 'failed', reason: 'No such account' });
    expect(failed.body).toMatchObject({
      status: 'completed',
      items: [{ paidAt: expect.any(String) as string }, { reason: 'No such account' }],
    });
    await mark(0, { status: 'returned' });
    const [own] = portals;
    expect((await own?.get('/api/v1/partner/payouts'))?.body).toMatchObject({
      data: [{ status: 'cancelled', completedAt: null }],
    });
    const one = await api.get(`/api/v1/programs/${programId}/commissions/${commissions[0]?.id}`);
    expect(one.body).toMatchObject({ status: 'approved', paidAt: null, payoutId: null });
    const { history, ledger } = one.body as Record<string, { trigger: string; type: string }[]>;
    expect(history?.at(-1)?.trigger).toBe('payout_returned');
    expect(ledger?.map(({ type }) => type)).toEqual(['accrual', 'payout', 'payout_reversal']);
  });

  it('refuses what cannot be, and who may not', async () => {
    const { api, member, path, mark } = await buildPayout();
    for (const status of ['cancelled', 'ready', 'sent', undefined]) {
      const answer = await mark(0, { status });
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('"status"')]);
    }
    expect(codeOf(await mark(0, { status: 'returned' }))).toEqual([
      409,
      'PAYOUT_ITEM_INVALID_TRANSITION',
    ]);
    const nothing = await api.post(`${path}/items/${newId()}/mark`, { status: 'paid' });
    expect(codeOf(nothing)).toEqual([404, 'PAYOUT_ITEM_NOT_FOUND']);
    const nowhere = await api.post(`/api/v1/payouts/${newId()}/items/${newId()}/mark`, {
      status: 'paid',
    });
    expect(codeOf(nowhere)).toEqual([404, 'PAYOUT_NOT_FOUND']);
    expect((await mark(0, { status: 'paid' }, member)).status).toBe(403);
    expect((await member.get(`${path}/files/generic`)).status).toBe(403);
    expect((await member.post(`${path}/results`, 'a,b')).status).toBe(403);
  });
});

it('a payout of which a file was taken is cancelled by who has looked', async () => {
  const { api, path, mark } = await buildPayout();
  await mark(1, { status: 'paid' });
  expect((await api.get(`${path}/files/generic`)).status).toBe(200);
  const refused = await api.post(`${path}/cancel`);
  expect(codeOf(refused)).toEqual([409, 'PAYOUT_ITEMS_EXPORTED']);
  const cancelled = await api.post(`${path}/cancel`, { confirmExported: true });
  expect(cancelled.body).toMatchObject({
    status: 'completed',
    items: [{ status: 'cancelled' }, { status: 'paid' }],
  });
});
