import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { useLocalStack } from '../../../workers/commands/local-stack';

const stackDir = mkdtempSync(path.join(tmpdir(), 'stack-'));
const parts = {
  databaseUrl: 'postgres://there/affiliate',
  redisUrl: 'redis://there:6379',
  temporalAddress: 'there:7233',
};
writeFileSync(path.join(stackDir, 'info.json'), JSON.stringify(parts));
afterAll(() => rmSync(stackDir, { recursive: true }));

const used = (given: Record<string, string>): NodeJS.ProcessEnv => {
  const env: NodeJS.ProcessEnv = { STACK_DIR: stackDir, ...given };
  useLocalStack(env);
  return env;
};

describe('a command beside npm start', () => {
  it('works on the parts that are written down there', () => {
    expect(used({ REDIS_URL: 'redis://own:6379' })).toEqual({
      STACK_DIR: stackDir,
      DATABASE_URL: parts.databaseUrl,
      REDIS_URL: 'redis://own:6379',
      TEMPORAL_ADDRESS: parts.temporalAddress,
    });
  });

  it.each([
    ['in production', { NODE_ENV: 'production' }],
    ['when it names a database of its own', { DATABASE_URL: 'postgres://own/affiliate' }],
    ['when nothing runs there', { STACK_DIR: path.join(stackDir, 'none') }],
  ])('leaves the environment as it is %s', (_when, given) => {
    expect(used(given)).toEqual({ STACK_DIR: stackDir, ...given });
  });
});
