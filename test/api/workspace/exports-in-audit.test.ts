import { query } from '../../../entities/database/sql';
import { startTestApp, type TestApp } from '../../support/app';
import { buildMember, buildPartner, signIn } from '../../support/build/accounts';
import { buildCommission } from '../../support/build/commissions';
import { buildParticipant, buildProgram } from '../../support/build/programs';
import { callerOf } from '../../support/callers';

let app: TestApp;
beforeAll(async () => (app = await startTestApp()));
afterAll(() => app.close());

it('every export of personal data, and every file for the bank, is in the audit log', async () => {
  const db = app.deps.db.manager;
  const owner = await buildMember(db);
  const { workspaceId } = owner;
  const partner = await buildPartner(db);
  const program = await buildProgram(db, { workspaceId });
  const participant = await buildParticipant(db, {
    program,
    partnerId: partner.id,
    partnerEmail: partner.email,
  });
  await buildCommission(db, { program, participant, status: 'approved' });
  const merchant = await callerOf(app, owner);
  const self = app.client.as((await signIn(app.deps, partner)).accessToken, 'live');
  const payout = await merchant.post<{ id: string }>('/api/v1/payouts', { programId: program.id });

  const range = 'from=2026-01-01&to=2026-01-31&tz=UTC&programId=all';
  const answers = [
    await merchant.post(`/api/v1/programs/${program.id}/partners/${participant.id}/export`),
    await merchant.get(`/api/v1/payouts/${payout.body.id}/export`),
    await merchant.get('/api/v1/commissions/export'),
    await merchant.get(`/api/v1/analytics/partners/export?${range}`),
    await merchant.get('/api/v1/payouts/statement?year=2026&format=csv'),
    await self.post('/api/v1/partner/account/export'),
  ];
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));

  const log = await merchant.get<{ data: { action: string; target: object; actor: object }[] }>(
    '/api/v1/workspace/audit-log?limit=100',
  );
  const exports = log.body.data.filter(({ action }) => action.endsWith('.exported')).reverse();
  expect(exports.map(({ action, target }) => [action, target])).toEqual([
    ['participant.exported', { type: 'participant', id: participant.id }],
    ['payout.exported', { type: 'payout', id: payout.body.id }],
    ['commissions.exported', { type: 'workspace', id: workspaceId }],
    ['partners.exported', { type: 'workspace', id: workspaceId }],
    ['statement.exported', { type: 'workspace', id: workspaceId }],
  ]);
  const own = await query(
    db,
    `SELECT 1 FROM audit_log WHERE action = 'account.exported' AND target_id = $1`,
    [partner.id],
  );
  expect(own).toHaveLength(1);
});
