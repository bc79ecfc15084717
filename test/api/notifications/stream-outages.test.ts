import { startTestApp, type TestApp } from '../../support/app';
import { buildMember, signIn } from '../../support/build/accounts';
import { carryFeeds, convert } from '../../support/build/notifications';
import { openStream, until, type OpenStream } from '../../support/answers/event-stream';
import { asOwner } from '../../support/database';
import { startTcpProxy, type TcpProxy } from '../../support/faults/tcp-proxy';

let proxy: TcpProxy;
let app: TestApp;

beforeEach(async () => {
  const { hostname, port } = new URL(process.env['TEST_REDIS_URL'] ?? '');
  proxy = await startTcpProxy({ host: hostname, port: Number(port) });
  app = await startTestApp({ REDIS_URL: `redis://127.0.0.1:${proxy.port}` });
});
afterEach(async () => {
  await app.close();
  await proxy.close();
});

async function follow() {
  const member = await buildMember(app.deps.db.manager);
  const { accessToken: token } = await signIn(app.deps, member);
  const scope = { workspaceId: member.workspaceId, mode: 'live' } as const;
  const begin = (lastEventId?: string): Promise<OpenStream> =>
    openStream(`${app.url}/api/v1/notifications/stream`, {
      token,
      ...(lastEventId === undefined ? {} : { lastEventId }),
    });
  const open = async (lastEventId?: string): Promise<OpenStream> => {
    const stream = await begin(lastEventId);
    await until(() => stream.unread() !== undefined);
    return stream;
  };
  const feed = async (): Promise<string[]> => {
    const { body } = await app.client
      .as(token, 'live')
      .get<{ data: { id: string }[] }>('/api/v1/notifications?limit=100');
    return body.data.map(({ id }) => id).reverse();
  };
  return { scope, begin, open, feed };
}

describe('news', () => {
  it.each([
    ['refuses connections', 'cut', 'restore'],
    ['hangs', 'freeze', 'thaw'],
  ] as const)('comes while Redis %s, each once', async (_, away, back) => {
    const { scope, open, feed } = await follow();
    const stream = await open();
    await convert(app.deps, scope);
    await until(() => stream.ids().length === 1);

    proxy[away]();
    for (let count = 2; count <= 4; count += 1) {
      await convert(app.deps, scope);
      await until(() => stream.ids().length === count && stream.unread() === count);
    }

    proxy[back]();
    await convert(app.deps, scope);
    await until(() => stream.ids().length === 5);
    expect(stream.ids()).toEqual(await feed());
    stream.close();
  });

  it('comes to a stream that is opened while Redis is away', async () => {
    const { scope, open, feed } = await follow();
    await convert(app.deps, scope);
    await convert(app.deps, scope);
    const [first] = await feed();
    proxy.cut();

    const stream = await open(first);
    await convert(app.deps, scope);
    await until(() => stream.ids().length === 2);
    expect(stream.ids()).toEqual((await feed()).slice(1));
    stream.close();
  });

  it('begins with its count when the first read of it failed', async () => {
    const { begin } = await follow();
    const rename = (from: string, to: string) =>
      asOwner(app.deps.config.databaseUrl, `ALTER TABLE ${from} RENAME TO ${to}`);
    proxy.cut();
    await rename('notification_totals', 'totals_away');
    const stream = await begin();
    await expect(until(() => stream.unread() !== undefined, 300)).rejects.toThrow();
    await rename('totals_away', 'notification_totals');
    await until(() => stream.unread() === 0);
    stream.close();
  });

  it('comes of itself when the wake-up was lost', async () => {
    const { scope, open } = await follow();
    const stream = await open();
    proxy.cut();
    await convert(app.deps, scope);
    await carryFeeds(app.deps);
    proxy.restore();
    await until(() => stream.ids().length === 1);
    stream.close();
  });
});
