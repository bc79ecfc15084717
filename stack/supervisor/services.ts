import path from 'node:path';
import type { ProcessSpec } from '../parts/process';
import type { PartAddresses } from './parts';
import type { Ports } from './ports';
import { ROOT, type StackSettings } from './settings';

/** Beyond its own time to finish, before a service is killed. */
const STOP_GRACE_MS = 2_000;

export interface ServiceAddresses {
  apiUrl: string;
  adminUrl: string;
  workerAdminUrl: string;
}

export function serviceAddresses({ environment }: StackSettings, ports: Ports): ServiceAddresses {
  const host = reachableHost(environment.HOST);
  const adminHost = reachableHost(environment.ADMIN_HOST);
  return {
    apiUrl: `http://${host}:${ports.api}`,
    adminUrl: `http://${adminHost}:${ports.admin}`,
    workerAdminUrl: `http://${adminHost}:${ports.workerAdmin}`,
  };
}

export function apiSpec(settings: StackSettings, ports: Ports, parts: PartAddresses): ProcessSpec {
  const { apiUrl } = serviceAddresses(settings, ports);
  return {
    ...serviceSpec(settings, 'api'),
    env: {
      ...serviceEnvironment(settings, parts, { PORT: ports.api, ADMIN_PORT: ports.admin, apiUrl }),
      ...(settings.hasDemo && {
        CORS_ORIGINS: originsWithShop(settings, ports),
        DEMO_SHOP_URL: `http://127.0.0.1:${ports.shop}`,
      }),
    },
    isReady: () => isOk(`${apiUrl}/api/v1/health`),
  };
}

/** The demo's pages open streams of the API, from an origin of their own. */
function originsWithShop({ environment }: StackSettings, ports: Ports): string {
  const shop = ['127.0.0.1', 'localhost'].map((host) => `http://${host}:${ports.shop}`);
  return [...environment.CORS_ORIGINS, ...shop].join(',');
}

export function workerSpec(
  settings: StackSettings,
  ports: Ports,
  parts: PartAddresses,
): ProcessSpec {
  const { apiUrl } = serviceAddresses(settings, ports);
  const own = { PORT: ports.api, ADMIN_PORT: ports.workerAdmin, apiUrl };
  const host = reachableHost(settings.environment.ADMIN_HOST);
  return {
    ...serviceSpec(settings, 'worker'),
    env: serviceEnvironment(settings, parts, own),
    isReady: () => isOk(`http://${host}:${ports.workerAdmin}/ready`),
  };
}

type PlainSpec = Omit<ProcessSpec, 'isReady' | 'env'>;

function serviceSpec({ environment, stackDir }: StackSettings, name: 'api' | 'worker'): PlainSpec {
  const main = name === 'api' ? 'dist/api/main.js' : 'dist/workers/main.js';
  return {
    name,
    command: process.execPath,
    args: [path.join(ROOT, main)],
    cwd: ROOT,
    logFile: path.join(stackDir, `${name}.log`),
    stopTimeoutMs: environment.SHUTDOWN_TIMEOUT_MS + STOP_GRACE_MS,
  };
}

function serviceEnvironment(
  { environment, given, stackDir }: StackSettings,
  parts: PartAddresses,
  { PORT, ADMIN_PORT, apiUrl }: { PORT: number; ADMIN_PORT: number; apiUrl: string },
): NodeJS.ProcessEnv {
  return {
    // What a start has compiled is there for the next one, from Node 22 on.
    NODE_COMPILE_CACHE: path.join(stackDir, 'compiled'),
    ...process.env,
    NODE_ENV: environment.NODE_ENV,
    STACK_DIR: stackDir,
    PORT: String(PORT),
    ADMIN_PORT: String(ADMIN_PORT),
    PUBLIC_BASE_URL: environment.PUBLIC_BASE_URL ?? apiUrl,
    DATABASE_URL: parts.servingUrl,
    MIGRATE_AT_START: process.env['MIGRATE_AT_START'] ?? String(given.postgres !== undefined),
    REDIS_URL: parts.redisUrl,
    TEMPORAL_ADDRESS: parts.temporalAddress,
    SMTP_URL: parts.smtpUrl,
  };
}

/** An address to listen on may be no address to call. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

async function isOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
