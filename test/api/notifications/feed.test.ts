import { purgeNotifications } from '../../../activities/notifications/retention';
import { query, transaction } from '../../../entities/database/sql';
import { useApp } from '../../support/app';
import type { Caller } from '../../support/api-client';
import { buildMember, buildPartner, signIn } from '../../support/build/accounts';
import { recordEvent } from '../../../activities/journal/events';
import { exampleObject } from '../../../entities/rules/webhooks/examples';
import { carryEvents, convert, happen } from '../../support/build/notifications';
import { deliverQueued, mailTo } from '../../support/stored/mails';
import { buildParticipant, buildProgram } from '../../support/build/programs';

const app = useApp();

interface NotificationBody {
  id: string;
  type: string;
  category: string;
  title: string;
  body: string;
  data: Record<string, string>;
  readAt: string | null;
  createdAt: string;
}

interface Page {
  data: NotificationBody[];
  total: number;
}

const feed = '/api/v1/notifications';
const partnerFeed = '/api/v1/partner/notifications';

async function buildShop() {
  const { db } = app.deps;
  const owner = await buildMember(db.manager, { role: 'owner' });
  const { workspaceId } = owner;
  const sign = async (role: 'viewer' | 'member' | 'owner'): Promise<string> => {
    const member = role === 'owner' ? owner : await buildMember(db.manager, { workspaceId, role });
    return (await signIn(app.deps, member)).accessToken;
  };
  const as = async (role: 'viewer' | 'member' | 'owner') => app.client.as(await sign(role), 'live');
  const scope = { workspaceId, mode: 'live' } as const;
  return {
    scope,
    owner: await as('owner'),
    member: await as('member'),
    viewer: await as('viewer'),
  };
}

async function buildPartnerIn(workspaceId: string) {
  const db = app.deps.db.manager;
  const program = await buildProgram(db, { workspaceId, mode: 'live', name: 'Tea Club' });
  const partner = await buildPartner(db, { name: 'Ada' });
  const participant = await buildParticipant(db, {
    program,
    partnerId: partner.id,
    partnerName: 'Ada',
    partnerEmail: partner.email,
  });
  const { accessToken } = await signIn(app.deps, partner);
  const object = { program_id: program.id, participant_id: participant.id };
  return { partner, program, participant, object, api: app.client.as(accessToken, 'live') };
}

const list = async (api: Caller, path: string): Promise<Page> => (await api.get<Page>(path)).body;
const unread = async (api: Caller, path = feed): Promise<number> =>
  (await api.get<{ count: number }>(`${path}/unread-count`)).body.count;

