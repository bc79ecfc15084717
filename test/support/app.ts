import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../api/app';
import { createApiServer, listen } from '../../api/http/server/server';
import type { Clock } from '../../runtime/observe/clock';
import { loadConfig } from '../../runtime/config/config';
import { openDeps, type OpenDeps } from '../../runtime/process/deps';
import { generateSecrets } from '../../runtime/config/secrets';
import { createApiClient, type ApiClient } from './api-client';
import { connectionTo, createTestDatabase } from './database';
import { opened } from './run/open-things';
import { forTheSuite } from './run/for-the-suite';

export interface TestClock extends Clock {
  /** Moves the clock by this many milliseconds from now on. */
  advance(ms: number): void;
  set(at: Date | undefined): void;
}

export interface TestDeps extends OpenDeps {
  clock: TestClock;
}

const secrets = generateSecrets();

/** Limits are off unless a test asks for them. */
const quiet = {
  NODE_ENV: 'test',
  LOG_LEVEL: 'silent',
  HOST: '127.0.0.1',
  // A busy machine is no outage.
  REDIS_TIMEOUT_MS: '2000',
  // Their room is taken at the start, and many suites start.
  CACHED_KEYS: '1000',
  CACHED_LINKS: '1000',
  WEBHOOK_ALLOW_PRIVATE: 'true',
  RATE_LIMIT_TRACKING: '0',
  RATE_LIMIT_CONVERSIONS: '0',
  RATE_LIMIT_AUTH: '0',
  RATE_LIMIT_GENERAL: '0',
  RATE_LIMIT_WAITLIST: '0',
  RATE_LIMIT_ERASURE: '0',
  RATE_LIMIT_RESEND: '0',
  RATE_LIMIT_MAIL: '0',
  ...secrets,
};

/** The environment that a test's process of the service runs in. */
export function testEnvironment(databaseUrl: string, env: Record<string, string> = {}) {
  return {
    ...quiet,
    ...connectionTo(databaseUrl).environment,
    REDIS_PREFIX: `test-${randomBytes(4).toString('hex')}:`,
    ...given('REDIS_URL', 'TEST_REDIS_URL'),
    ...given('TEMPORAL_ADDRESS', 'TEST_TEMPORAL_ADDRESS'),
    ...given('SMTP_URL', 'TEST_SMTP_URL'),
    ...env,
  };
}

function given(name: string, source: string): Record<string, string> {
  const value = process.env[source];
  return value ? { [name]: value } : {};
}

/** Real connections on a database of one's own; close() drops it. */
export async function openTestDeps(env: Record<string, string> = {}): Promise<TestDeps> {
  const database = await createTestDatabase();
  const clock = movableClock();
  const config = loadConfig(testEnvironment(database.url, env));
  const deps = await openDeps(config, 'test', { clock });
  const closed = opened('deps');
  return {
    ...deps,
    clock,
    async close() {
      closed();
      await deps.close();
      await database.drop();
    },
  };
}

export function movableClock(): TestClock {
  let offset = 0;
  let fixed: Date | undefined;
  return {
    now: () => new Date((fixed?.getTime() ?? Date.now()) + offset),
    advance: (ms) => (offset += ms),
    set: (at) => {
      fixed = at;
      offset = 0;
    },
  };
}

export interface TestApp {
  deps: TestDeps;
  url: string;
  client: ApiClient;
  close(): Promise<void>;
}

/** The whole API on a free port. */
export async function startTestApp(env: Record<string, string> = {}): Promise<TestApp> {
  const deps = await openTestDeps(env);
  const { listener, endStreams } = createApp(deps);
  const server = createApiServer(listener);
  await listen(server, 0, '127.0.0.1');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    deps,
    url,
    client: createApiClient(url),
    async close() {
      endStreams();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await deps.close();
    },
  };
}

/** The whole API for the suite, open from its first `beforeAll` to its end. */
export function useApp(env: Record<string, string> = {}): TestApp {
  return forTheSuite(() => startTestApp(env));
}

/** Connections alone, for as long. */
export function useDeps(env: Record<string, string> = {}): TestDeps {
  return forTheSuite(() => openTestDeps(env));
}
