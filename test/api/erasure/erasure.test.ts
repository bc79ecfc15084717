import { readLedger, replayErasures } from '../../../activities/erasure/replay';
import { systemActor } from '../../../entities/rules/values/actor';
import { newId } from '../../../entities/ids';
import { query, queryOne } from '../../../entities/database/sql';
import { codeOf } from '../../support/api-client';
import { openErasureStage, type ErasureStage } from '../../support/workers/erasure-stage';
import { buildMember, buildPartner, signIn } from '../../support/build/accounts';
import { buildCommission, buildPayout } from '../../support/build/commissions';
import { buildParticipant, buildProgram, buildPromoCode } from '../../support/build/programs';
import { deliverQueued, mailTo } from '../../support/stored/mails';
import { eventually } from '../../support/eventually';

let app: ErasureStage;
beforeAll(async () => {
  app = await openErasureStage();
}, 60_000);
afterAll(() => app.close());

const sure = { confirmation: 'DELETE' };

async function buildStory(name = 'Pat Example') {
  const { deps, client } = app;
  const db = deps.db.manager;
  const owner = await buildMember(db);
  const program = await buildProgram(db, { workspaceId: owner.workspaceId, name: 'Tea shop' });
  const partner = await buildPartner(db, { name });
  const participant = await buildParticipant(db, {
    program,
    partnerId: partner.id,
    partnerName: partner.name,
    partnerEmail: partner.email,
    referralCode: `code-${newId().slice(-8)}`,
    message: 'I write about tea.',
  });
  const merchant = client.as((await signIn(deps, owner)).accessToken, 'live');
  const self = client.as((await signIn(deps, partner)).accessToken, 'live');
  const path = `/api/v1/programs/${program.id}/partners/${participant.id}`;
  return { owner, program, partner, participant, merchant, self, path };
}

async function completedReceipts(merchant: { get: ErasureStage['client']['get'] }) {
  return eventually(async () => {
    const { body } = await merchant.get<{ data: Record<string, unknown>[] }>(
      '/api/v1/gdpr/receipts',
    );
    return body.data.length > 0 && body.data.every(({ completedAt }) => completedAt !== null)
      ? body.data
      : undefined;
  });
}

