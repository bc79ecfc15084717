import { claimToken } from '../../../activities/accounts/claim';
import type { ParticipantDto } from '../../../api/participants/participants.dto';
import type { Mode } from '../../../entities/rules/values/mode';
import { execute, query } from '../../../entities/database/sql';
import { Participant } from '../../../entities/tables/partners/participant.entity';
import { codeOf } from '../../support/api-client';
import { useApp } from '../../support/app';
import {
  buildApiKey,
  buildMember,
  buildPartner,
  signIn,
  testPassword,
} from '../../support/build/accounts';
import { buildCommission } from '../../support/build/commissions';
import { buildProgram } from '../../support/build/programs';
import { callerOf } from '../../support/callers';
import { deliverQueued, mailTo, tokenIn } from '../../support/stored/mails';
import { oneRow } from '../../support/rows';

const app = useApp();
afterEach(() => app.deps.clock.set(undefined));

const claimPath = '/api/v1/auth/partner/claim';
const password = 'a long enough password';

async function shop(mode: Mode = 'live') {
  const { manager } = app.deps.db;
  const program = await buildProgram(manager, { mode });
  const { workspaceId } = program;
  const { key } = await buildApiKey(manager, {
    kind: 'management',
    role: 'member',
    mode,
    workspaceId,
  });
  const api = app.client.as(key);
  const path = `/api/v1/programs/${program.id}/partners`;
  const add = (body: Record<string, unknown>) =>
    api.post<ParticipantDto & Record<string, unknown>>(path, body);
  const read = async (id: string) => (await api.get<ParticipantDto>(`${path}/${id}`)).body;
  return { program, path, api, add, read };
}

let people = 0;
const newAddress = (): string => `added-${process.pid}-${(people += 1)}@partner.example`;

const tokenOf = (participantId: string) =>
  claimToken({ db: app.deps.db.manager, vault: app.deps.vault }, participantId);
const claim = async (participantId: string, more: Record<string, unknown> = {}) =>
  app.client.post<{ accessToken: string; account: { email: string; emailVerified: boolean } }>(
    claimPath,
    { token: await tokenOf(participantId), password, ...more },
  );

