import { newId } from '../../../entities/ids';
import type { Program } from '../../../entities/tables/programs/program.entity';
import type { Mode } from '../../../entities/rules/values/mode';
import { query } from '../../../entities/database/sql';
import type { Db } from '../../../entities/database/sql';
import { codeOf } from '../../support/api-client';
import { useApp } from '../../support/app';
import { buildMember, buildPartner } from '../../support/build/accounts';
import { buildParticipant, buildProgram, buildPromoCode } from '../../support/build/programs';
import { carryEvents } from '../../support/build/notifications';
import { callerOf } from '../../support/callers';

const app = useApp();
let db: Db;

beforeAll(async () => {
  db = app.deps.db.manager;
});

async function signedIn(mode: Mode = 'live') {
  const partner = await buildPartner(db);
  return { partner, api: await callerOf(app, partner, mode) };
}

const applicationPath = (program: Program): string =>
  `/api/v1/partner/programs/${program.id}/applications`;

describe.each<Mode>(['test', 'live'])('applying in %s mode', (mode) => {
  it('waits for the merchant, who sees it at once', async () => {
    const program = await buildProgram(db, { mode });
    const { api, partner } = await signedIn(mode);

    const applied = await api.post(applicationPath(program), {
      message: 'I write about tea.',
      referralCode: 'Tea-Fan',
    });

    expect(applied.status).toBe(201);
    expect(applied.body).toMatchObject({
      programId: program.id,
      partnerGpaId: partner.id,
      status: 'pending',
      message: 'I write about tea.',
      referralCode: 'Tea-Fan',
      approvedAt: null,
    });
    const member = await buildMember(db, { workspaceId: program.workspaceId, role: 'viewer' });
    const merchant = await callerOf(app, member, mode);
    const list = await merchant.get(`/api/v1/programs/${program.id}/partners?status=pending`);
    expect(list.body['data']).toEqual([applied.body]);
    const events = await query<{ type: string; object: unknown }>(
      db,
      'SELECT type, object FROM events WHERE object_id = $1',
      [applied.body['id']],
    );
    expect(events).toEqual([
      { type: 'participant.applied', object: expect.objectContaining({ status: 'pending' }) },
    ]);
  });

  it('approves at once where the approval mode is auto, with a mail', async () => {
    const program = await buildProgram(db, { mode, approvalMode: 'auto' });
    const { api, partner } = await signedIn(mode);

    const nothing = { message: null, referralCode: null };
    const applied = await api.post(applicationPath(program), nothing);

    expect(applied.status).toBe(201);
    expect(applied.body).toMatchObject({ status: 'approved', message: null });
    const events = await query<{ type: string }>(
      db,
      'SELECT type FROM events WHERE object_id = $1 ORDER BY seq',
      [applied.body['id']],
    );
    expect(events.map((event) => event.type)).toEqual([
      'participant.applied',
      'participant.approved',
    ]);
    await carryEvents(app.deps);
    const mails = await query<{ type: string }>(
      db,
      'SELECT type FROM mails WHERE account_id = $1',
      [partner.id],
    );
    expect(mails).toEqual([{ type: 'participant.approved' }]);
  });
});