describe("a member's feed (notifications.md, Feeds)", () => {
  it('shows what happened, newest first, in its own mode only', async () => {
    const { scope, owner } = await buildShop();
    const first = await convert(app.deps, scope);
    const second = await convert(app.deps, scope);
    await convert(app.deps, { ...scope, mode: 'test' });

    const page = await list(owner, feed);
    expect(page.total).toBe(2);
    expect(page.data.map(({ data }) => data['conversionId'])).toEqual([second, first]);
    expect(page.data[0]).toMatchObject({
      type: 'conversion.created',
      category: 'conversions',
      readAt: null,
    });
    const test = await owner.get<Page>(feed, { mode: 'test' });
    expect(test.body.total).toBe(1);
  });

  it('filters by category and by unread, and refuses other values', async () => {
    const { scope, owner } = await buildShop();
    const { object } = await buildPartnerIn(scope.workspaceId);
    await convert(app.deps, scope);
    await happen(app.deps, scope, { type: 'commission.refunded', object });
    const [newest] = (await list(owner, feed)).data;
    await owner.post(`${feed}/${newest?.id}/read`);

    expect((await list(owner, `${feed}?category=commissions`)).data[0]).toMatchObject({
      id: newest?.id,
      readAt: expect.any(String) as string,
    });
    expect((await list(owner, `${feed}?unread=true`)).data.map(({ type }) => type)).toEqual([
      'conversion.created',
    ]);
    expect((await list(owner, `${feed}?unread=false`)).total).toBe(1);
    expect((await owner.get(`${feed}?category=programs`)).status).toBe(400);
    expect((await owner.get(`${feed}?unread=1`)).status).toBe(400);
  });

  it('pages without repeating or skipping a row', async () => {
    const { scope, owner } = await buildShop();
    for (let n = 0; n < 5; n += 1) await convert(app.deps, scope);
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => list(owner, `${feed}?limit=2&page=${page}`)),
    );
    const ids = pages.flatMap(({ data }) => data.map(({ id }) => id));
    expect(new Set(ids).size).toBe(5);
    expect(pages.map(({ data, total }) => [data.length, total])).toEqual([
      [2, 5],
      [2, 5],
      [1, 5],
      [0, 5],
    ]);
  });

  it('is read by each member alone and dismissed for all', async () => {
    const { scope, owner, member, viewer } = await buildShop();
    await convert(app.deps, scope);
    await convert(app.deps, scope);
    const [newest, oldest] = (await list(owner, feed)).data;

    const read = await owner.post<NotificationBody>(`${feed}/${newest?.id}/read`);
    const again = await owner.post<NotificationBody>(`${feed}/${newest?.id}/read`);
    expect([read.status, again.body.readAt]).toEqual([200, read.body.readAt]);
    expect([await unread(owner), await unread(member)]).toEqual([1, 2]);

    expect((await viewer.post(`${feed}/${newest?.id}/dismiss`)).status).toBe(403);
    expect((await viewer.post(`${feed}/dismiss-read`)).status).toBe(403);
    const dismissed = await member.post<NotificationBody>(`${feed}/${oldest?.id}/dismiss`);
    expect((await member.post(`${feed}/${oldest?.id}/dismiss`)).status).toBe(200);
    expect(dismissed.body.id).toBe(oldest?.id);
    expect([await unread(owner), await unread(member)]).toEqual([0, 1]);
    expect((await list(owner, feed)).total).toBe(1);

    expect((await member.post(`${feed}/dismiss-read`)).body).toEqual({ count: 0 });
    expect((await owner.post(`${feed}/dismiss-read`)).body).toEqual({ count: 1 });
    expect((await list(member, feed)).total).toBe(0);
    expect([await unread(owner), await unread(member)]).toEqual([0, 0]);
  });

  it('is read at once, of one category or whole', async () => {
    const { scope, owner, member } = await buildShop();
    const { object } = await buildPartnerIn(scope.workspaceId);
    await convert(app.deps, scope);
    await convert(app.deps, scope);
    await happen(app.deps, scope, { type: 'commission.refunded', object });

    const some = await owner.post(`${feed}/read-all`, { category: 'conversions' });
    expect(some.body).toEqual({ count: 2 });
    expect([await unread(owner), await unread(member)]).toEqual([1, 3]);
    await convert(app.deps, scope);
    expect((await owner.post(`${feed}/read-all`)).body).toEqual({ count: 2 });
    expect((await owner.post(`${feed}/read-all`)).body).toEqual({ count: 0 });
    expect(await unread(owner)).toBe(0);
    expect((await list(owner, `${feed}?unread=true`)).total).toBe(0);
    expect((await owner.post(`${feed}/dismiss-read`, { category: 'conversions' })).body).toEqual({
      count: 3,
    });
    expect((await list(member, feed)).data.map(({ type }) => type)).toEqual([
      'commission.refunded',
    ]);
    expect(await unread(member)).toBe(1);
  });

  it("knows nothing of another workspace's, another mode's or the other side's", async () => {
    const mine = await buildShop();
    const other = await buildShop();
    const { api } = await buildPartnerIn(mine.scope.workspaceId);
    await convert(app.deps, other.scope);
    const [theirs] = (await list(other.owner, feed)).data;
    for (const action of ['read', 'dismiss']) {
      expect((await mine.owner.post(`${feed}/${theirs?.id}/${action}`)).status).toBe(404);
      expect((await api.post(`${partnerFeed}/${theirs?.id}/${action}`)).status).toBe(404);
      const inTest = { mode: 'test' } as const;
      const answer = await other.owner.post(`${feed}/${theirs?.id}/${action}`, undefined, inTest);
      expect(answer.status).toBe(404);
    }
    expect(await unread(other.owner)).toBe(1);
  });
});

