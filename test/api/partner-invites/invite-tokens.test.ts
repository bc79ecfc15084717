import { query } from '../../../entities/database/sql';
import type { Db } from '../../../entities/database/sql';
import { useApp } from '../../support/app';
import { buildMember } from '../../support/build/accounts';
import { callerOf } from '../../support/callers';
import { codeOf } from '../../support/api-client';
import { accept, expired, inviteShops } from '../../support/partners/invites';

const day = 24 * 60 * 60 * 1_000;

const app = useApp();
let db: Db;

beforeAll(async () => {
  db = app.deps.db.manager;
});

afterEach(() => app.deps.clock.set(undefined));

const { openShop, invite, partnerCaller } = inviteShops(() => app);

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
