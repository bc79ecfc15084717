import { createApp } from '../../../api/app';
import { createApiServer, listen } from '../../../api/http/server/server';
import { execute } from '../../../entities/database/sql';
import type { AddressInfo } from 'node:net';
import { startTestApp, type TestApp } from '../../support/app';
import { buildMember, buildPartner, signIn, testPassword } from '../../support/build/accounts';
import { buildTwoFactor } from '../../support/build/two-factor';
import { carryFeeds, convert } from '../../support/build/notifications';
import { openStream, until, type OpenStream } from '../../support/answers/event-stream';

let app: TestApp;
/** A second API process on the same database and Redis. */
let otherUrl: string;
let closeOther: () => Promise<void>;

beforeAll(async () => {
  app = await startTestApp();
  const { listener, endStreams } = createApp(app.deps);
  const server = createApiServer(listener);
  await listen(server, 0, '127.0.0.1');
  otherUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  closeOther = async () => {
    endStreams();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
});
afterAll(async () => {
  await closeOther();
  await app.close();
});

const open: OpenStream[] = [];
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

const path = '/api/v1/notifications/stream';

async function buildReader() {
  const member = await buildMember(app.deps.db.manager);
  const { accessToken: token, ...session } = await signIn(app.deps, member);
  const scope = { workspaceId: member.workspaceId, mode: 'live' } as const;
  const follow = async (
    options: { lastEventId?: string; mode?: 'test' | 'live'; url?: string } = {},
  ) => {
    const { url = app.url, ...rest } = options;
    const stream = await openStream(url + path, { token, ...rest });
    open.push(stream);
    await until(() => stream.unread() !== undefined);
    return stream;
  };
  return { member, token, session, scope, follow, api: app.client.as(token, 'live') };
}

describe('a stream (notifications.md, Stream)', () => {
  it('begins with the unread count and goes on with what happens', async () => {
    const { scope, follow, api } = await buildReader();
    await convert(app.deps, scope);
    const stream = await follow();
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect([stream.unread(), stream.ids()]).toEqual([1, []]);

    await convert(app.deps, scope);
    await until(() => stream.ids().length === 1 && stream.unread() === 2);
    const [sent] = stream.events.filter(({ event }) => event === 'notification');
    const { body } = await api.get<{ data: object[] }>('/api/v1/notifications');
    expect(sent?.data).toEqual(body.data[0]);
    expect(sent?.id).toBe(sent?.data['id']);
    expect(stream.events.find(({ event }) => event === 'unread-count')?.id).toBeUndefined();
  });

  it('shows its own mode, and security notices in both', async () => {
    const { scope, follow, api } = await buildReader();
    const live = await follow();
    const test = await follow({ mode: 'test' });
    await convert(app.deps, { ...scope, mode: 'test' });
    await api.post('/api/v1/workspace/api-keys', { kind: 'secret', mode: 'test' });
    await carryFeeds(app.deps);
    await until(() => live.ids().length === 1 && test.ids().length === 2);
    const types = (stream: OpenStream) => stream.events.flatMap(({ data }) => data['type'] ?? []);
    expect(types(live)).toEqual(['security.api_key_created']);
    expect(types(test)).toEqual(['conversion.created', 'security.api_key_created']);
  });

  it('sends the count of another tab, over several processes', async () => {
    const { scope, follow, api } = await buildReader();
    const here = await follow();
    const there = await follow({ url: otherUrl });
    await convert(app.deps, scope);
    await until(() => here.unread() === 1 && there.unread() === 1);
    await api.post('/api/v1/notifications/read-all');
    await carryFeeds(app.deps);
    await until(() => here.unread() === 0 && there.unread() === 0);
    expect([here.ids(), there.ids()]).toEqual([here.ids(), here.ids()]);
  });

  it('goes on where another stopped, also after a dismissed one, without loss or repeats', async () => {
    const { scope, follow, api } = await buildReader();
    const first = await follow();
    await convert(app.deps, scope);
    await until(() => first.ids().length === 1);
    first.close();
    const [lastEventId = ''] = first.ids();
    await api.post(`/api/v1/notifications/${lastEventId}/dismiss`);
    await convert(app.deps, scope);
    await convert(app.deps, scope);

    const { body } = await api.get<{ data: { id: string }[] }>('/api/v1/notifications');
    const missed = body.data.map(({ id }) => id).reverse();
    const second = await follow({ lastEventId, url: otherUrl });
    await until(() => second.ids().length === 2);
    expect(second.ids()).toEqual(missed);
    const third = await openStream(`${app.url}${path}?lastEventId=${missed[0]}`, {
      token: (await signIn(app.deps, await sameMember(scope.workspaceId))).accessToken,
    });
    open.push(third);
    await until(() => third.ids().length === 1);
    expect(third.ids()).toEqual([missed[1]]);
  });

  it('can be resumed though it has sent no notification yet', async () => {
    const { scope, follow } = await buildReader();
    await convert(app.deps, scope);
    const first = await follow();
    first.close();
    expect(first.lastId).toMatch(/^at-\d+$/);
    await convert(app.deps, scope);
    const second = await follow({ lastEventId: first.lastId ?? '', url: otherUrl });
    await until(() => second.ids().length === 1);
    expect(second.lastId).toBe(second.ids()[0]);
  });

  it('begins now after the id of a place that its feed has not reached', async () => {
    const { scope, follow } = await buildReader();
    const stream = await follow({ lastEventId: 'at-999999' });
    await convert(app.deps, scope);
    await until(() => stream.ids().length === 1);
  });

  it('sends the count of a security notice that was read in the other mode', async () => {
    const { follow, api } = await buildReader();
    await api.post('/api/v1/workspace/api-keys', { kind: 'secret', mode: 'test' });
    await carryFeeds(app.deps);
    const [live, test] = [await follow(), await follow({ mode: 'test' })];
    await until(() => live.unread() === 1 && test.unread() === 1);
    const { body } = await api.get<{ data: { id: string }[] }>('/api/v1/notifications');
    await api.post(`/api/v1/notifications/${body.data[0]?.id}/read`);
    await carryFeeds(app.deps);
    // Sooner than the look at all feeds, each ten seconds.
    await until(() => live.unread() === 0 && test.unread() === 0, 5_000);
  });

  it('misses nothing while streams come and go under load', async () => {
    const { scope, follow, api } = await buildReader();
    const seen: string[] = [];
    let stream = await follow();
    await convert(app.deps, scope);
    await until(() => stream.ids().length === 1);
    const work = (async () => {
      for (let n = 0; n < 30; n += 1) await convert(app.deps, scope);
    })();
    for (let turn = 0; turn < 5; turn += 1) {
      const count = stream.ids().length;
      await until(() => stream.ids().length > count || turn > 0);
      stream.close();
      await until(() => stream.ended);
      seen.push(...stream.ids());
      const url = turn % 2 === 0 ? otherUrl : app.url;
      stream = await follow({ url, lastEventId: seen.at(-1) ?? '' });
    }
    await work;
    await until(() => seen.length + stream.ids().length >= 31);
    const { body } = await api.get<{ data: { id: string }[] }>('/api/v1/notifications?limit=100');
    expect([...seen, ...stream.ids()]).toEqual(body.data.map(({ id }) => id).reverse());
  });

  it.each(['not-an-id', '01890a5d-ac96-774b-bcce-b302099a8057', "'; --"])(
    'begins now after the useless id %s',
    async (lastEventId) => {
      const { scope, follow } = await buildReader();
      await convert(app.deps, scope);
      const stream = await follow({ lastEventId });
      expect([stream.status, stream.ids()]).toEqual([200, []]);
    },
  );

  it('shows nothing foreign after the id of another feed', async () => {
    const mine = await buildReader();
    const theirs = await buildReader();
    await convert(app.deps, theirs.scope);
    await convert(app.deps, mine.scope);
    const { body } = await theirs.api.get<{ data: { id: string }[] }>('/api/v1/notifications');
    const stream = await mine.follow({ lastEventId: body.data[0]?.id ?? '' });
    await convert(app.deps, mine.scope);
    await until(() => stream.ids().length === 1);
    expect(stream.unread()).toBe(2);
  });
});

async function sameMember(workspaceId: string) {
  return buildMember(app.deps.db.manager, { workspaceId });
}

describe('the end of a stream', () => {
  it('comes with a logout', async () => {
    const { member, api } = await buildReader();
    const { body } = await app.client.post<{ accessToken: string; refreshToken: string }>(
      '/api/v1/auth/merchant/login',
      { email: member.email, password: testPassword },
    );
    const stream = await openStream(app.url + path, { token: body.accessToken });
    open.push(stream);
    await app.client.post('/api/v1/auth/merchant/logout', { refreshToken: body.refreshToken });
    await until(() => stream.ended, 20_000);
    expect((await api.get('/api/v1/notifications')).status).toBe(200);
  }, 25_000);

  it('comes with the removal of the member', async () => {
    const { member, follow } = await buildReader();
    const stream = await follow();
    await execute(
      app.deps.db.manager,
      'UPDATE merchant_accounts SET removed_at = now() WHERE id = $1',
      [member.id],
    );
    await until(() => stream.ended, 20_000);
  }, 25_000);

  it('comes when the workspace asks for a second factor that the member has not', async () => {
    const { member, api, follow } = await buildReader();
    const stream = await follow();
    await api.patch('/api/v1/workspace', { requireTwoFactor: true });
    await until(() => stream.ended, 20_000);
    expect((await api.get('/api/v1/notifications')).status).toBe(403);
    await buildTwoFactor(app.deps, member);
    expect((await api.get('/api/v1/notifications')).status).toBe(200);
  }, 25_000);

  it('comes to the oldest when an account opens an eleventh, over several processes', async () => {
    const { follow } = await buildReader();
    const streams: OpenStream[] = [];
    for (let n = 0; n < 11; n += 1) {
      streams.push(await follow({ url: n % 2 === 0 ? app.url : otherUrl }));
    }
    await until(() => streams[0]?.ended ?? false);
    expect(streams.filter(({ ended }) => ended)).toHaveLength(1);
    expect(streams[0]?.events.at(-1)).toEqual({
      event: 'end',
      id: undefined,
      data: { reason: 'too_many_streams' },
    });
    expect(streams[0]?.retry).toBe('600000');
  });
});

describe('tickets', () => {
  it('open one stream, once, in the mode that they were made in', async () => {
    const { scope, api } = await buildReader();
    const made = await api.post<{ ticket: string; expiresAt: string }>(
      '/api/v1/notifications/stream-ticket',
      undefined,
      { mode: 'test' },
    );
    expect(made.status).toBe(201);
    expect(made.headers.get('cache-control')).toBe('no-store');
    const url = `${otherUrl}${path}?ticket=${made.body.ticket}`;
    const stream = await openStream(url);
    open.push(stream);
    expect((await openStream(url)).status).toBe(401);
    await until(() => stream.unread() !== undefined);
    await convert(app.deps, scope);
    await convert(app.deps, { ...scope, mode: 'test' });
    await until(() => stream.ids().length === 1);
    expect(stream.unread()).toBe(1);
  });

  it('are refused when they are unknown, of the other side, or too old', async () => {
    const { api } = await buildReader();
    const issue = async () =>
      (await api.post<{ ticket: string }>('/api/v1/notifications/stream-ticket')).body.ticket;
    const status = async (at: string, ticket: string) =>
      (await openStream(`${app.url}${at}?ticket=${ticket}`)).status;
    expect(await status(path, 'unknown')).toBe(401);
    expect(await status('/api/v1/partner/notifications/stream', await issue())).toBe(401);
    const old = await issue();
    app.deps.clock.advance(61_000);
    expect(await status(path, old)).toBe(401);
    app.deps.clock.set(undefined);
  });
});

it('serves partners alike', async () => {
  const partner = await buildPartner(app.deps.db.manager);
  const { accessToken: token } = await signIn(app.deps, partner);
  const stream = await openStream(`${app.url}/api/v1/partner/notifications/stream`, { token });
  open.push(stream);
  expect(stream.status).toBe(200);
  await until(() => stream.unread() === 0);
});
