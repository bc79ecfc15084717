import { newId } from '../../../entities/ids';
import type { Mode } from '../../../entities/rules/values/mode';
import { query } from '../../../entities/database/sql';
import type { Db } from '../../../entities/database/sql';
import { useApp } from '../../support/app';
import { buildMember } from '../../support/build/accounts';
import { buildProgram } from '../../support/build/programs';
import { callerOf } from '../../support/callers';
import { codeOf } from '../../support/api-client';
import { accept, inviteShops, tokenOf } from '../../support/partners/invites';

const app = useApp();
let db: Db;

beforeAll(async () => {
  db = app.deps.db.manager;
});

afterEach(() => app.deps.clock.set(undefined));

const { openShop, invite, partnerCaller } = inviteShops(() => app);

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
    const one = await shop.api.get(`${shop.path}/${created.body.id}`);
    expect((list.body as { data: unknown[] }).data).toEqual([one.body]);
    expect((await shop.api.get(`${shop.path}/${newId()}`)).status).toBe(404);
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
      nextCursor: null,
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
});

it('lists by what became of them', async () => {
  const shop = await openShop();
  const old = await invite(shop, 'old@partner.example');
  await query(db, 'UPDATE partner_invites SET expires_at = created_at WHERE id = $1', [old.id]);
  const { partner, api } = await partnerCaller();
  const taken = await invite(shop, partner.email);
  expect((await api.post(accept, { token: taken.token })).status).toBe(201);
  const open = await invite(shop, 'open@partner.example');
  const idsOf = async (status: string) => {
    const { body } = await shop.api.get<{ data: { id: string }[] }>(
      `${shop.path}?status=${status}`,
    );
    return body.data.map(({ id }) => id);
  };
  expect(await idsOf('pending')).toEqual([open.id]);
  expect(await idsOf('accepted')).toEqual([taken.id]);
  expect(await idsOf('expired')).toEqual([old.id]);
  expect((await shop.api.get(`${shop.path}?status=deleted`)).status).toBe(400);
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
