import { query } from '../../../entities/database/sql';
import { useApp } from '../../support/app';
import {
  accountRow,
  buildMember,
  buildPartner,
  signIn,
  testPassword,
} from '../../support/build/accounts';
import { codeOf } from '../../support/api-client';
import { buildTwoFactor, codeAt } from '../../support/build/two-factor';
import { buildParticipant } from '../../support/build/programs';
import { deliverQueued, mailTo } from '../../support/stored/mails';

const app = useApp();

const path = '/api/v1/partner/payout-method';
const iban = 'DE02120300000000202051';
const american = { accountNumber: '000123456789', routingNumber: '021000021' };
const bank = { type: 'bank', holder: 'Pat Partner', country: 'de', iban };

async function buildSelf() {
  const partner = await buildPartner(app.deps.db.manager);
  const self = app.client.as((await signIn(app.deps, partner)).accessToken);
  return { partner, self };
}

it('a payout method is kept encrypted, shown masked, mailed and audited (payouts.md, How a partner is paid)', async () => {
  const { partner, self } = await buildSelf();
  expect((await self.get(path)).body).toEqual({ method: null });
  const spaced = { ...bank, iban: 'de02 1203 0000 0000 2020 51' };
  const put = await self.put(path, { method: spaced, password: testPassword });
  const shown = { method: { ...bank, country: 'DE', iban: '...2051' } };
  expect([put.status, put.body]).toEqual([200, shown]);
  expect((await self.get(path)).body).toEqual(shown);
  const row = await accountRow(app.deps.db.manager, partner);
  expect(JSON.stringify(row)).not.toContain(iban);
  expect(row).toMatchObject({ payout_method_label: 'Bank, DE ...2051' });

  await deliverQueued(app.deps);
  expect((await mailTo(partner.email, 'payout method was set')).text).not.toContain('2051');
  const audit = await query<{ action: string }>(
    app.deps.db.manager,
    'SELECT action FROM audit_log WHERE target_id = $1',
    [partner.id],
  );
  expect(audit.map(({ action }) => action)).toContain('account.payout_method_changed');
});

it('a payout method is shown masked to those who pay, and to nobody else', async () => {
  const { partner, self } = await buildSelf();
  const { id, programId, workspaceId } = await buildParticipant(app.deps.db.manager, {
    partnerId: partner.id,
  });
  const viewer = await buildMember(app.deps.db.manager, { workspaceId, role: 'viewer' });
  const merchant = app.client.as((await signIn(app.deps, viewer)).accessToken);
  const participant = `/api/v1/programs/${programId}/partners/${id}`;
  expect((await merchant.get(participant)).body['paidBy']).toBeNull();
  await self.put(path, { method: bank, password: testPassword });
  const shown = await merchant.get(participant);
  expect(shown.body['paidBy']).toEqual({
    ...{ type: 'bank', label: 'Bank, DE ...2051', confirmed: true },
  });
  expect(shown.text).not.toContain(iban);
  await self.delete(path, { body: { password: testPassword } });
  // What an import told of this programme pays then.
  await query(
    app.deps.db.manager,
    `UPDATE participants SET payout_method_type = 'paypal', payout_method_label = 'PayPal',
            payout_method_encrypted = 'none', payout_method_account_id = partner_id WHERE id = $1`,
    [id],
  );
  expect((await merchant.get(participant)).body['paidBy']).toEqual({
    ...{ type: 'paypal', label: 'PayPal', confirmed: false },
  });
});

it('shows in the audit log of those who pay this partner, without saying what it is', async () => {
  const { partner, self } = await buildSelf();
  const { id, workspaceId } = await buildParticipant(app.deps.db.manager, {
    partnerId: partner.id,
  });
  const admin = await buildMember(app.deps.db.manager, { workspaceId, role: 'admin' });
  const merchant = app.client.as((await signIn(app.deps, admin)).accessToken);
  await self.put(path, { method: bank, password: testPassword });
  await self.delete(path, { body: { password: testPassword } });

  const log = await merchant.get('/api/v1/workspace/audit-log');
  const of = { actor: { type: 'partner', id: partner.id }, target: { type: 'participant', id } };
  expect(log.body['data']).toMatchObject([
    { action: 'participant.payout_method_deleted', ...of },
    { action: 'participant.payout_method_changed', ...of },
  ]);
  expect(log.text).not.toContain('2051');
});

it.each([
  ['that only named the address', { claimedAt: null }],
  ['that has not taken them', { status: 'pending', approvedAt: null }],
] as const)('shows in no audit log of a programme %s', async (_, participation) => {
  const { partner, self } = await buildSelf();
  const { db } = app.deps;
  const of = { partnerId: partner.id, ...participation };
  const { id } = await buildParticipant(db.manager, of);
  expect((await self.put(path, { method: bank, password: testPassword })).status).toBe(200);

  const audit = 'SELECT action FROM audit_log WHERE target_id = $1';
  expect(await query(db.manager, audit, [id])).toEqual([]);
});

it('wants the password for a change', async () => {
  const { self } = await buildSelf();
  const wrong = await self.put(path, { method: bank, password: 'not it at all' });
  expect([wrong.status, wrong.body['code']]).toEqual([400, 'PASSWORD_INVALID']);
  expect((await self.get(path)).body).toEqual({ method: null });
});