describe('applications that are refused', () => {
  it.each(['pending', 'approved', 'rejected', 'suspended'] as const)(
    'are those of a partner who is %s there',
    async (status) => {
      const program = await buildProgram(db);
      const { api, partner } = await signedIn();
      await buildParticipant(db, { program, partnerId: partner.id, status });
      expect(codeOf(await api.post(applicationPath(program), {}))).toEqual([
        409,
        'APPLICATION_DUPLICATE',
      ]);
    },
  );

  it('are those of an erased one', async () => {
    const program = await buildProgram(db);
    const { api, partner } = await signedIn();
    await buildParticipant(db, { program, partnerId: partner.id, erasedAt: new Date() });
    expect(codeOf(await api.post(applicationPath(program), {}))).toEqual([
      409,
      'PARTICIPANT_ERASED',
    ]);
  });

  it('are those with a code that is taken, and they store nothing', async () => {
    const program = await buildProgram(db);
    await buildParticipant(db, { program, referralCode: 'Wanted' });
    const { api, partner } = await signedIn();
    const headers = { 'Idempotency-Key': 'apply' };

    const refused = await api.post(
      applicationPath(program),
      { referralCode: 'wanted' },
      { headers },
    );

    expect(codeOf(refused)).toEqual([409, 'REFERRAL_CODE_TAKEN']);
    const rows = await query(db, 'SELECT 1 FROM participants WHERE partner_id = $1', [partner.id]);
    expect(rows).toEqual([]);
    expect((await api.post(applicationPath(program), { referralCode: 'other' })).status).toBe(201);
  });

  it('are those to a closed, an archived, an unknown programme, or one of the other mode', async () => {
    const { api } = await signedIn();
    const [closed, archived, test] = await Promise.all([
      buildProgram(db, { publicApplications: false }),
      buildProgram(db, { status: 'archived' }),
      buildProgram(db, { mode: 'test' }),
    ]);
    expect(codeOf(await api.post(applicationPath(closed), {}))).toEqual([
      403,
      'APPLICATIONS_CLOSED',
    ]);
    expect(codeOf(await api.post(applicationPath(archived), {}))).toEqual([
      409,
      'PROGRAM_ARCHIVED',
    ]);
    for (const id of [test.id, newId(), 'nonsense']) {
      const answer = await api.post(`/api/v1/partner/programs/${id}/applications`, {});
      expect(codeOf(answer)).toEqual([404, 'PROGRAM_NOT_FOUND']);
    }
  });

  it('are all but one of those sent at once', async () => {
    const program = await buildProgram(db);
    const { api } = await signedIn();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => api.post(applicationPath(program), {})),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409, 409, 409]);
  });

  it.each([
    [{ message: 'x'.repeat(2_001) }, 'message'],
    [{ message: 5 }, 'message'],
    [{ referralCode: 'a b c' }, 'referralCode'],
    [{ referralCode: '' }, 'referralCode'],
    [{ website: 'x' }, 'website'],
  ])('are those like %j', async (body, field) => {
    const program = await buildProgram(db);
    const { api } = await signedIn();
    const answer = await api.post(applicationPath(program), body);
    expect(answer.status).toBe(400);
    expect(answer.body['details']).toMatchObject([{ field }]);
  });
});

describe("the partner's programmes", () => {
  it('are those of the current mode, over all workspaces, erased ones left out', async () => {
    const { api, partner } = await signedIn();
    const own = { partnerId: partner.id };
    const first = await buildParticipant(db, { ...own, createdAt: new Date('2026-01-01') });
    const second = await buildParticipant(db, { ...own, status: 'pending' });
    await buildPromoCode(db, first, { code: 'SAVE' });
    await buildParticipant(db, { ...own, erasedAt: new Date() });
    const test = await buildParticipant(db, { ...own, mode: 'test' });
    await buildParticipant(db);

    const live = await api.get('/api/v1/partner/programs');
    const inTest = await api.get('/api/v1/partner/programs', { mode: 'test' });

    expect(live.body).toMatchObject({
      total: 2,
      data: [
        { participantId: second.id, status: 'pending', promoCodes: [] },
        {
          programId: first.programId,
          programName: 'Demo shop',
          participantId: first.id,
          status: 'approved',
          referralCode: first.referralCode,
          promoCodes: ['SAVE'],
        },
      ],
    });
    expect(inTest.body).toMatchObject({ total: 1, data: [{ participantId: test.id }] });
  });

  it('refuses merchants and strangers', async () => {
    const member = await callerOf(app, await buildMember(db));
    expect(codeOf(await member.get('/api/v1/partner/programs'))).toEqual([403, 'FORBIDDEN']);
    expect((await app.client.get('/api/v1/partner/programs')).status).toBe(401);
  });
});
