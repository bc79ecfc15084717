import { loadConfig } from '../../../runtime/config/config';
import { openDeps } from '../../../runtime/process/deps';
import { createApiClient } from '../api-client';
import { movableClock, type TestApp } from '../app';
import type { LocalStack } from './local-stack';

/** The API of a stack, with connections to its parts and its secrets, so that builders can write there. */
export async function appOfStack({ dir, info }: LocalStack): Promise<TestApp> {
  const { apiUrl, databaseUrl, redisUrl, temporalAddress } = info();
  const config = loadConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    STACK_DIR: dir,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    TEMPORAL_ADDRESS: temporalAddress,
  });
  const clock = movableClock();
  const deps = { ...(await openDeps(config, 'test', { clock })), clock };
  return { deps, url: apiUrl, client: createApiClient(apiUrl), close: () => deps.close() };
}
