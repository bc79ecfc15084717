import { claimToken } from '../../../activities/accounts/claim';
import type { ParticipantDto } from '../../../api/participants/participants.dto';
import type { Mode } from '../../../entities/rules/values/mode';
import { Participant } from '../../../entities/tables/partners/participant.entity';
import { codeOf, type Caller } from '../../support/api-client';
import { useApp } from '../../support/app';
import { buildApiKey, buildMember, buildPartner, testPassword } from '../../support/build/accounts';
import { buildCommission } from '../../support/build/commissions';
import { buildProgram } from '../../support/build/programs';
import { callerOf } from '../../support/callers';
import { oneRow } from '../../support/rows';
import { deliverQueued, mailTo, tokenIn } from '../../support/stored/mails';

const app = useApp();
const password = 'a long enough password';
const programs = '/api/v1/partner/programs';
const methodPath = '/api/v1/partner/payout-method';
const auth = '/api/v1/auth/partner';

let people = 0;
const newAddress = (): string => `bound-${process.pid}-${(people += 1)}@partner.example`;

async function shop(mode: Mode = 'live') {
  const { manager } = app.deps.db;
  const program = await buildProgram(manager, { mode });
  const { workspaceId } = program;
  const management = { kind: 'management', role: 'admin', mode, workspaceId } as const;
  const { key } = await buildApiKey(manager, management);
  const api = app.client.as(key);
  const path = `/api/v1/programs/${program.id}/partners`;
  const add = async (email: string) =>
    (await api.post<ParticipantDto>(path, { email, name: 'Given' })).body;
  const read = async (id: string) => (await api.get<ParticipantDto>(`${path}/${id}`)).body;
  /** How the next payout pays each whom a file can pay. */
  const pays = async (participantId: string): Promise<unknown[]> => {
    const participant = await oneRow(manager, Participant, { id: participantId });
    await buildCommission(manager, { participant, program, status: 'approved' });
    const admin = await buildMember(manager, { workspaceId, role: 'admin' });
    const merchant = await callerOf(app, admin, mode);
    const body = { programId: program.id };
    const made = await merchant.post<{ items: { method: unknown }[] }>('/api/v1/payouts', body);
    return made.body.items.map((item) => item.method);
  };
  return { program, add, read, pays };
}

interface SignedIn extends Record<string, unknown> {
  accessToken: string;
  account: { id: string; email: string; name: string; emailVerified: boolean };
}

const tokenOf = (participantId: string) =>
  claimToken({ db: app.deps.db.manager, vault: app.deps.vault }, participantId);
const claimWith = (token: string | undefined) =>
  app.client.post<SignedIn>(`${auth}/claim`, { token, password });
const claim = async (participantId: string) => claimWith(await tokenOf(participantId));
const logIn = (email: string, secret: string) =>
  app.client.post<SignedIn>(`${auth}/login`, { email, password: secret });

async function programsOf(me: Caller): Promise<string[]> {
  const { body } = await me.get<{ data: { programId: string }[] }>(programs);
  return body.data.map(({ programId }) => programId);
}

/** Everything that leads to money. */
async function takesTheMoney(me: Caller): Promise<void> {
  const method = { type: 'paypal', email: 'thief@example.com' };
  await me.put(methodPath, { method, password: testPassword });
  await me.put(methodPath, { method, password });
}

async function confirm(email: string): Promise<void> {
  await deliverQueued(app.deps);
  const { text } = await mailTo(email, 'Confirm your e-mail address');
  const body = { token: tokenIn(text) };
  expect((await app.client.post('/api/v1/auth/email/verify', body)).status).toBe(200);
}

