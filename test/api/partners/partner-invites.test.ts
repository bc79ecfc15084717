import { newId } from '../../../entities/ids';
import type { Program } from '../../../entities/tables/programs/program.entity';
import { erasedEmail } from '../../../entities/rules/erasure/erasure';
import type { Mode } from '../../../entities/rules/values/mode';
import { query } from '../../../entities/database/sql';
import type { Db } from '../../../entities/database/sql';
import type { ApiResponse, Caller } from '../../support/api-client';
import { startTestApp, type TestApp } from '../../support/app';
import { buildMember, buildPartner } from '../../support/build/accounts';
import { buildParticipant, buildProgram } from '../../support/build/programs';
import { callerOf } from '../../support/callers';

const day = 24 * 60 * 60 * 1_000;
const accept = '/api/v1/partner/invites/accept';

let app: TestApp;
let db: Db;

beforeAll(async () => {
  app = await startTestApp();
  db = app.deps.db.manager;
});

afterEach(() => app.deps.clock.set(undefined));
afterAll(() => app.close());

interface Shop {
  api: Caller;
  program: Program;
  path: string;
}

async function openShop(mode: Mode = 'live', overrides: Partial<Program> = {}): Promise<Shop> {
  const member = await buildMember(db, { role: 'member' });
  const program = await buildProgram(db, {
    workspaceId: member.workspaceId,
    mode,
    ...overrides,
  });
  const api = await callerOf(app, member, mode);
  return { api, program, path: `/api/v1/programs/${program.id}/invites` };
}

async function invite(shop: Shop, email = 'anna@partner.example') {
  const created = await shop.api.post<{ id: string; inviteUrl: string; expiresAt: string }>(
    shop.path,
    { email },
  );
  expect(created.status).toBe(201);
  return { ...created.body, token: tokenOf(created.body.inviteUrl), answer: created };
}

function tokenOf(inviteUrl: string): string {
  return new URL(inviteUrl).searchParams.get('token') ?? '';
}

async function partnerCaller(mode: Mode = 'live') {
  const partner = await buildPartner(db);
  return { partner, api: await callerOf(app, partner, mode) };
}

function codeOf(answer: ApiResponse): [number, unknown] {
  return [answer.status, answer.body['code']];
}

const expired = [410, 'INVITE_EXPIRED'];

describe.each<Mode>(['test', 'live'])('invites in %s mode', (mode) => {
  it('invites, lists without the link, and queues a mail', async () => {
    const now = new Date('2030-01-01T00:00:00.000Z');
    app.deps.clock.set(now);
    const shop = await openShop(mode);

    const created = await shop.api.post<{ id: string; inviteUrl: string; expiresAt: string }>(
      shop.path,
      { email: ' Anna@Partner.EXAMPLE ', name: 'Anna' },
    );
    const list = await shop.api.get(shop.path);

    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(`${shop.path}/${created.body.id}`);
    expect(created.headers.get('cache-control')).toBe('no-store');
    expect(created.body).toEqual({
      id: expect.any(String),
      inviteUrl: expect.stringMatching(/\/partner-invite\?token=[\w-]+$/),
      expiresAt: '2030-01-15T00:00:00.000Z',
    });
    expect(list.body).toEqual({
      data: [
        {
          id: created.body.id,
          email: 'anna@partner.example',
          name: 'Anna',
          status: 'pending',
          expiresAt: '2030-01-15T00:00:00.000Z',
          createdAt: now.toISOString(),
        },
      ],
      total: 1,
      page: 1,
      limit: 20,
    });
    const mails = await query(
      db,
      'SELECT type, recipient, mode, params FROM mails WHERE workspace_id = $1',
      [shop.program.workspaceId],
    );
    expect(mails).toEqual([
      {
        type: 'partner.invited',
        recipient: 'anna@partner.example',
        mode,
        params: expect.objectContaining({ inviteId: created.body.id, programName: 'Demo shop' }),
      },
    ]);
  });

  it('makes whoever holds the token an approved participant', async () => {
    const shop = await openShop(mode);
    const { token } = await invite(shop);
    const { api, partner } = await partnerCaller(mode);

    const accepted = await api.post(accept, { token });

    expect(accepted.status).toBe(201);
    expect(accepted.headers.get('location')).not.toBeNull();
    expect(accepted.body).toMatchObject({
      programId: shop.program.id,
      partnerGpaId: partner.id,
      partnerName: partner.name,
      partnerEmail: partner.email,
      status: 'approved',
    });
    expect(accepted.body['approvedAt']).not.toBeNull();
    const list = await shop.api.get<{ data: { status: string }[] }>(shop.path);
    expect(list.body.data[0]?.status).toBe('accepted');
    const events = await query(db, 'SELECT type, mode FROM events WHERE object_id = $1', [
      accepted.body['id'],
    ]);
    expect(events).toEqual([{ type: 'participant.approved', mode }]);
  });
});