it.each([
  [{ type: 'paypal' }, 'method.email'],
  [{ type: 'paypal', email: 'pat@example.com', text: 'x' }, 'method.text'],
  [{ type: 'wise', email: 'pat@example.com' }, 'method.name'],
  [{ ...bank, iban: 'DE03120300000000202051' }, 'method.iban'],
  [{ ...bank, accountNumber: '1' }, 'method.accountNumber'],
  [{ ...bank, bic: 'NOTABICX1' }, 'method.bic'],
  [{ type: 'bank', holder: 'P', country: '12', ...american }, 'method.country'],
  [{ type: 'bank', holder: 'P', country: 'ZZ', ...american }, 'method.country'],
  [{ ...bank, country: 'FR' }, 'method.country'],
  [
    { type: 'bank', holder: 'P', country: 'US', ...american, routingNumber: '021000022' },
    'method.routingNumber',
  ],
  [
    { type: 'bank', holder: 'P', country: 'PR', ...american, routingNumber: '21000021' },
    'method.routingNumber',
  ],
  [
    { type: 'bank', holder: 'P', country: 'US', ...american, routingNumber: '000000000' },
    'method.routingNumber',
  ],
  [{ type: 'bank', holder: 'Pat', country: 'US', accountNumber: '1' }, 'method.routingNumber'],
  [{ type: 'other', text: 'x'.repeat(501) }, 'method.text'],
  [{ type: 'paypal', email: '+pat@example.com' }, 'method.email'],
  [{ type: 'wise', email: '=pat@example.com', name: 'Pat' }, 'method.email'],
  [{ type: 'wise', email: 'pat@example.com', name: '@Pat' }, 'method.name'],
  [{ ...bank, holder: '-Pat' }, 'method.holder'],
  [{ type: 'wise', email: 'pat@example.com', name: '\uff1dPat' }, 'method.name'],
  [{ type: 'wise', email: 'pat@example.com', name: 'Pat\u202e 00.1' }, 'method.name'],
  [{ type: 'wise', email: 'pat@example.com', name: '\u3164' }, 'method.name'],
  [{ ...bank, holder: 'Pat\nLee' }, 'method.holder'],
  [
    { type: 'bank', holder: 'P', country: 'US', ...american, accountNumber: '12\u202e34' },
    'method.accountNumber',
  ],
  [
    { type: 'bank', holder: 'P', country: 'CA', ...american, routingNumber: '12\u200b34' },
    'method.routingNumber',
  ],
])('%j is refused at %s', async (method, field) => {
  const { self } = await buildSelf();
  const { status, body } = await self.put(path, { method, password: testPassword });
  expect(status).toBe(400);
  expect(body).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field }] });
});

it('goes with the password only, and that is mailed and audited, too', async () => {
  const { partner, self } = await buildSelf();
  const method = { type: 'paypal', email: 'pays@example.com' };
  await self.put(path, { method, password: testPassword });
  await deliverQueued(app.deps);

  const wrong = await self.delete(path, { body: { password: 'not it at all' } });
  expect([wrong.status, wrong.body['code']]).toEqual([400, 'PASSWORD_INVALID']);
  expect((await self.get(path)).body).not.toEqual({ method: null });

  expect((await self.delete(path, { body: { password: testPassword } })).status).toBe(204);
  expect((await self.get(path)).body).toEqual({ method: null });
  await deliverQueued(app.deps);
  await mailTo(partner.email, 'payout method was changed');
  const row = await accountRow(app.deps.db.manager, partner);
  expect(row).toMatchObject({ payout_method_encrypted: null, payout_method_label: null });
  const told = await query<{ type: string; status: string }>(
    app.deps.db.manager,
    `SELECT type, status FROM mails WHERE account_id = $1 AND type = 'security.payout_method_changed'`,
    [partner.id],
  );
  expect(told).toHaveLength(2);
  const audit = await query<{ action: string }>(
    app.deps.db.manager,
    'SELECT action FROM audit_log WHERE target_id = $1',
    [partner.id],
  );
  expect(audit.map(({ action }) => action)).toContain('account.payout_method_deleted');
});

it.each([
  { country: 'us', ...american },
  { country: 'GB', accountNumber: '31926819', routingNumber: '601613' },
])('%j is an account', async (account) => {
  const { self } = await buildSelf();
  const method = { type: 'bank', holder: 'Pat', ...account };
  expect((await self.put(path, { method, password: testPassword })).status).toBe(200);
});

it('takes a code where the account has a second factor, and each code once', async () => {
  app.deps.clock.set(new Date(Math.floor(Date.now() / 30_000) * 30_000 + 15_000));
  const partner = await buildPartner(app.deps.db.manager);
  const { secret } = await buildTwoFactor(app.deps, partner);
  const self = app.client.as((await signIn(app.deps, partner)).accessToken);
  const put = (fields: object) =>
    self.put(path, { method: bank, password: testPassword, ...fields });
  expect(codeOf(await put({}))).toEqual([401, 'TWO_FACTOR_REQUIRED']);
  expect(codeOf(await put({ code: 'nonsense' }))).toEqual([401, 'TWO_FACTOR_INVALID']);
  const code = codeAt(secret, app.deps.clock.now());
  expect(codeOf(await put({ code, password: 'not it at all' }))).toEqual([400, 'PASSWORD_INVALID']);
  expect((await self.get(path)).body).toEqual({ method: null });
  expect((await put({ code })).status).toBe(200);
  expect(codeOf(await put({ code }))).toEqual([401, 'TWO_FACTOR_INVALID']);
  const gone = await self.delete(path, { body: { password: testPassword } });
  expect(codeOf(gone)).toEqual([401, 'TWO_FACTOR_REQUIRED']);
  const later = codeAt(secret, new Date(app.deps.clock.now().getTime() + 30_000));
  const body = { password: testPassword, code: later };
  expect((await self.delete(path, { body })).status).toBe(204);
});
