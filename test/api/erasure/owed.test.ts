import { query } from '../../../entities/database/sql';
import { openErasureStage, type ErasureStage } from '../../support/workers/erasure-stage';
import { buildMember, buildPartner, signIn, testPassword } from '../../support/build/accounts';
import { buildCommission } from '../../support/build/commissions';
import { buildParticipant, buildProgram } from '../../support/build/programs';
import { deliverQueued, mailTo } from '../../support/stored/mails';

let app: ErasureStage;
beforeAll(async () => {
  app = await openErasureStage();
}, 60_000);
afterAll(() => app.close());

const sure = { confirmation: 'DELETE' };

async function buildStory() {
  const { deps, client } = app;
  const db = deps.db.manager;
  const owner = await buildMember(db);
  const program = await buildProgram(db, { workspaceId: owner.workspaceId, name: 'Tea shop' });
  const partner = await buildPartner(db, { name: 'Pat Example' });
  const participant = await buildParticipant(db, {
    program,
    partnerId: partner.id,
    partnerName: partner.name,
    partnerEmail: partner.email,
  });
  await buildCommission(db, { participant, program });
  const approved = await buildCommission(db, { participant, program, status: 'approved' });
  const merchant = client.as((await signIn(deps, owner)).accessToken, 'live');
  const self = client.as((await signIn(deps, partner)).accessToken, 'live');
  const path = `/api/v1/programs/${program.id}/partners/${participant.id}`;
  return { program, partner, participant, approved, merchant, self, path };
}

const sums = { pendingCents: 2_000, approvedCents: 2_000 };

describe('what is owed for a participation that the merchant erases', () => {
  it('is named by mail, event and receipt', async () => {
    const { merchant, path, partner, participant } = await buildStory();
    expect((await merchant.post(`${path}/erase`, sure)).status).toBe(200);

    const { body } = await merchant.get('/api/v1/gdpr/receipts');
    expect(body).toMatchObject({ data: [{ openBalances: [{ currency: 'usd', ...sums }] }] });
    const [event] = await query<{ object: Record<string, unknown> }>(
      app.deps.db.manager,
      `SELECT object FROM events WHERE type = 'participant.erased' AND object_id = $1`,
      [participant.id],
    );
    const open = { currency: 'usd', pending_cents: 2_000, approved_cents: 2_000 };
    expect(event?.object['open_balances']).toEqual([open]);
    await deliverQueued(app.deps);
    const { text } = await mailTo(partner.email, 'being erased');
    expect(text).toContain('USD 20.00 approved, USD 20.00 pending');
  });

  it('stays readable to the partner and payable while the account lives', async () => {
    const { merchant, self, path, program, approved, participant } = await buildStory();
    const method = { type: 'bank', holder: 'Pat', country: 'DE', iban: 'DE89370400440532013000' };
    await self.put('/api/v1/partner/payout-method', { method, password: testPassword });
    expect((await merchant.post(`${path}/erase`, sure)).status).toBe(200);

    const balances = await self.get('/api/v1/partner/balances');
    expect(balances.body).toMatchObject({ balances: [{ currency: 'usd', ...sums }] });
    expect((await self.get('/api/v1/partner/commissions')).body).toMatchObject({ total: 2 });
    const payout = await merchant.post<{ id: string }>('/api/v1/payouts', {
      programId: program.id,
      commissionIds: [approved.id],
    });
    expect(payout.status).toBe(201);
    expect(payout.body).toMatchObject({
      items: [{ participantId: participant.id, partnerName: 'Erased partner', amountCents: 2_000 }],
    });
    const file = await merchant.get(`/api/v1/payouts/${payout.body.id}/export`);
    expect(file.text).toContain('DE89370400440532013000');
    const done = await merchant.post(`/api/v1/payouts/${payout.body.id}/complete`);
    expect(done.status).toBe(200);
    expect((await self.get('/api/v1/partner/payouts')).body).toMatchObject({ total: 1 });
  });

  it('is left out of payouts once the account is erased', async () => {
    const { merchant, self, path, program, approved } = await buildStory();
    expect((await merchant.post(`${path}/erase`, sure)).status).toBe(200);
    expect((await self.post('/api/v1/partner/account/erase', sure)).status).toBe(200);
    const refused = await merchant.post('/api/v1/payouts', {
      programId: program.id,
      commissionIds: [approved.id],
    });
    expect([refused.status, refused.body['code']]).toEqual([422, 'COMMISSION_NOT_PAYABLE']);
    const nothing = await merchant.post('/api/v1/payouts', { programId: program.id });
    expect([nothing.status, nothing.body['code']]).toEqual([422, 'PAYOUT_EMPTY']);
  });
});
