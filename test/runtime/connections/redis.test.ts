import { openRedis } from '../../../runtime/connections/redis';
import { createLogger } from '../../../runtime/observe/logger';
import { Registry } from '../../../runtime/observe/metrics';
import { claimAnyPort, releasePorts } from '../../../stack/parts/ports';
import { eventually } from '../../support/eventually';

afterAll(releasePorts);

interface Line {
  err?: { message?: string };
}

it('says what a server refuses, once, and goes on without it', async () => {
  const lines: Line[] = [];
  const log = createLogger({ level: 'silent', process: 'test' });
  log.warn = (line: unknown) => void lines.push(line as Line);
  const url = process.env['TEST_REDIS_URL'] ?? '';
  const redis = await openRedis({ url, prefix: 'refusals:', commandTimeoutMs: 2_000 }, log);
  const refused = (): Promise<unknown> =>
    redis.attempt((client) =>
      client.eval(`return redis.error_reply('CROSSSLOT Keys do not hash to one slot')`, 0),
    );
  expect(await refused()).toBeUndefined();
  expect(redis.available()).toBe(false);
  expect(lines.map(({ err }) => err?.message)).toEqual([
    expect.stringContaining('CROSSSLOT') as string,
  ]);
  // After the pause Redis is asked again; the same error is logged once a minute only.
  jest.useFakeTimers({ now: Date.now() + 2_000, doNotFake: ['nextTick', 'setImmediate'] });
  expect(redis.available()).toBe(true);
  expect(await refused()).toBeUndefined();
  expect(lines).toHaveLength(1);
  jest.setSystemTime(Date.now() + 61_000);
  expect(await refused()).toBeUndefined();
  expect(lines).toHaveLength(2);
  jest.useRealTimers();
  await redis.close();
});

describe('the metrics of Redis', () => {
  const log = createLogger({ level: 'silent', process: 'test' });
  const options = { prefix: 'metrics:', commandTimeoutMs: 2_000 };
  const here = process.env['TEST_REDIS_URL'] ?? '';

  async function open(url: string) {
    const metrics = new Registry();
    const redis = await openRedis({ ...options, url }, log, metrics);
    const figures = async () => {
      const lines = (await metrics.metrics()).split('\n');
      return lines.filter((line) => line !== '' && !line.startsWith('#'));
    };
    const until = (line: string) =>
      eventually(async () => (await figures()).includes(line) || undefined);
    return { redis, figures, until };
  }

  it('show one that is away, and each trip that was left out', async () => {
    const { redis, figures } = await open(`redis://127.0.0.1:${await claimAnyPort()}`);
    expect(await figures()).toEqual(['redis_available 0']);
    for (let n = 0; n < 3; n += 1) {
      expect(await redis.attempt((client) => client.ping())).toBeUndefined();
    }
    expect(await figures()).toEqual([
      'redis_available 0',
      'redis_fallback_total{reason="unasked"} 3',
    ]);
    await redis.close();
  });

  it('show one that goes and comes back', async () => {
    const { redis, figures, until } = await open(here);
    await until('redis_available 1');
    expect(await redis.attempt((client) => client.ping())).toBe('PONG');
    redis.client.disconnect();
    await until('redis_available 0');
    expect(await redis.attempt((client) => client.ping())).toBeUndefined();
    expect(await figures()).toContain('redis_fallback_total{reason="unasked"} 1');
    await redis.client.connect();
    await until('redis_available 1');
    await redis.close();
  });

  it('tell a late answer from a refusal', async () => {
    const { redis, figures, until } = await open(here);
    await until('redis_available 1');
    // Waits for a replica that there is none of.
    expect(await redis.attempt((client) => client.wait(1, 30_000))).toBeUndefined();
    expect(await figures()).toContain('redis_fallback_total{reason="late"} 1');
    await redis.close();
    const other = await open(here);
    await other.until('redis_available 1');
    await other.redis.attempt((client) => client.eval(`return redis.error_reply('NO')`, 0));
    expect(await other.figures()).toContain('redis_fallback_total{reason="failed"} 1');
    await other.redis.close();
  });
});
