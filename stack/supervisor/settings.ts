import path from 'node:path';
import { readEnvironment } from '../../runtime/config/config';
import type { Environment } from '../../runtime/config/environment';
import type { FixedPort, PortName } from './ports';

export interface StackSettings {
  /** Validated as every process does, so that a bad value ends the start with its sentence. */
  environment: Environment;
  stackDir: string;
  /** Parts that are given from outside, and so not started. */
  given: Partial<Record<'postgres' | 'redis' | 'temporal' | 'smtp', string>>;
  fixedPorts: Partial<Record<PortName, FixedPort>>;
  /** The demo is for looking around; it has no place beside real merchants. */
  hasDemo: boolean;
}

export const ROOT = path.resolve(__dirname, '../../..');

export function readSettings(env: NodeJS.ProcessEnv): StackSettings {
  const environment = readEnvironment(env);
  const isProduction = environment.NODE_ENV === 'production';
  return {
    environment,
    stackDir: path.resolve(ROOT, environment.STACK_DIR),
    given: {
      ...(env['DATABASE_URL'] && { postgres: env['DATABASE_URL'] }),
      ...(env['REDIS_URL'] && { redis: env['REDIS_URL'] }),
      ...(env['TEMPORAL_ADDRESS'] && { temporal: env['TEMPORAL_ADDRESS'] }),
      ...(env['SMTP_URL'] && { smtp: env['SMTP_URL'] }),
    },
    fixedPorts: {
      ...(env['PORT'] && { api: { variable: 'PORT', port: environment.PORT } }),
      ...(env['ADMIN_PORT'] && {
        admin: { variable: 'ADMIN_PORT', port: environment.ADMIN_PORT },
      }),
    },
    hasDemo: !isProduction,
  };
}