describe('the erasure of a participant (erasure.md, Erasure)', () => {
  it('leaves a placeholder, keeps the money, and tells by mail, event and receipt', async () => {
    const { program, partner, participant, merchant, path } = await buildStory();
    const db = app.deps.db.manager;
    const commission = await buildCommission(db, { participant, program });
    const promo = await buildPromoCode(db, participant);
    const before = await merchant.get(`${path}/balance`);

    const answer = await merchant.post<{ erased_at: string }>(`${path}/erase`, sure);
    expect(answer.status).toBe(200);
    expect(Date.parse(answer.body.erased_at)).not.toBeNaN();

    const { body: record } = await merchant.get(path);
    expect(record).toMatchObject({
      partnerName: 'Erased partner',
      partnerEmail: 'erased@erased.invalid',
      message: null,
      promoCodes: [promo.code],
      status: 'approved',
      erasedAt: answer.body.erased_at,
    });
    expect((await merchant.get(`${path}/balance`)).body).toEqual(before.body);
    const approval = `/api/v1/programs/${program.id}/commissions/${commission.id}/approve`;
    expect((await merchant.patch(approval)).body['code']).toBe('PARTICIPANT_ERASED');
    expect((await merchant.post(`${path}/erase`, sure)).body['code']).toBe('ALREADY_ERASED');

    const [receipt] = await completedReceipts(merchant);
    expect(receipt).toMatchObject({ kind: 'participant', participantId: participant.id });
    const receiptsOf = async (id: string) =>
      (await merchant.get(`/api/v1/gdpr/receipts?participantId=${id}`)).body['data'];
    expect(await receiptsOf(participant.id)).toEqual([receipt]);
    expect(await receiptsOf(newId())).toEqual([]);
    const events = await query<{ object: Record<string, unknown> }>(
      db,
      `SELECT object FROM events WHERE type = 'participant.erased' AND object_id = $1`,
      [participant.id],
    );
    expect(events.map(({ object }) => object['partner_name'])).toEqual(['Erased partner']);
    expect(await deliverQueued(app.deps)).toEqual(['sent']);
    expect((await mailTo(partner.email, 'being erased')).text).not.toContain(partner.name);
    expect(await query(db, 'SELECT 1 FROM sealed_recipients')).toEqual([]);
  });

  it('keeps the code from others, and the account and later names from the placeholder', async () => {
    const { program, participant, merchant, self, path } = await buildStory();
    expect((await merchant.post(`${path}/erase`, sure)).status).toBe(200);
    await completedReceipts(merchant);

    expect((await self.get('/api/v1/partner/programs')).body).toMatchObject({ total: 0 });
    await self.patch('/api/v1/partner/account', { name: 'Somebody Else' });
    expect((await merchant.get(path)).body).toMatchObject({ partnerName: 'Erased partner' });
    const again = await self.post(`/api/v1/partner/programs/${program.id}/applications`, {});
    expect(again.body['code']).toBe('PARTICIPANT_ERASED');

    const other = await buildPartner(app.deps.db.manager);
    const theirs = app.client.as((await signIn(app.deps, other)).accessToken, 'live');
    const { referralCode } = participant;
    const taken = await theirs.post(`/api/v1/partner/programs/${program.id}/applications`, {
      referralCode: referralCode.toUpperCase(),
    });
    expect([taken.status, taken.body['code']]).toEqual([409, 'REFERRAL_CODE_TAKEN']);
  });

  it('leaves an id in the audit log of the workspace, though the account lives on', async () => {
    const { program, merchant } = await buildStory();
    const partner = await buildPartner(app.deps.db.manager);
    const theirs = app.client.as((await signIn(app.deps, partner)).accessToken, 'live');
    const { body } = await theirs.post<{ id: string }>(
      `/api/v1/partner/programs/${program.id}/applications`,
      {},
    );
    const audited = async () => {
      const log = `/api/v1/workspace/audit-log?actor=${partner.id}`;
      const { data } = (await merchant.get<{ data: { actor: unknown }[] }>(log)).body;
      return data.map(({ actor }) => actor);
    };
    const actor = { type: 'partner', id: partner.id };
    expect(await audited()).toEqual([{ ...actor, email: partner.email }]);
    const path = `/api/v1/programs/${program.id}/partners/${body.id}`;
    expect((await merchant.post(`${path}/erase`, sure)).status).toBe(200);
    expect(await audited()).toEqual([{ ...actor, email: null }]);
  });

  it('is refused while a payout runs, and works after it', async () => {
    const { program, participant, merchant, path } = await buildStory();
    const db = app.deps.db.manager;
    const due = await buildCommission(db, { participant, program, status: 'approved' });
    const payout = await buildPayout(db, [due]);

    for (let attempt = 0; attempt < 2; attempt += 1) {
      const refused = await merchant.post(`${path}/erase`, sure);
      expect([refused.status, refused.body['code']]).toEqual([409, 'ERASURE_BLOCKED_PAYOUT']);
    }
    expect((await merchant.get(path)).body).toMatchObject({ partnerName: 'Pat Example' });
    expect((await merchant.post(`/api/v1/payouts/${payout.id}/complete`)).status).toBe(200);
    expect((await merchant.post(`${path}/erase`, sure)).status).toBe(200);
  });

  it('asks for the phrase and the right', async () => {
    const { merchant, path, self } = await buildStory();
    const wrong = [{}, undefined, { confirmation: 'delete' }, { confirmation: 7 }];
    for (const body of [...wrong, { confirm: 'DELETE' }]) {
      const refused = await merchant.post(`${path}/erase`, body);
      expect([refused.status, refused.body['code']]).toEqual([400, 'CONFIRMATION_INVALID']);
    }
    const foreign = (await buildStory()).merchant;
    expect((await foreign.post(`${path}/erase`, sure)).body['code']).toBe('ACCESS_DENIED');
    expect((await self.post(`${path}/erase`, sure)).body['code']).toBe('FORBIDDEN');
  });

  it('whom a server added takes the mail about them along', async () => {
    const { program, merchant } = await buildStory();
    const added = { email: `${newId()}@added.example`, name: 'Ada Added' };
    const partners = `/api/v1/programs/${program.id}/partners`;
    const { id } = (await merchant.post<{ id: string }>(partners, added)).body;
    expect((await merchant.post(`${partners}/${id}/erase`, sure)).status).toBe(200);
    await completedReceipts(merchant);
    const mails = await query(
      app.deps.db.manager,
      `SELECT 1 FROM mails WHERE type = 'partner.added' AND recipient = $1`,
      [added.email],
    );
    expect(mails).toEqual([]);
    const shown = await merchant.get(`${partners}/${id}`);
    expect(shown.text).not.toMatch(/added/i);
  });

  it('of an account that nobody claimed clears it, unless it is somewhere else, and never comes back', async () => {
    const [one, two] = [await buildStory(), await buildStory()];
    const added = { email: `${newId()}@added.example`, name: 'Ada Added' };
    const add = ({ merchant, program }: typeof one) =>
      merchant.post<{ id: string; partnerGpaId: string }>(
        `/api/v1/programs/${program.id}/partners`,
        added,
      );
    const erase = async ({ merchant, program }: typeof one, id: string) => {
      const path = `/api/v1/programs/${program.id}/partners/${id}/erase`;
      expect((await merchant.post(path, sure)).status).toBe(200);
      return (await completedReceipts(merchant)).map(({ changes }) => changes);
    };
    const ofOne = (await add(one)).body;
    const ofTwo = (await add(two)).body;
    expect(ofTwo.partnerGpaId).toBe(ofOne.partnerGpaId);
    await app.client.post('/api/v1/auth/partner/forgot-password', { email: added.email });
    await deliverQueued(app.deps);
    const kept = () =>
      query(
        app.deps.db.manager,
        `SELECT email AS text FROM partner_accounts WHERE email = $1
          UNION ALL SELECT email FROM email_tokens WHERE email = $1
          UNION ALL SELECT recipient FROM mails WHERE recipient = $1`,
        [added.email],
      );

    const first = await erase(one, ofOne.id);
    expect(await kept()).not.toEqual([]);
    expect(codeOf(await add(one))).toEqual([409, 'PARTICIPANT_ERASED']);
    const second = await erase(two, ofTwo.id);
    expect(
      await eventually(async () => ((await kept()).length === 0 ? 'nothing' : undefined)),
    ).toBe('nothing');
    // Nothing tells a merchant that there was no account.
    expect(second).toEqual(first);
    expect(codeOf(await add(one))).toEqual([409, 'PARTICIPANT_ERASED']);
    expect(codeOf(await add(two))).toEqual([409, 'PARTICIPANT_ERASED']);
    expect(await kept()).toEqual([]);
  });
});