describe('what a token is worth', () => {
  it('is spent by the first account, for which a repeat is no error', async () => {
    const { token } = await invite(await openShop());
    const [first, second] = await Promise.all([partnerCaller(), partnerCaller()]);
    const accepted = await first.api.post(accept, { token });
    const repeat = await first.api.post(accept, { token });
    const other = await second.api.post(accept, { token });
    expect([accepted.status, repeat.status]).toEqual([201, 200]);
    expect(repeat.body).toEqual(accepted.body);
    expect(codeOf(other)).toEqual(expired);
  });

  it('lets exactly one of several accounts in that hold it at once', async () => {
    const shop = await openShop();
    const { token } = await invite(shop);
    const rivals = await Promise.all(Array.from({ length: 4 }, () => partnerCaller()));
    const answers = await Promise.all(rivals.map(({ api }) => api.post(accept, { token })));
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 410, 410, 410]);
    const partners = await shop.api.get(`/api/v1/programs/${shop.program.id}/partners`);
    expect(partners.body['total']).toBe(1);
  });

  it('makes one participant of several accepts of one account at once', async () => {
    const { token } = await invite(await openShop());
    const { api } = await partnerCaller();
    const answers = await Promise.all(Array.from({ length: 4 }, () => api.post(accept, { token })));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 200, 200, 201]);
    expect(new Set(answers.map((answer) => answer.body['id'])).size).toBe(1);
  });

  it('dies after 14 days', async () => {
    const shop = await openShop();
    const { token } = await invite(shop);
    const { partner } = await partnerCaller();
    app.deps.clock.advance(14 * day + 1_000);
    const [later, merchant] = await Promise.all([
      callerOf(app, partner),
      buildMember(db, { workspaceId: shop.program.workspaceId }).then((member) =>
        callerOf(app, member),
      ),
    ]);
    expect(codeOf(await later.post(accept, { token }))).toEqual(expired);
    const list = await merchant.get<{ data: { status: string }[] }>(shop.path);
    expect(list.body.data[0]?.status).toBe('expired');
  });

  it('dies when the invite is withdrawn, which leaves the list', async () => {
    const shop = await openShop();
    const { id, token } = await invite(shop);
    const { api } = await partnerCaller();
    const removed = await shop.api.delete(`${shop.path}/${id}`);
    const again = await shop.api.delete(`${shop.path}/${id}`);
    expect([removed.status, again.status]).toEqual([204, 404]);
    expect(codeOf(await api.post(accept, { token }))).toEqual(expired);
    expect((await shop.api.get(shop.path)).body['total']).toBe(0);
  });

  it('dies when the invite is sent again, to the new link, for 14 days from then', async () => {
    const shop = await openShop();
    const { id, token } = await invite(shop);
    app.deps.clock.advance(1_000);

    const resent = await shop.api.post(`${shop.path}/${id}/resend`);
    const second = await invite(shop);
    const { api } = await partnerCaller();

    expect([resent.status, resent.body]).toEqual([202, {}]);
    expect(second.id).toBe(id);
    expect(codeOf(await api.post(accept, { token }))).toEqual(expired);
    expect((await api.post(accept, { token: second.token })).status).toBe(201);
    const mails = await query<{ generation: number }>(
      db,
      `SELECT (params ->> 'generation')::int AS generation FROM mails
        WHERE params ->> 'inviteId' = $1 ORDER BY id`,
      [id],
    );
    expect(mails.map((mail) => mail.generation)).toEqual([1, 2, 3]);
  });

  it('is a new invite after the first was taken up', async () => {
    const shop = await openShop();
    const first = await invite(shop);
    const { api } = await partnerCaller();
    await api.post(accept, { token: first.token });
    const second = await invite(shop);
    expect(second.id).not.toBe(first.id);
    expect(codeOf(await shop.api.post(`${shop.path}/${first.id}/resend`))).toEqual(expired);
    expect((await shop.api.get(shop.path)).body['total']).toBe(2);
  });

  it('holds in its own mode only', async () => {
    const { token } = await invite(await openShop('test'));
    const { api } = await partnerCaller('live');
    expect(codeOf(await api.post(accept, { token }))).toEqual(expired);
    expect((await api.post(accept, { token }, { mode: 'test' })).status).toBe(201);
  });

  it.each([
    '',
    'x',
    'x'.repeat(999),
    'A'.repeat(65),
    'ü'.repeat(65),
    '../../etc',
    `${'A'.repeat(64)}=`,
  ])('is nothing when it was never issued: %s', async (token) => {
    const { api } = await partnerCaller();
    expect(codeOf(await api.post(accept, { token }))).toEqual(expired);
  });

  it('does not open when any of its characters is another', async () => {
    const { token } = await invite(await openShop());
    const { api } = await partnerCaller();
    for (const at of [0, 21, 22, 64]) {
      const forged = token.slice(0, at) + (token[at] === 'B' ? 'C' : 'B') + token.slice(at + 1);
      expect(codeOf(await api.post(accept, { token: forged }))).toEqual(expired);
    }
  });
});

