import { claimAnyPort } from '../../stack/parts/ports';
import { openTestDeps, testEnvironment, type TestDeps } from '../support/app';
import { buildMember, signIn } from '../support/build/accounts';
import { convert } from '../support/build/notifications';
import { openStream, until, type OpenStream } from '../support/answers/event-stream';
import { buildService, startService, type ServiceProcess } from '../support/stack/service-process';
import { eventually } from '../support/eventually';

jest.setTimeout(120_000);

let deps: TestDeps;
const running: Api[] = [];

beforeAll(async () => {
  buildService();
  deps = await openTestDeps();
}, 180_000);
afterEach(async () => {
  for (const { service } of running.splice(0)) await service.kill();
});
afterAll(() => deps.close());

interface Api {
  url: string;
  adminUrl: string;
  service: ServiceProcess;
}

async function startApi(more: Record<string, string> = {}): Promise<Api> {
  const port = String(await claimAnyPort());
  const adminPort = String(await claimAnyPort());
  const service = await startService('api/main.js', {
    ...testEnvironment(deps.config.databaseUrl),
    REDIS_PREFIX: deps.config.redisPrefix,
    PORT: port,
    ADMIN_PORT: adminPort,
    LOG_LEVEL: 'warn',
    ...more,
  });
  const [url, adminUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${adminPort}`];
  const api = { url, adminUrl, service };
  running.push(api);
  return api;
}

/** A member who goes on wherever an API answers, as a browser does. */
async function follow() {
  const member = await buildMember(deps.db.manager);
  const { accessToken: token } = await signIn(deps, member);
  const scope = { workspaceId: member.workspaceId, mode: 'live' } as const;
  const open = async ({ url }: Api, lastEventId?: string): Promise<OpenStream> => {
    const stream = await openStream(`${url}/api/v1/notifications/stream`, {
      token,
      ...(lastEventId === undefined ? {} : { lastEventId }),
    });
    await until(() => stream.unread() !== undefined);
    return stream;
  };
  const feed = async ({ url }: Api): Promise<string[]> => {
    const answer = await fetch(`${url}/api/v1/notifications?limit=100`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    const { data } = (await answer.json()) as { data: { id: string }[] };
    return data.map(({ id }) => id).reverse();
  };
  return { scope, open, feed };
}

it('streams end at SIGTERM, long before the time for a stop is over (running.md, Stopping)', async () => {
  const api = await startApi();
  const { open } = await follow();
  const streams = [await open(api), await open(api), await open(api)];
  const began = performance.now();
  await api.service.stop();
  expect(performance.now() - began).toBeLessThan(4_000);
  await until(() => streams.every(({ ended }) => ended));
  expect(api.service.output()).not.toContain('did not stop cleanly');
});

it('a stream goes on at another API when its own is killed, without loss or repeats', async () => {
  const apis = [await startApi(), await startApi()] as const;
  const { scope, open, feed } = await follow();
  const seen: string[] = [];
  let stream = await open(apis[0]);
  for (let number = 0; number < 20; number += 1) {
    await convert(deps, scope);
    if (number === 9) {
      await until(() => stream.ids().length > 0);
      await apis[0].service.kill();
      await until(() => stream.ended);
      seen.push(...stream.ids());
      await convert(deps, scope);
      stream = await open(apis[1], seen.at(-1));
    }
  }
  await until(() => seen.length + stream.ids().length >= 21);
  expect([...seen, ...stream.ids()]).toEqual(await feed(apis[1]));
  stream.close();
});

it('an API that stops says so to probes first, and serves on for SHUTDOWN_DELAY_MS', async () => {
  const { url, adminUrl, service } = await startApi({ SHUTDOWN_DELAY_MS: '2000' });
  const stopped = service.stop();
  await eventually(async () => (await fetch(`${adminUrl}/ready`)).status === 503 || undefined);
  const answers = await Promise.all([1, 2, 3].map(() => fetch(`${url}/api/v1/health`)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  await stopped;
  await expect(fetch(`${url}/api/v1/health`)).rejects.toThrow();
});
