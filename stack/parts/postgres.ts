import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { Connection } from '../../entities/database/connection';
import { dataFolder, reachableBinaries } from './postgres-home';
import type { ProcessOwner, ProcessSpec } from './process';
import { launch, type RunningProcess } from './process';
import { serverUser } from './service-user';

const USER = 'postgres';
const SERVING_USER = 'affiliate_service';
/** Its folder may be in memory, where the log costs what it takes and a checkpoint costs nothing. */
const DISPOSABLE = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  min_wal_size: '80MB',
  max_wal_size: '512MB',
};
const run = promisify(execFile);

export interface PostgresOptions {
  /** Holds data, password and log. */
  dir: string;
  port: number;
  database?: string;
  /** True for a server with disposable data: no fsync, no password. */
  disposable?: boolean;
  /** Settings beside those of the stack; they come before its own. */
  settings?: Readonly<Record<string, string>>;
}

export interface PostgresSetup {
  /** The URL with the role that owns everything. */
  url: string;
  /** The URL with the role of the service's processes, once the schema has one. */
  servingUrl: string;
  /** The data directory. */
  cluster: string;
  spec: ProcessSpec;
}

/** Initialises the data folder when it is new, and returns how to run the server on it. */
export async function setUpPostgres(options: PostgresOptions): Promise<PostgresSetup> {
  const owner = serverUser();
  const binaries = reachableBinaries(owner);
  const cluster = path.join(dataFolder(options.dir, owner), 'cluster');
  const password = options.disposable ? undefined : readPassword(options.dir, USER);
  const servingPassword = options.disposable ? undefined : readPassword(options.dir, SERVING_USER);
  if (!existsSync(cluster)) await initialise({ binaries, cluster, owner, password });

  const url = (database: string, user = USER, secret = password): string =>
    `postgres://${user}${secret ? `:${secret}` : ''}@127.0.0.1:${options.port}/${database}`;
  return {
    url: url(options.database ?? 'postgres'),
    servingUrl: url(options.database ?? 'postgres', SERVING_USER, servingPassword),
    cluster,
    spec: {
      name: 'postgres',
      command: path.join(binaries, 'bin', 'postgres'),
      args: ['-D', cluster, ...serverSettings(options)],
      cwd: cluster,
      env: serverEnvironment(),
      ...(owner && { owner }),
      logFile: path.join(options.dir, 'postgres.log'),
      // Fast shutdown: sessions are ended, everything is written.
      stopSignal: 'SIGINT',
      isReady: () => hasDatabase(url('postgres'), options.database),
    },
  };
}

export async function startPostgres(
  options: PostgresOptions,
): Promise<RunningProcess & { url: string }> {
  const { url, spec } = await setUpPostgres(options);
  return { ...(await launch(spec)), url };
}

interface NewCluster {
  binaries: string;
  cluster: string;
  owner: ProcessOwner | undefined;
  password: string | undefined;
}

async function initialise({ binaries, cluster, owner, password }: NewCluster): Promise<void> {
  // The cluster has another name until it is whole: a start that is cut short leaves nothing to trip over.
  const unfinished = `${cluster}.new`;
  const passwordFile = `${cluster}.password`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  writeFileSync(passwordFile, password ?? '', { mode: 0o600 });
  if (owner) for (const file of [unfinished, passwordFile]) chownSync(file, owner.uid, owner.gid);

  const authentication = password
    ? ['--auth=scram-sha-256', `--pwfile=${passwordFile}`]
    : ['--auth=trust', '--no-sync'];
  const locale = [
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ];
  await run(
    path.join(binaries, 'bin', 'initdb'),
    ['-D', unfinished, '-U', USER, ...authentication, ...locale],
    { ...owner, cwd: unfinished, env: serverEnvironment() },
  );
  rmSync(passwordFile);
  renameSync(unfinished, cluster);
}

function serverSettings({ port, disposable, settings: given }: PostgresOptions): string[] {
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    // No socket file: its path would be too long in a deep checkout.
    unix_socket_directories: '',
    max_connections: 300,
    shared_buffers: '128MB',
    // Checkpoints are rare and spread over their time: each one slows what goes on. What they write is
    // not compressed: this build has pglz only, which takes a core longer than the disk saves.
    checkpoint_timeout: '15min',
    checkpoint_completion_target: '0.9',
    max_wal_size: '4GB',
    // Files of the log to use again: a new one is written full of zeros while commits wait for it.
    min_wal_size: '1GB',
    wal_compression: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The detail of an error holds values of the row: an address that is taken, for one.
    log_error_verbosity: 'terse',
    ...(disposable && DISPOSABLE),
    ...given,
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Nothing of the caller's environment: PG* variables and foreign locales would change the server. */
function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
}

function readPassword(dir: string, user: string): string {
  const file = path.join(dir, `${user}.password`);
  if (!existsSync(file)) {
    mkdirSync(dir, { recursive: true });
    writeFileSync(file, randomBytes(18).toString('hex'), { mode: 0o600 });
  }
  return readFileSync(file, 'utf8');
}

async function hasDatabase(adminUrl: string, database: string | undefined): Promise<boolean> {
  const client = new Connection({ connectionString: adminUrl, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    if (database) await createMissing(client, database);
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function createMissing(client: Connection, database: string): Promise<void> {
  const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
  if (found.rowCount === 0) await client.query(`CREATE DATABASE "${database}"`);
}