describe('a partner whom a server adds', () => {
  it('is an approved participant at once, whose link and code work', async () => {
    const { path, add, api } = await shop();
    const email = newAddress();
    const body = { email: ` ${email.toUpperCase()} `, name: 'Anna', message: 'Tea fair' };
    const added = await add({ ...body, referralCode: `anna-${process.pid}` });
    expect(added.status).toBe(201);
    expect(added.headers.get('location')).toBe(`${path}/${added.body.id}`);
    expect(added.body).toMatchObject({
      partnerName: 'Anna',
      partnerEmail: email,
      status: 'approved',
      message: 'Tea fair',
      referralCode: `anna-${process.pid}`,
      claimed: false,
    });
    expect(added.body.approvedAt).not.toBeNull();
    const links = await api.get<{ data: unknown[] }>(`${path}/${added.body.id}/links`);
    expect(links.body.data).toHaveLength(1);
    const events = await api.get<{ data: { type: string; data: { object: object } }[] }>(
      '/api/v1/events',
    );
    expect(events.body.data).toMatchObject([
      { type: 'participant.approved', data: { object: { id: added.body.id } } },
    ]);
  });

  it('chooses a password by the mail, once, and is signed in as by a login', async () => {
    const { add, read, program } = await shop();
    const email = newAddress();
    const { id } = (await add({ email, name: 'Anna' })).body;
    const login = { email, password: 'whatever password' };
    const early = await app.client.post('/api/v1/auth/partner/login', login);
    expect(codeOf(early)).toEqual([401, 'INVALID_CREDENTIALS']);

    await deliverQueued(app.deps);
    const mail = await mailTo(email, 'You are a partner');
    expect(mail.text).toContain('/claim?token=');
    const token = tokenIn(mail.text);
    const weak = await app.client.post(claimPath, { token, password: 'short' });
    expect(weak.status).toBe(400);
    const claimed = await claim(id, { token });
    expect(claimed.status).toBe(200);
    expect(claimed.body.account).toMatchObject({ email, emailVerified: true });
    const me = app.client.as(claimed.body.accessToken);
    expect((await me.get(`/api/v1/partner/programs/${program.id}`)).status).toBe(200);
    expect(await read(id)).toMatchObject({ partnerName: 'Anna', claimed: true });

    expect(codeOf(await claim(id, { token }))).toEqual([410, 'INVITE_EXPIRED']);
    expect(codeOf(await claim(id))).toEqual([410, 'INVITE_EXPIRED']);
    const again = await app.client.post('/api/v1/auth/partner/login', { email, password });
    expect(again.status).toBe(200);
  });

  it('keeps the refresh token in a cookie when the page asks for it', async () => {
    const { add } = await shop();
    const { id } = (await add({ email: newAddress(), name: 'Anna' })).body;
    const body = { token: await tokenOf(id), password };
    const headers = { 'X-Session': 'cookie' };
    const claimed = await app.client.post(claimPath, body, { headers });
    expect(claimed.body).not.toHaveProperty('refreshToken');
    expect(claimed.headers.get('set-cookie')).toContain('aps_partner=');
  });

  it('may claim for 14 days, and afterwards by a forgotten password', async () => {
    const { add } = await shop();
    const email = newAddress();
    const { id } = (await add({ email, name: 'Anna' })).body;
    app.deps.clock.advance(14 * 24 * 3_600_000);
    expect(codeOf(await claim(id))).toEqual([410, 'INVITE_EXPIRED']);
    for (const token of ['unknown', 'x'.repeat(65)]) {
      expect(codeOf(await claim(id, { token }))).toEqual([410, 'INVITE_EXPIRED']);
    }
    await app.client.post('/api/v1/auth/partner/forgot-password', { email });
    await deliverQueued(app.deps);
    const token = tokenIn((await mailTo(email, 'new password')).text);
    const reset = { token, password };
    expect((await app.client.post('/api/v1/auth/partner/reset-password', reset)).status).toBe(204);
    const login = await app.client.post('/api/v1/auth/partner/login', { email, password });
    expect(login.status).toBe(200);
  });

  it('of test mode proves nothing of the address, as the merchant may read the mail', async () => {
    const { add } = await shop('test');
    const { id } = (await add({ email: newAddress(), name: 'Anna' })).body;
    expect((await claim(id)).body.account.emailVerified).toBe(false);
  });

  it('by a mail of test mode has that workspace in test mode, and nothing of anybody else', async () => {
    const [attacker, other] = [await shop('test'), await shop('live')];
    const email = newAddress();
    const planted = (await attacker.add({ email, name: 'Anna' })).body;
    const real = (await other.add({ email, name: 'Anna' })).body;
    expect((await claim(planted.id)).status).toBe(200);
    expect(await attacker.read(planted.id)).toMatchObject({ claimed: true });
    expect(await other.read(real.id)).toMatchObject({ claimed: false });
    // It was spent by the first password.
    expect(codeOf(await claim(planted.id))).toEqual([410, 'INVITE_EXPIRED']);
  });

  it('has the account by a mail of live mode, whoever set a password without proving the address', async () => {
    const [attacker, other] = [await shop('test'), await shop('live')];
    const email = newAddress();
    const planted = (await attacker.add({ email, name: 'Anna' })).body;
    const real = (await other.add({ email, name: 'Anna' })).body;
    const thief = app.client.as((await claim(planted.id)).body.accessToken);
    const method = { type: 'paypal', email: 'thief@example.com' };
    const put = await thief.put('/api/v1/partner/payout-method', { method, password });
    expect(put.status).toBe(200);

    const own = 'a password of her own';
    const claimed = await claim(real.id, { password: own });
    expect([claimed.status, claimed.body.account.emailVerified]).toEqual([200, true]);
    expect((await thief.get('/api/v1/partner/account')).status).toBe(401);
    const login = (secret: string) =>
      app.client.post('/api/v1/auth/partner/login', { email, password: secret });
    expect([(await login(password)).status, (await login(own)).status]).toEqual([401, 200]);
    const me = app.client.as(claimed.body.accessToken);
    expect((await me.get('/api/v1/partner/payout-method')).body).toEqual({ method: null });
    expect(codeOf(await claim(real.id))).toEqual([410, 'INVITE_EXPIRED']);
  });
});