describe('the erasure of an account', () => {
  it('ends it everywhere; of several requests one is answered', async () => {
    const { self, partner, merchant, path, program } = await buildStory();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => self.post('/api/v1/partner/account/erase', sure)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    const codes = answers.map(({ body }) => body['code']).filter(Boolean);
    expect(new Set(codes)).toEqual(new Set(['ALREADY_ERASED']));

    expect((await self.get('/api/v1/partner/programs')).status).toBe(401);
    const late = await self.post('/api/v1/partner/account/erase', sure);
    expect([late.status, late.body['code']]).toEqual([409, 'ALREADY_ERASED']);
    expect((await merchant.post(`${path}/erase`, sure)).body['code']).toBe('ALREADY_ERASED');
    expect((await merchant.get(path)).body).toMatchObject({ partnerName: 'Erased partner' });

    const fresh = await app.client.post<{ account: { id: string }; accessToken: string }>(
      '/api/v1/auth/partner/register',
      { email: partner.email, password: 'correct horse battery', name: 'Pat Again' },
    );
    expect(fresh.status).toBe(201);
    expect(fresh.body.account.id).not.toBe(partner.id);
    const add = () =>
      merchant.post(`/api/v1/programs/${program.id}/partners`, {
        email: partner.email.toUpperCase(),
        name: 'Pat Example',
      });
    expect(codeOf(await add())).toEqual([409, 'PARTICIPANT_ERASED']);
    const anew = app.client.as(fresh.body.accessToken, 'live');
    const joined = await anew.post(`/api/v1/partner/programs/${program.id}/applications`, {});
    expect(joined.status).toBe(201);
    expect((await add()).status).toBe(200);

    const [receipt] = await completedReceipts(merchant);
    expect(receipt).toMatchObject({ kind: 'account', programId: program.id });
    const own = await queryOne<{ email: string }>(
      app.deps.db.manager,
      'SELECT email FROM partner_accounts WHERE id = $1',
      [fresh.body.account.id],
    );
    expect(own?.email).toBe(partner.email);
  });
});

