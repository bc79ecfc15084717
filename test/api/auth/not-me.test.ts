import { claimToken } from '../../../activities/accounts/claim';
import type { ParticipantDto } from '../../../api/participants/participants.dto';
import { codeOf } from '../../support/api-client';
import { useApp } from '../../support/app';
import { buildApiKey, buildMember, signIn } from '../../support/build/accounts';
import { buildProgram } from '../../support/build/programs';
import { deliverQueued, mailTo, tokenIn } from '../../support/stored/mails';

const app = useApp();
const password = 'a long enough password';
let people = 0;
const newAddress = (): string => `not-me-${process.pid}-${(people += 1)}@example.test`;

interface Registered extends Record<string, unknown> {
  accessToken: string;
  apiKeys: { kind: string; mode: string; key: string }[];
}

async function register(side: 'merchant' | 'partner', email: string) {
  const name = 'Mallory Typed';
  const more = side === 'merchant' ? { workspaceName: 'Shop' } : {};
  const path = `/api/v1/auth/${side}/register`;
  return app.client.post<Registered>(path, { email, password, name, ...more });
}

async function verificationTo(email: string) {
  await deliverQueued(app.deps);
  return mailTo(email, 'Confirm your e-mail address');
}

const refuse = (token: string) => app.client.post('/api/v1/auth/email/refuse', { token });

describe('the mail that asks to confirm an address', () => {
  it('says what was typed and when, and leads to "This was not me"', async () => {
    const email = newAddress();
    await register('partner', email);
    const { text, html } = await verificationTo(email);
    expect(text).toContain('Mallory Typed');
    expect(text).toMatch(/Asked for: \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    expect(text).toContain(`This was not me: `);
    expect(html).toContain(`/refuse-email?token=${tokenIn(text)}`);
  });
});

describe('"This was not me"', () => {
  it('ends a partner account, confirmed by mistake or not, and gives back what hung on it', async () => {
    const { manager } = app.deps.db;
    const email = newAddress();
    const stranger = await register('partner', email);
    const token = tokenIn((await verificationTo(email)).text);
    expect((await app.client.post('/api/v1/auth/email/verify', { token })).status).toBe(200);
    const program = await buildProgram(manager, { mode: 'live' });
    const { workspaceId } = program;
    const { key } = await buildApiKey(manager, { kind: 'management', mode: 'live', workspaceId });
    const path = `/api/v1/programs/${program.id}/partners`;
    const body = { email, name: 'Given' };
    const added = await app.client.as(key).post<ParticipantDto>(path, body);
    const me = app.client.as(stranger.body.accessToken);
    const ownPath = `/api/v1/partner/programs/${program.id}`;
    expect((await me.get(ownPath)).status).toBe(200);

    expect((await refuse(token)).status).toBe(204);
    expect((await me.get(ownPath)).status).toBe(401);
    const login = { email, password };
    expect((await app.client.post('/api/v1/auth/partner/login', login)).status).toBe(401);
    const shown = await app.client.as(key).get<ParticipantDto>(`${path}/${added.body.id}`);
    expect(shown.body).toMatchObject({ partnerEmail: email, claimed: false });
    const { db, vault } = app.deps;
    const claim = await claimToken({ db: db.manager, vault }, added.body.id);
    const claimed = await app.client.post('/api/v1/auth/partner/claim', { token: claim, password });
    expect(claimed.status).toBe(200);
    expect(codeOf(await refuse(token))).toEqual([400, 'EMAIL_TOKEN_INVALID']);
  });

  it('frees the address, and takes no other token', async () => {
    const email = newAddress();
    await register('partner', email);
    const { text } = await verificationTo(email);
    expect((await refuse(tokenIn(text))).status).toBe(204);
    expect((await register('partner', email)).status).toBe(201);
    await app.client.post('/api/v1/auth/partner/forgot-password', { email });
    await deliverQueued(app.deps);
    const reset = tokenIn((await mailTo(email, 'new password')).text);
    expect(codeOf(await refuse(reset))).toEqual([400, 'EMAIL_TOKEN_INVALID']);
  });

  it('ends a merchant account with the keys of a workspace in which nobody is left', async () => {
    const email = newAddress();
    const { body } = await register('merchant', email);
    const secret = body.apiKeys.find(({ kind, mode }) => kind === 'secret' && mode === 'live');
    const { text } = await verificationTo(email);
    expect((await refuse(tokenIn(text))).status).toBe(204);
    const me = app.client.as(body.accessToken);
    expect((await me.get('/api/v1/auth/merchant/account')).status).toBe(401);
    const sale = { external_transaction_id: 't', event_type: 'purchase', promo_code: 'NONE' };
    const told = await app.client.as(secret?.key ?? '').post('/api/v1/conversions', sale);
    expect(told.status).toBe(401);
    expect((await register('merchant', email)).status).toBe(201);
  });
});

describe('a reset that is what first confirms the address', () => {
  async function resetTo(email: string): Promise<void> {
    await app.client.post('/api/v1/auth/merchant/forgot-password', { email });
    await deliverQueued(app.deps);
    const token = tokenIn((await mailTo(email, 'new password')).text);
    const body = { token, password: 'a password of my own' };
    expect((await app.client.post('/api/v1/auth/merchant/reset-password', body)).status).toBe(204);
  }

  it('of an owner ends other members, open invites and keys of before', async () => {
    const { manager } = app.deps.db;
    const victim = await buildMember(manager, { verifiedAt: null });
    const { workspaceId } = victim;
    const second = await buildMember(manager, { workspaceId, role: 'owner' });
    const intruder = app.client.as((await signIn(app.deps, second)).accessToken);
    const { key } = await buildApiKey(manager, { kind: 'management', workspaceId });
    const invite = { email: newAddress(), role: 'owner' };
    expect((await intruder.post('/api/v1/workspace/members', invite)).status).toBe(201);

    await resetTo(victim.email);
    expect((await intruder.get('/api/v1/workspace')).status).toBe(401);
    expect((await app.client.as(key).get('/api/v1/programs')).status).toBe(401);
    const me = app.client.as((await signIn(app.deps, victim)).accessToken);
    const members = await me.get<{ data: { email: string }[] }>('/api/v1/workspace/members');
    expect(members.body.data.map(({ email }) => email)).toEqual([victim.email]);
  });

  it('of any other member ends nobody else', async () => {
    const { manager } = app.deps.db;
    const owner = await buildMember(manager);
    const { workspaceId } = owner;
    const viewer = await buildMember(manager, { workspaceId, role: 'viewer', verifiedAt: null });
    const { key } = await buildApiKey(manager, { kind: 'management', workspaceId });
    const me = app.client.as((await signIn(app.deps, owner)).accessToken);
    await resetTo(viewer.email);
    expect((await me.get('/api/v1/workspace')).status).toBe(200);
    expect((await app.client.as(key).get('/api/v1/programs')).status).toBe(200);
  });
});
