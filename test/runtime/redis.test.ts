import { openRedis } from '../../activities/runtime/connections/redis';
import { createLogger } from '../../activities/runtime/process/logger';

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