describe('security notices', () => {
  it('are shown in both modes, to admins, and to whom they concern', async () => {
    const { owner, viewer } = await buildShop();
    await owner.post('/api/v1/workspace/api-keys', { kind: 'secret', mode: 'test' });
    for (const mode of ['test', 'live'] as const) {
      const page = await owner.get<Page>(feed, { mode });
      expect(page.body.data.map(({ type }) => type)).toEqual(['security.api_key_created']);
    }
    const [notice] = (await list(owner, feed)).data;
    expect((await list(viewer, feed)).total).toBe(0);
    expect(await unread(viewer)).toBe(0);
    expect((await viewer.post(`${feed}/${notice?.id}/read`)).status).toBe(404);

    expect((await owner.post(`${feed}/read-all`, undefined, { mode: 'test' })).body).toEqual({
      count: 1,
    });
    expect(await unread(owner)).toBe(0);
  });
});

describe("a partner's feed", () => {
  it("tells of a commission's life and of payouts, and of nobody else's", async () => {
    const { scope, owner } = await buildShop();
    const { object, api, participant } = await buildPartnerIn(scope.workspaceId);
    const stranger = await buildPartnerIn(scope.workspaceId);
    await happen(app.deps, scope, { type: 'commission.created', object });
    await happen(app.deps, scope, { type: 'commission.approved', object });
    await happen(app.deps, scope, {
      type: 'payout.completed',
      object: {
        program_id: object.program_id,
        items: [
          {
            status: 'paid',
            participant_id: participant.id,
            currency: 'eur',
            amount_cents: 500,
            commission_ids: [],
          },
          {
            status: 'paid',
            participant_id: participant.id,
            currency: 'usd',
            amount_cents: 700,
            commission_ids: [],
          },
        ],
      },
    });

    const page = await list(api, partnerFeed);
    expect(page.data.map(({ type }) => type)).toEqual([
      'payout.completed',
      'commission.approved',
      'commission.created',
    ]);
    expect(page.data[0]?.title).toBe('You were paid EUR 5.00 and USD 7.00');
    expect((await list(stranger.api, partnerFeed)).total).toBe(0);
    expect((await list(owner, feed)).data.map(({ type }) => type)).toEqual(['payout.completed']);
    expect((await api.post(`${partnerFeed}/read-all`)).body).toEqual({ count: 3 });
    expect((await api.post(`${partnerFeed}/dismiss-read`)).body).toEqual({ count: 3 });
    expect((await api.get(feed)).status).toBe(403);
  });

  it('tells of a reinstatement as such, and the merchant of who joined', async () => {
    const { scope, owner } = await buildShop();
    const { object, api, participant } = await buildPartnerIn(scope.workspaceId);
    const about = { id: participant.id, ...object };
    const type = 'participant.approved';
    await happen(app.deps, scope, { type, object: about, cause: 'reinstate' });
    await happen(app.deps, scope, { type, object: about, cause: 'accept' });
    expect((await list(api, partnerFeed)).data.map((one) => one.type)).toEqual([
      'participant.approved',
      'participant.reinstated',
    ]);
    expect((await list(owner, feed)).data.map((one) => one.title)).toEqual(['Ada joined']);
  });
});

