import { resolveReferralToken } from '../../../activities/partners/referral-tokens';
import { newId } from '../../../entities/ids';
import { Program } from '../../../entities/tables/programs/program.entity';
import type { Mode } from '../../../entities/rules/values/mode';
import { query } from '../../../entities/database/sql';
import type { Db } from '../../../entities/database/sql';
import type { ApiResponse, Caller } from '../../support/api-client';
import { startTestApp, type TestApp } from '../../support/app';
import { buildMember, buildPartner, type BuiltPartner } from '../../support/build/accounts';
import {
  buildLink,
  buildParticipant,
  buildProgram,
  buildPromoCode,
  type BuiltParticipant,
  type ParticipantOverrides,
} from '../../support/build/programs';
import { carryEvents } from '../../support/build/notifications';
import { callerOf } from '../../support/callers';

let app: TestApp;
let db: Db;

beforeAll(async () => {
  app = await startTestApp();
  db = app.deps.db.manager;
});

afterAll(() => app.close());

interface Partner {
  partner: BuiltPartner;
  api: Caller;
}

async function signedIn(mode: Mode = 'live'): Promise<Partner> {
  const partner = await buildPartner(db);
  return { partner, api: await callerOf(app, partner, mode) };
}

async function joined(
  overrides: ParticipantOverrides & { mode?: Mode } = {},
): Promise<Partner & { participant: BuiltParticipant; path: string }> {
  const signed = await signedIn(overrides.mode);
  const participant = await buildParticipant(db, { partnerId: signed.partner.id, ...overrides });
  const path = `/api/v1/partner/programs/${participant.programId}/links`;
  return { ...signed, participant, path };
}

const applicationPath = (program: Program): string =>
  `/api/v1/partner/programs/${program.id}/applications`;

function codeOf(answer: ApiResponse): [number, unknown] {
  return [answer.status, answer.body['code']];
}

interface LinkBody {
  id: string;
  token: string;
  url: string;
  name: string | null;
  targetUrl: string;
  clicks: number;
  conversions: number;
}

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