describe('accepting as somebody who is in the programme', () => {
  it.each(['pending', 'rejected'] as const)(
    'approves a %s participant in place',
    async (status) => {
      const shop = await openShop();
      const { api, partner } = await partnerCaller();
      const participant = await buildParticipant(db, {
        program: shop.program,
        partnerId: partner.id,
        status,
        statusReason: status === 'rejected' ? 'No website' : null,
        referralCode: `code-${status}`,
      });
      const { token } = await invite(shop);
      const accepted = await api.post(accept, { token });
      expect(accepted.status).toBe(200);
      expect(accepted.body).toMatchObject({
        id: participant.id,
        status: 'approved',
        statusReason: null,
        referralCode: `code-${status}`,
      });
    },
  );

  it('changes nothing for an approved one, and spends the invite', async () => {
    const shop = await openShop();
    const { api, partner } = await partnerCaller();
    const participant = await buildParticipant(db, {
      program: shop.program,
      partnerId: partner.id,
    });
    const { token } = await invite(shop);
    const accepted = await api.post(accept, { token });
    expect(accepted.body).toMatchObject({ id: participant.id, status: 'approved' });
    expect(await query(db, 'SELECT 1 FROM events WHERE object_id = $1', [participant.id])).toEqual(
      [],
    );
    const other = await partnerCaller();
    expect(codeOf(await other.api.post(accept, { token }))).toEqual(expired);
  });

  it('never lifts a suspension or an erasure, and does not spend the invite then', async () => {
    const shop = await openShop();
    const { token } = await invite(shop);
    const suspended = await partnerCaller();
    const erased = await partnerCaller();
    await buildParticipant(db, {
      program: shop.program,
      partnerId: suspended.partner.id,
      status: 'suspended',
    });
    await buildParticipant(db, {
      program: shop.program,
      partnerId: erased.partner.id,
      erasedAt: new Date(),
    });

    expect(codeOf(await suspended.api.post(accept, { token }))).toEqual([
      409,
      'PARTICIPANT_INVALID_TRANSITION',
    ]);
    expect(codeOf(await erased.api.post(accept, { token }))).toEqual([409, 'PARTICIPANT_ERASED']);
    const fresh = await partnerCaller();
    expect((await fresh.api.post(accept, { token })).status).toBe(201);
  });

  it('invites the address of an erased participant as any other, and leaves it erased', async () => {
    const shop = await openShop();
    const { partner, api } = await partnerCaller();
    const { id } = await buildParticipant(db, {
      program: shop.program,
      partnerId: partner.id,
      partnerEmail: erasedEmail,
      erasedAt: new Date(),
    });

    // A refusal would reveal whose address the erased participant had.
    const { token } = await invite(shop, partner.email);

    expect(codeOf(await api.post(accept, { token }))).toEqual([409, 'PARTICIPANT_ERASED']);
    const rows = await query(
      db,
      `SELECT erased_at IS NOT NULL AS erased, partner_email AS email,
              (SELECT status FROM partner_invites WHERE program_id = p.program_id) AS invite
         FROM participants AS p WHERE id = $1`,
      [id],
    );
    expect(rows).toEqual([{ erased: true, email: erasedEmail, invite: 'pending' }]);
  });

  it('refuses an invite into a programme that was archived meanwhile', async () => {
    const shop = await openShop();
    const { id, token } = await invite(shop);
    const owner = await buildMember(db, { workspaceId: shop.program.workspaceId });
    const api = await callerOf(app, owner);
    await api.post(`/api/v1/programs/${shop.program.id}/archive`);
    const partner = await partnerCaller();
    expect(codeOf(await partner.api.post(accept, { token }))).toEqual([409, 'PROGRAM_ARCHIVED']);
    expect(codeOf(await api.post(`${shop.path}/${id}/resend`))).toEqual([409, 'PROGRAM_ARCHIVED']);
    expect(codeOf(await api.delete(`${shop.path}/${id}`))).toEqual([409, 'PROGRAM_ARCHIVED']);
  });
});

