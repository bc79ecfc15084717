import { resolveReferralToken } from '../../../activities/partners/referral-tokens';
import { newId } from '../../../entities/ids';
import { Program } from '../../../entities/tables/programs/program.entity';
import type { Mode } from '../../../entities/rules/values/mode';
import type { Db } from '../../../entities/database/sql';
import { codeOf } from '../../support/api-client';
import { useApp } from '../../support/app';
import { buildPartner } from '../../support/build/accounts';
import {
  buildLink,
  buildParticipant,
  buildProgram,
  type ParticipantOverrides,
} from '../../support/build/programs';
import { callerOf } from '../../support/callers';
import { oneRow } from '../../support/rows';

const app = useApp();
let db: Db;

beforeAll(async () => {
  db = app.deps.db.manager;
});

async function joined(overrides: ParticipantOverrides & { mode?: Mode } = {}) {
  const partner = await buildPartner(db);
  const api = await callerOf(app, partner, overrides.mode);
  const participant = await buildParticipant(db, { partnerId: partner.id, ...overrides });
  const path = `/api/v1/partner/programs/${participant.programId}/links`;
  return { partner, api, participant, path };
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

describe('links (programmes.md, Codes and links)', () => {
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
    expect((await api.get(`${path}/${created.body.id}`)).body).toEqual(created.body);
    expect((await api.get(`${path}/${newId()}`)).status).toBe(404);
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
    const unknown = await archived.api.delete(`${archived.path}/${newId()}`);
    expect(codeOf(unknown)).toEqual([404, 'NOT_FOUND']);
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
        program: await oneRow(db, Program, { id: participant.programId }),
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