describe('links', () => {
  it('begin with the default one, whose token is the referral code', async () => {
    const { api, participant, path } = await joined({ referralCode: 'Anna' });
    const list = await api.get<{ data: LinkBody[]; total: number }>(path);
    expect(list.body).toMatchObject({
      total: 1,
      data: [
        {
          id: participant.linkId,
          token: 'Anna',
          url: 'https://shop.example?ref=Anna',
          name: null,
          targetUrl: 'https://shop.example',
          clicks: 0,
          conversions: 0,
        },
      ],
    });
  });

  it.each(['pending', 'rejected'] as const)('are none for a %s partner', async (status) => {
    const { api, path } = await joined({ status });
    expect((await api.get(path)).body).toMatchObject({ total: 0, data: [] });
  });

  it('are made with a token of their own that resolves at once', async () => {
    const { api, participant, path } = await joined();
    const targetUrl = 'https://www.shop.example/sale?a=1&ref=old#top';

    const created = await api.post<LinkBody>(path, { name: ' Newsletter ', targetUrl });

    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(`${path}/${created.body.id}`);
    expect(created.body).toEqual({
      id: expect.any(String),
      token: expect.stringMatching(/^[A-Za-z0-9_-]{3,40}$/),
      url: `https://www.shop.example/sale?a=1&ref=${created.body.token}#top`,
      name: 'Newsletter',
      targetUrl,
      clicks: 0,
      conversions: 0,
    });
    const resolved = await resolveReferralToken(db, participant, created.body.token);
    expect(resolved?.linkId).toBe(created.body.id);
    const list = await api.get<{ data: LinkBody[] }>(path);
    expect(list.body.data[1]).toEqual(created.body);
  });

  it('lead to the website of the programme only', async () => {
    const { api, path } = await joined();
    for (const targetUrl of [
      'https://evil.example/',
      'https://evilshop.example/',
      'https://shop.example.evil.test/',
      'https://example/',
    ]) {
      expect(codeOf(await api.post(path, { targetUrl }))).toEqual([422, 'LINK_TARGET_NOT_ALLOWED']);
    }
    for (const targetUrl of [
      '/sale',
      'shop.example',
      'ftp://shop.example',
      'https://a@shop.example',
      5,
    ]) {
      const answer = await api.post(path, { targetUrl });
      expect(answer.status).toBe(400);
      expect(answer.body['details']).toMatchObject([{ field: 'targetUrl' }]);
    }
    expect((await api.get(path)).body['total']).toBe(1);
  });

  it.each([
    ['pending', 'PARTICIPANT_NOT_APPROVED'],
    ['rejected', 'PARTICIPANT_NOT_APPROVED'],
    ['suspended', 'PARTICIPANT_NOT_APPROVED'],
  ] as const)('are not made while %s', async (status, code) => {
    const { api, path } = await joined({ status });
    const answer = await api.post(path, { targetUrl: 'https://shop.example' });
    expect(codeOf(answer)).toEqual([409, code]);
  });

  it('are not made by an erased partner, nor in an archived programme', async () => {
    const targetUrl = 'https://shop.example';
    const erased = await joined({ erasedAt: new Date() });
    const archived = await joined({ program: await buildProgram(db, { status: 'archived' }) });
    expect(codeOf(await erased.api.post(erased.path, { targetUrl }))).toEqual([
      409,
      'PARTICIPANT_ERASED',
    ]);
    expect(codeOf(await archived.api.post(archived.path, { targetUrl }))).toEqual([
      409,
      'PROGRAM_ARCHIVED',
    ]);
  });

  it('lead nowhere once deleted, and the token is never issued again', async () => {
    const { api, participant, path } = await joined();
    const link = await buildLink(db, participant, { token: 'once-only' });

    const deleted = await api.delete(`${path}/${link.id}`);
    const again = await api.delete(`${path}/${link.id}`);

    expect([deleted.status, again.status]).toEqual([204, 404]);
    expect(await resolveReferralToken(db, participant, 'once-only')).toBeUndefined();
    expect((await api.get(path)).body['total']).toBe(1);
    expect((await api.get(`${path}/${link.id}/qr.svg`)).status).toBe(404);
    await expect(
      buildParticipant(db, {
        program: await db.findOneByOrFail(Program, { id: participant.programId }),
        referralCode: 'ONCE-ONLY',
      }),
    ).rejects.toMatchObject({ code: 'REFERRAL_CODE_TAKEN' });
  });

  it('keep the default one', async () => {
    const { api, participant, path } = await joined();
    const answer = await api.delete(`${path}/${participant.linkId}`);
    expect(codeOf(answer)).toEqual([409, 'LINK_IS_DEFAULT']);
  });

  it('are drawn as a QR code', async () => {
    const { api, participant, path } = await joined();
    const link = await buildLink(db, participant);
    for (const id of [participant.linkId, link.id]) {
      const code = await api.get(`${path}/${id}/qr.svg`);
      expect(code.status).toBe(200);
      expect(code.headers.get('content-type')).toContain('image/svg+xml');
      expect(code.text).toMatch(/^<svg /);
    }
  });

  it('are drawn at their greatest length too', async () => {
    const { api, path } = await joined();
    const targetUrl = `https://shop.example/${'a'.repeat(2_048 - 'https://shop.example/'.length)}`;
    const created = await api.post<LinkBody>(path, { targetUrl });
    expect(created.status).toBe(201);
    expect((await api.get(`${path}/${created.body.id}/qr.svg`)).status).toBe(200);
  });

  it("of another partner, or of one's own other programme, are 404", async () => {
    const { api, path, partner } = await joined();
    const stranger = await buildParticipant(db);
    const own = await buildParticipant(db, { partnerId: partner.id });
    const ids = [
      (await buildLink(db, stranger)).id,
      (await buildLink(db, own)).id,
      newId(),
      'nonsense',
    ];
    for (const id of ids) {
      const answers = await Promise.all([
        api.delete(`${path}/${id}`),
        api.get(`${path}/${id}/qr.svg`),
      ]);
      expect(answers.map(codeOf)).toEqual(Array(2).fill([404, 'NOT_FOUND']));
    }
  });

  it('are found in programmes of the current mode only that the partner is in', async () => {
    const { api, path } = await joined();
    const stranger = await buildParticipant(db);
    const codes = await Promise.all([
      api.get(path, { mode: 'test' }),
      api.get(`/api/v1/partner/programs/${stranger.programId}/links`),
      api.post(`/api/v1/partner/programs/${stranger.programId}/links`, {
        targetUrl: 'https://shop.example',
      }),
      api.get(`/api/v1/partner/programs/nonsense/links`),
    ]);
    expect(codes.map(codeOf)).toEqual(Array(4).fill([404, 'PROGRAM_NOT_FOUND']));
  });
});