describe('what a server made for an address', () => {
  it('stays closed to a claim by a mail of test mode, which opens its own workspace only', async () => {
    const [theirs, mine] = [await shop(), await shop('test')];
    const email = newAddress();
    const real = await theirs.add(email);
    const planted = await mine.add(email);
    const claimed = await claim(planted.id);
    expect(claimed.status).toBe(200);

    const inLive = app.client.as(claimed.body.accessToken, 'live');
    const inTest = app.client.as(claimed.body.accessToken, 'test');
    expect(await programsOf(inLive)).toEqual([]);
    expect(await programsOf(inTest)).toEqual([mine.program.id]);
    expect((await inLive.get(`${programs}/${theirs.program.id}`)).status).toBe(404);
    const application = await inLive.post(`${programs}/${theirs.program.id}/applications`);
    expect(codeOf(application)).toEqual([404, 'PROGRAM_NOT_FOUND']);

    const moved = { email: newAddress(), password };
    expect((await inLive.post(`${auth}/change-email`, moved)).status).toBe(200);
    await confirm(moved.email);
    await takesTheMoney(inLive);
    expect(await theirs.read(real.id)).toMatchObject({ partnerEmail: email, claimed: false });
    expect(await theirs.pays(real.id)).toEqual([null]);

    const own = await claim(real.id);
    expect([own.status, own.body.account.email]).toEqual([200, email]);
    expect(await programsOf(app.client.as(own.body.accessToken))).toEqual([theirs.program.id]);
  });

  it("is nobody's who registered with it first, and a move leaves it behind", async () => {
    const theirs = await shop();
    const email = newAddress();
    const body = { email, password, name: 'Squatter' };
    const registered = await app.client.post<SignedIn>(`${auth}/register`, body);
    const me = app.client.as(registered.body.accessToken);
    const added = await theirs.add(email);
    const token = await tokenOf(added.id);
    expect((await me.get(`${programs}/${theirs.program.id}`)).status).toBe(404);
    expect(codeOf(await me.post(`${programs}/${theirs.program.id}/applications`))).toEqual([
      409,
      'APPLICATION_DUPLICATE',
    ]);
    const moved = newAddress();
    await me.post(`${auth}/change-email`, { email: moved, password });
    await confirm(moved);
    await takesTheMoney(me);
    expect(await programsOf(me)).toEqual([]);
    expect(await theirs.pays(added.id)).toEqual([null]);

    expect((await claimWith(token)).status).toBe(200);
    expect(await theirs.read(added.id)).toMatchObject({ partnerEmail: email, claimed: true });
    expect(codeOf(await claimWith(token))).toEqual([410, 'INVITE_EXPIRED']);
  });

  it('is theirs who confirm the address later, paid too, and goes along when they move', async () => {
    const theirs = await shop();
    const email = newAddress();
    const body = { email, password, name: 'Anna' };
    const registered = await app.client.post<SignedIn>(`${auth}/register`, body);
    const me = app.client.as(registered.body.accessToken);
    const added = await theirs.add(email);
    expect(await programsOf(me)).toEqual([]);
    await confirm(email);
    expect(await programsOf(me)).toEqual([theirs.program.id]);
    await takesTheMoney(me);
    expect((await me.get(`${programs}/${theirs.program.id}`)).status).toBe(200);
    const moved = newAddress();
    await me.post(`${auth}/change-email`, { email: moved, password });
    expect(await theirs.read(added.id)).toMatchObject({ partnerEmail: moved, partnerName: 'Anna' });
    expect(await theirs.pays(added.id)).toEqual([expect.objectContaining({ type: 'paypal' })]);
  });

  it('is taken over by the mail from who registered and never confirmed, with all that they left', async () => {
    const theirs = await shop();
    const email = newAddress();
    const body = { email, password: testPassword, name: 'Squatter' };
    const registered = await app.client.post<SignedIn>(`${auth}/register`, body);
    const thief = app.client.as(registered.body.accessToken);
    await takesTheMoney(thief);
    const added = await theirs.add(email);
    const claimed = await claim(added.id);
    expect(claimed.body.account).toMatchObject({ id: registered.body.account.id, email });
    expect((await thief.get('/api/v1/partner/account')).status).toBe(401);
    const me = app.client.as(claimed.body.accessToken);
    expect((await me.get(methodPath)).body).toEqual({ method: null });
    expect(await programsOf(me)).toEqual([theirs.program.id]);
    expect((await logIn(email, testPassword)).status).toBe(401);
  });
});

describe('a claim by a mail of test mode', () => {
  it('tells nothing of the address: with an account and without one it answers alike', async () => {
    const mine = await shop('test');
    const { email: known } = await buildPartner(app.deps.db.manager, { name: 'Real Name' });
    const answers = [];
    for (const email of [known, newAddress()]) {
      const planted = await mine.add(email);
      const claimed = await claim(planted.id);
      const { id, email: shown, ...account } = claimed.body.account;
      answers.push([claimed.status, account, shown === email, id === planted.partnerGpaId]);
      const me = app.client.as(claimed.body.accessToken, 'test');
      expect(await programsOf(me)).toEqual([mine.program.id]);
      expect((await logIn(email, password)).body.account.id).toBe(id);
      expect(codeOf(await claim(planted.id))).toEqual([410, 'INVITE_EXPIRED']);
      await deliverQueued(app.deps);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.[0]).toBe(200);
    expect((await logIn(known, testPassword)).body.account.name).toBe('Real Name');
  });

  it('gives what is there to who has proved the address, when they come by in test mode', async () => {
    const mine = await shop('test');
    const partner = await buildPartner(app.deps.db.manager);
    const planted = await mine.add(partner.email);
    expect(planted.partnerGpaId).not.toBe(partner.id);
    const me = await callerOf(app, partner, 'test');
    expect(await programsOf(me)).toEqual([mine.program.id]);
    expect((await me.get(`${programs}/${mine.program.id}/links`)).status).toBe(200);
    expect(await mine.read(planted.id)).toMatchObject({ partnerGpaId: partner.id });
  });

  it('sends no mail of live mode to the address, whatever is done there', async () => {
    const mine = await shop('test');
    const email = newAddress();
    const claimed = await claim((await mine.add(email)).id);
    const me = app.client.as(claimed.body.accessToken, 'test');
    await takesTheMoney(me);
    await me.post(`${auth}/email/resend-verification`);
    await deliverQueued(app.deps);
    await expect(mailTo(email, '')).rejects.toThrow('no mail');
  });
});