describe('the erasure of invites (erasure.md, Erasure of invites)', () => {
  it('kills open invites of the merchant and keeps the participant', async () => {
    const { merchant, program, self, partner } = await buildStory();
    const email = `${newId()}@invite.example`;
    const path = `/api/v1/programs/${program.id}/invites`;
    const { body } = await merchant.post<{ inviteUrl: string }>(path, { email, name: 'Inga' });
    const token = new URL(body.inviteUrl).searchParams.get('token');

    const request = { partnerEmail: email.toUpperCase(), partnerGpaId: partner.id };
    expect((await merchant.post('/api/v1/gdpr/partner-data-erasure', request)).status).toBe(204);
    expect((await merchant.get(path)).text).not.toContain(email);
    expect((await self.post('/api/v1/partner/invites/accept', { token })).status).toBe(410);
    expect((await merchant.post('/api/v1/gdpr/partner-data-erasure', request)).status).toBe(204);
    const { body: receipts } = await merchant.get('/api/v1/gdpr/receipts');
    expect(receipts).toMatchObject({ total: 1, data: [{ kind: 'invites' }] });
  });

  it('reaches the other mode and stored answers, and stands in the ledger', async () => {
    const { merchant, program, partner } = await buildStory();
    const email = `${newId()}@invite.example`;
    const headers = { 'Idempotency-Key': newId() };
    const path = `/api/v1/programs/${program.id}/invites`;
    const body = { email, name: 'Inga Invited' };
    const { body: invite } = await merchant.post<{ id: string }>(path, body, { headers });

    const request = { partnerEmail: email, partnerGpaId: partner.id };
    const asked = await merchant.post('/api/v1/gdpr/partner-data-erasure', request, {
      headers: { 'X-Mode': 'test' },
    });
    expect(asked.status).toBe(204);
    expect((await merchant.get(path)).text).not.toContain(email);
    const replayed = await merchant.post(path, body, { headers });
    expect(replayed.headers.get('idempotent-replayed')).toBe('true');
    expect(replayed.text).not.toMatch(new RegExp(`${email}|Inga Invited`));
    const { db, vault } = app.deps;
    expect(await readLedger(db.manager)).toContainEqual({ kind: 'invite', subjectId: invite.id });

    await query(
      db.manager,
      `UPDATE partner_invites SET status = 'pending', email = $2 WHERE id = $1`,
      [invite.id, email],
    );
    const lines = [{ kind: 'invite' as const, subjectId: invite.id }];
    const cause = { actor: systemActor, now: new Date() };
    expect(await replayErasures({ db, vault }, cause, lines)).toBe(1);
    expect((await merchant.get(path)).text).not.toContain(email);
    expect(await replayErasures({ db, vault }, cause, lines)).toBe(0);
  });
});
