import { useApp } from '../../support/app';
import { visitorUserAgent } from '../../support/browser';
import { buildApiKey, type BuiltApiKey } from '../../support/build/accounts';
import { buildParticipant } from '../../support/build/programs';

const app = useApp({
  RATE_LIMIT_TRACKING: '10',
  RATE_LIMIT_GENERAL: '5',
  TRUSTED_PROXIES: '127.0.0.1',
});

const buildKey = () => buildApiKey(app.deps.db.manager, { kind: 'public', mode: 'test' });

const sendFrom = (
  address: string | undefined,
  key: BuiltApiKey | { key: string },
  body: Record<string, unknown> = {},
) =>
  app.client.post<{ code?: string; recorded?: boolean }>(
    '/v1/clicks',
    { key: key.key, ref: 'acme', ...body },
    {
      headers: {
        'User-Agent': visitorUserAgent,
        ...(address === undefined ? {} : { 'X-Forwarded-For': address }),
      },
    },
  );

const send = (key: BuiltApiKey | { key: string }, body: Record<string, unknown> = {}) =>
  sendFrom(undefined, key, body);

/** Each from an address of its own. */
const sendMany = (key: BuiltApiKey, count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => sendFrom(`203.0.113.${index}`, key)));

describe('the limit of clicks', () => {
  it('counts per key, whatever becomes of the request, and tells how much is left', async () => {
    const key = await buildKey();
    await buildParticipant(app.deps.db.manager, {
      workspaceId: key.workspaceId,
      mode: 'test',
      referralCode: 'acme',
    });
    const answers = [
      await send(key),
      await send(key),
      await send(key, { ref: 'nobody' }),
      await send(key, { ref: 7 }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([201, 201, 200, 400]);
    expect(answers.map(({ headers }) => headers.get('ratelimit-remaining'))).toEqual([
      '9',
      '8',
      '7',
      '6',
    ]);
    expect(answers[0]?.headers.get('ratelimit-limit')).toBe('10');
    expect(Number(answers[0]?.headers.get('ratelimit-reset'))).toBeGreaterThan(0);
  });

  it('holds for requests at once, and comes before what is wrong with a body', async () => {
    const key = await buildKey();
    const answers = await sendMany(key, 14);
    const refused = answers.filter(({ status }) => status === 429);

    expect(refused).toHaveLength(4);
    expect(refused[0]?.body.code).toBe('RATE_LIMIT_EXCEEDED');
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await send(key, { ref: 7 })).status).toBe(429);
    expect((await send(await buildKey())).status).toBe(200);
  });

  it('bounds what all keys of a workspace send together', async () => {
    const first = await buildKey();
    const { workspaceId } = first;
    const keys = [first];
    for (let more = 0; more < 40; more += 1) {
      const scope = { workspaceId, kind: 'public', mode: 'test' } as const;
      keys.push(await buildApiKey(app.deps.db.manager, scope));
    }
    const counts = (await Promise.all(keys.map((key) => sendMany(key, 10)))).flat();
    expect(counts.filter(({ status }) => status === 200)).toHaveLength(400);
    expect(counts.filter(({ status }) => status === 429)).toHaveLength(10);
    expect((await send(await buildKey())).status).toBe(200);
  });

  it('counts a refused key against its address, and lets known keys of the address pass', async () => {
    const known = await buildKey();
    await send(known);
    const bad = { key: `pk_test_${'0'.repeat(32)}` };
    const statuses = [];
    for (let attempt = 0; attempt < 7; attempt += 1) statuses.push((await send(bad)).status);

    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    expect((await send(known)).status).toBe(200);
    expect((await send(await buildKey())).status).toBe(429);
  });

  it('leaves others their part of a key that one address is using up', async () => {
    const key = await buildKey();
    const flood = [];
    for (let sent = 0; sent < 20; sent += 1) flood.push(await sendFrom('2001:db8:1:2::7', key));
    const passed = flood.filter(({ status }) => status === 200);
    const refused = flood.find(({ status }) => status === 429);

    // Half of the minute, then a tenth of it.
    expect(passed).toHaveLength(6);
    expect(refused?.body.code).toBe('RATE_LIMIT_EXCEEDED');
    expect(refused?.headers.get('ratelimit-remaining')).toBe('0');
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await sendFrom('2001:db8:1:2:ffff::1', key)).status).toBe(429);
    expect((await sendMany(key, 4)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await sendFrom('203.0.113.9', key)).status).toBe(429);
  });

  it.each(['127.1.2.3', '10.1.2.3', '::1', 'fd00::7'])(
    'leaves %s the whole of a key: it stands for all who come through a proxy',
    async (address) => {
      const key = await buildKey();
      const answers = [];
      for (let sent = 0; sent < 11; sent += 1) answers.push(await sendFrom(address, key));
      expect(answers.map(({ status }) => status)).toEqual([...Array<number>(10).fill(200), 429]);
    },
  );

  it('leaves a server the whole of its key', async () => {
    const { workspaceId } = await buildKey();
    const { key } = await buildApiKey(app.deps.db.manager, { workspaceId, mode: 'test' });
    const answers = await Promise.all(
      Array.from({ length: 12 }, () =>
        app.client.post(
          '/v1/clicks',
          { ref: 'acme', user_agent: visitorUserAgent, ip: '203.0.113.1' },
          { headers: { Authorization: `Bearer ${key}`, 'X-Forwarded-For': '198.51.100.1' } },
        ),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
  });

  it('writes no address down', async () => {
    await send({ key: 'pk_test_nobody' });
    const { client, prefix } = app.deps.redis;
    const keys = await client.keys(`${prefix}*`);
    expect(keys.some((key) => key.includes(':ip:'))).toBe(true);
    expect(keys.filter((key) => key.includes('127.0.0.1'))).toEqual([]);
  });
});