describe('a partner with an account', () => {
  async function withAccount() {
    const partner = await buildPartner(app.deps.db.manager, { name: 'Real Name' });
    return { partner, me: await callerOf(app, partner, 'live') };
  }

  it('looks as one without, until they open the programme', async () => {
    const { add, read, program } = await shop();
    const { partner, me } = await withAccount();
    const known = await add({ email: partner.email, name: 'Given' });
    const fresh = await add({ email: newAddress(), name: 'Given' });
    const shape = ({ status, body }: typeof known) => [
      status,
      { ...body, id: '', partnerEmail: '', partnerGpaId: '', referralCode: '', createdAt: '' },
    ];
    expect(JSON.stringify({ ...shape(known), approvedAt: '' }).replace(/"\d{4}-[^"]*"/g, '')).toBe(
      JSON.stringify({ ...shape(fresh), approvedAt: '' }).replace(/"\d{4}-[^"]*"/g, ''),
    );
    const mails = await query<{ type: string }>(
      app.deps.db.manager,
      `SELECT type FROM mails WHERE workspace_id = $1`,
      [program.workspaceId],
    );
    expect(mails.map(({ type }) => type)).toEqual(['partner.added', 'partner.added']);

    await me.patch('/api/v1/partner/account', { name: 'New Name' });
    expect(await read(known.body.id)).toMatchObject({ partnerName: 'Given', claimed: false });
    expect((await me.get('/api/v1/partner/account')).body).toMatchObject({ name: 'New Name' });
    await me.get(`/api/v1/partner/programs/${program.id}`);
    expect(await read(known.body.id)).toMatchObject({ partnerName: 'New Name', claimed: true });
    await me.patch('/api/v1/partner/account', { name: 'Newer Name' });
    expect(await read(known.body.id)).toMatchObject({ partnerName: 'Newer Name' });
  });

  it('shows no payout how it is paid before that', async () => {
    const { add, program } = await shop();
    const { partner, me } = await withAccount();
    const method = { type: 'paypal', email: 'pays@example.com' };
    await me.put('/api/v1/partner/payout-method', { method, password: testPassword });
    const { id } = (await add({ email: partner.email, name: 'Given' })).body;
    const { manager } = app.deps.db;
    const participant = await oneRow(manager, Participant, { id });
    await buildCommission(manager, { participant, program, status: 'approved' });
    const admin = await buildMember(manager, { workspaceId: program.workspaceId, role: 'admin' });
    const merchant = await callerOf(app, admin, 'live');
    const preview = async () => {
      type Preview = { items: { participantId: string }[]; leftOut: { why: string }[] };
      const asked = { programId: program.id, requireMethod: true };
      const { items, leftOut } = (await merchant.post<Preview>('/api/v1/payouts/preview', asked))
        .body;
      return [...items.map(({ participantId }) => participantId), ...leftOut.map(({ why }) => why)];
    };
    expect(await preview()).toEqual(['no_method']);
    await me.get(`/api/v1/partner/programs/${program.id}`);
    expect(await preview()).toEqual([id]);
  });

  it('cannot be given another password by the mail', async () => {
    const { add } = await shop();
    const { partner } = await withAccount();
    const { id } = (await add({ email: partner.email, name: 'Given' })).body;
    expect(codeOf(await claim(id))).toEqual([410, 'INVITE_EXPIRED']);
    const login = { email: partner.email, password: testPassword };
    expect((await app.client.post('/api/v1/auth/partner/login', login)).status).toBe(200);
  });
});

describe('adding a partner', () => {
  it('again changes nothing, whatever became of them', async () => {
    const { add, path, api } = await shop();
    const email = newAddress();
    const first = await add({ email, name: 'Anna' });
    await api.patch(`${path}/${first.body.id}/suspend`, { reason: 'Why' });
    const again = await add({ email, name: 'Other', referralCode: 'another-code' });
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({
      id: first.body.id,
      partnerName: 'Anna',
      status: 'suspended',
      referralCode: first.body.referralCode,
    });
  });

  it('who was erased is refused', async () => {
    const { add } = await shop();
    const email = newAddress();
    const { id } = (await add({ email, name: 'Anna' })).body;
    const token = await tokenOf(id);
    await execute(app.deps.db.manager, 'UPDATE participants SET erased_at = now() WHERE id = $1', [
      id,
    ]);
    expect(codeOf(await add({ email, name: 'Anna' }))).toEqual([409, 'PARTICIPANT_ERASED']);
    expect(codeOf(await claim(id, { token }))).toEqual([410, 'INVITE_EXPIRED']);
  });

  it('at once from many requests makes one participant and one account', async () => {
    const { add } = await shop();
    const elsewhere = await shop();
    const email = newAddress();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (n % 2 === 0 ? add : elsewhere.add)({ email, name: `Anna ${n}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(18);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(2);
    expect(new Set(answers.map(({ body }) => body.partnerGpaId)).size).toBe(1);
  });

  it('with a code that is taken makes nothing of them', async () => {
    const { add } = await shop();
    const taken = (await add({ email: newAddress(), name: 'Anna' })).body.referralCode;
    const email = newAddress();
    const refused = await add({ email, name: 'Bea', referralCode: taken });
    expect(codeOf(refused)).toEqual([409, 'REFERRAL_CODE_TAKEN']);
    const accounts = await query(
      app.deps.db.manager,
      'SELECT 1 FROM partner_accounts WHERE email = $1',
      [email],
    );
    expect(accounts).toEqual([]);
  });

  it.each([
    [{ name: 'A' }, 'email'],
    [{ email: 'x', name: 'A' }, 'email'],
    [{ email: 'a@b.example' }, 'name'],
    [{ email: 'a@b.example', name: '' }, 'name'],
    [{ email: 'a@b.example', name: 'A', referralCode: 'x' }, 'referralCode'],
    [{ email: 'a@b.example', name: 'A', role: 'x' }, 'role'],
  ])('is refused as %j', async (body, field) => {
    const { add } = await shop();
    const answer = await add(body);
    expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
    const { details } = answer.body as unknown as { details: { field: string }[] };
    expect(details.map((problem) => problem.field)).toEqual([field]);
  });

  it('takes a programme that is open', async () => {
    const { add, path, program } = await shop();
    const { manager } = app.deps.db;
    const member = await buildMember(manager, { workspaceId: program.workspaceId });
    const owner = app.client.as((await signIn(app.deps, member)).accessToken);
    await owner.post(`${path.replace(/\/partners$/, '')}/archive`);
    const refused = await add({ email: newAddress(), name: 'Anna' });
    expect(codeOf(refused)).toEqual([409, 'PROGRAM_ARCHIVED']);
  });
});