describe('a notice that is written late', () => {
  it('tells when it happened, in the feed and by mail, and leads to the own link', async () => {
    const { deps } = app;
    const { scope } = await buildShop();
    const { api, object, partner, participant } = await buildPartnerIn(scope.workspaceId);
    const happened = new Date('2026-03-01T09:30:00.000Z');
    const { id } = participant;
    const event = {
      type: 'participant.approved',
      objectId: id,
      object: { ...exampleObject('participant.approved'), ...object, id },
      at: happened,
    } as const;
    await transaction(deps.db, (tx) => recordEvent(tx, scope, event));
    await carryEvents(deps);

    const [notice] = (await list(api, partnerFeed)).data;
    expect(notice).toMatchObject({
      type: 'participant.approved',
      createdAt: happened.toISOString(),
    });
    await deliverQueued(deps);
    const { text } = await mailTo(partner.email, 'You are a partner of Tea Club');
    expect(text).toContain('Time: 2026-03-01 09:30 UTC');
    const { data } = await list(api, `/api/v1/partner/programs/${object.program_id}/links`);
    expect(text).toContain(`Your link: ${(data[0] as unknown as { url: string }).url}`);
  });
});

describe('preferences (notifications.md, Preferences)', () => {
  it('decide what is shown, and who gets a mail', async () => {
    const { scope, owner } = await buildShop();
    const { object } = await buildPartnerIn(scope.workspaceId);
    await convert(app.deps, scope);
    const changed = await owner.patch<{ preferences: { category: string }[] }>(
      `${feed}/preferences`,
      {
        preferences: [
          { category: 'conversions', inApp: false },
          { category: 'commissions', email: true },
        ],
      },
    );
    expect(changed.body.preferences).toContainEqual({
      category: 'conversions',
      inApp: false,
      email: false,
      protected: false,
    });
    expect((await owner.get(`${feed}/preferences`)).body).toEqual(changed.body);
    expect((await list(owner, feed)).total).toBe(0);
    expect(await unread(owner)).toBe(0);

    await happen(app.deps, scope, { type: 'commission.refunded', object });
    const mails = await query<{ type: string; side: string }>(
      app.deps.db.manager,
      `SELECT type, side FROM mails WHERE workspace_id = $1 ORDER BY side`,
      [scope.workspaceId],
    );
    expect(mails).toEqual([
      { type: 'commission.refunded', side: 'merchant' },
      { type: 'commission.refunded', side: 'partner' },
    ]);
  });

  it('are changed all or nothing, and never for security', async () => {
    const { scope, owner } = await buildShop();
    const { api } = await buildPartnerIn(scope.workspaceId);
    const change = (preferences: object[]) => owner.patch(`${feed}/preferences`, { preferences });
    const refused = await change([
      { category: 'payouts', email: false },
      { category: 'security', email: true },
    ]);
    expect([refused.status, refused.body['code']]).toEqual([409, 'PROTECTED_CATEGORY']);
    expect((await change([{ category: 'programs', email: false }])).status).toBe(400);
    expect((await change([{ category: 'payouts' }, { category: 'payouts' }])).status).toBe(400);
    expect((await change([])).status).toBe(400);
    const { body } = await owner.get<{ preferences: object[] }>(`${feed}/preferences`);
    expect(body.preferences).toContainEqual({
      category: 'payouts',
      inApp: true,
      email: true,
      protected: false,
    });
    const partners = await api.get<{ preferences: { category: string }[] }>(
      `${partnerFeed}/preferences`,
    );
    expect(partners.body.preferences.map(({ category }) => category)).toEqual([
      'programs',
      'commissions',
      'payouts',
      'security',
    ]);
  });
});

it('forgets notifications that are older than it is told, and counts them no more', async () => {
  const { scope, owner } = await buildShop();
  await convert(app.deps, scope);
  await convert(app.deps, scope);
  const [, oldest] = (await list(owner, feed)).data;
  const db = app.deps.db.manager;
  const millisecond = parseInt((oldest?.id ?? '').replace('-', '').slice(0, 12), 16);
  expect(await purgeNotifications(db, new Date(millisecond + 1), 500)).toBeGreaterThan(0);
  expect([(await list(owner, feed)).total, await unread(owner)]).toEqual([1, 1]);
});