describe('who may invite', () => {
  it('refuses viewers and partners, strangers and wrong fields', async () => {
    const shop = await openShop();
    const { id } = await invite(shop);
    const { workspaceId } = shop.program;
    const viewer = await callerOf(app, await buildMember(db, { workspaceId, role: 'viewer' }));
    const { api: partner } = await partnerCaller();
    const stranger = await openShop();

    for (const api of [viewer, partner, stranger.api]) {
      const answers = await Promise.all([
        api.post(shop.path, { email: 'b@partner.example' }),
        api.post(`${shop.path}/${id}/resend`),
        api.delete(`${shop.path}/${id}`),
      ]);
      expect(answers.map(codeOf)).toEqual(Array(3).fill([403, 'FORBIDDEN']));
    }
    expect((await viewer.get(shop.path)).status).toBe(200);
    expect((await shop.api.post(accept, { token: 'x' })).status).toBe(403);
    for (const body of [{}, { email: 'none' }, { email: 'a@b.example', role: 'x' }, { email: 5 }]) {
      expect((await shop.api.post(shop.path, body)).status).toBe(400);
    }
    expect((await partner.post(accept, {})).status).toBe(400);
  });

  it('answers 404 for an invite of another programme, and for none', async () => {
    const shop = await openShop();
    const other = await buildProgram(db, { workspaceId: shop.program.workspaceId });
    const elsewhere = await invite({ ...shop, path: `/api/v1/programs/${other.id}/invites` });
    for (const id of [elsewhere.id, newId(), 'nonsense']) {
      const answers = await Promise.all([
        shop.api.delete(`${shop.path}/${id}`),
        shop.api.post(`${shop.path}/${id}/resend`),
      ]);
      expect(answers.map(codeOf)).toEqual(Array(2).fill([404, 'NOT_FOUND']));
    }
  });

  it('replays the link for a repeated Idempotency-Key instead of a second invite', async () => {
    const shop = await openShop();
    const headers = { 'Idempotency-Key': 'invite-1' };
    const first = await shop.api.post(shop.path, { email: 'c@partner.example' }, { headers });
    const second = await shop.api.post(shop.path, { email: 'c@partner.example' }, { headers });
    expect(second.body).toEqual(first.body);
    const { api } = await partnerCaller();
    const token = tokenOf(String(first.body['inviteUrl']));
    expect((await api.post(accept, { token })).status).toBe(201);
  });
});
