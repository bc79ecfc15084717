import { readFileSync } from 'node:fs';
import path from 'node:path';

/** What `npm start` writes down of its parts (stack/supervisor/info.ts). */
interface Parts {
  databaseUrl: string;
  redisUrl: string;
  temporalAddress: string;
}

/**
 * Has a command that runs beside `npm start` work on its parts: the environment gets their
 * addresses and the place of its secrets, unless it names a database of its own or is that of
 * production.
 */
export function useLocalStack(env: NodeJS.ProcessEnv): void {
  if (env['NODE_ENV'] === 'production' || env['DATABASE_URL']) return;
  const stackDir = path.resolve(__dirname, '../../..', env['STACK_DIR'] ?? '.stack');
  const parts = read(path.join(stackDir, 'info.json'));
  if (!parts) return;
  Object.assign(env, { STACK_DIR: stackDir, DATABASE_URL: parts.databaseUrl });
  env['REDIS_URL'] ??= parts.redisUrl;
  env['TEMPORAL_ADDRESS'] ??= parts.temporalAddress;
}

function read(file: string): Parts | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Parts;
  } catch {
    return undefined;
  }
}
