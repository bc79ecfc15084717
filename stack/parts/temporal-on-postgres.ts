import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { isNamespaceReady, prepareNamespace } from '../../workers/temporal/namespace';
import { claimAnyPort } from './ports';
import { setUpPostgres } from './postgres';
import { launch, type ProcessSpec } from './process';

/** What the process below is started with, as JSON. */
export interface TemporalOnPostgresOptions {
  /** The folder with the programs `server` and `sql`. */
  home: string;
  /** Its Postgres and logs lie there. */
  dir: string;
  port: number;
  namespace: string;
  /** Goes on with the data that is there. */
  persistent: boolean;
  /** Gets the id of this process once the namespace can be used. */
  readyFile: string;
}

/** How long a server has to hand its shards over before it is killed. */
const stopMs = 8_000;
/** The schemas by the names that docker-compose.yml gives their databases. */
const schemas = { temporal: 'temporal', temporal_visibility: 'visibility' } as const;
const user = 'postgres';
const host = '127.0.0.1';
const run = promisify(execFile);

/**
 * Temporal as docker-compose.yml runs it: its environment, a Postgres of its own, the schema made by Temporal's tool. One process
 * to start and stop, as the development server is; whoever stops or kills its group has all of it.
 */
async function main(options: TemporalOnPostgresOptions): Promise<void> {
  const isTold = told();
  const dir = path.join(options.dir, 'temporal-postgres');
  if (!options.persistent) rmSync(dir, { recursive: true, force: true });
  const port = await claimAnyPort();
  const { spec } = await setUpPostgres({ dir, port, disposable: true });
  const postgres = await launch({ ...spec, inGroupOfParent: true });
  try {
    const sql = path.join(options.home, 'sql');
    await Promise.all(Object.entries(schemas).map((one) => makeSchema(sql, port, one)));
    const server = await launch(await serverSpec(options, port));
    await prepareNamespace({ address: `${host}:${options.port}`, namespace: options.namespace });
    writeFileSync(options.readyFile, String(process.pid));
    await Promise.race([isTold, server.exited, postgres.exited]);
    await server.stop();
  } finally {
    await postgres.stop();
  }
}

/** Makes a schema or brings it up to date; it may be called as often as one likes. */
async function makeSchema(
  tool: string,
  port: number,
  [database, schema]: [string, string],
): Promise<void> {
  const at = ['--plugin', 'postgres12', '--endpoint', host, '--port', String(port), '--user', user];
  const call = (...args: string[]) => run(tool, [...at, '--database', database, ...args]);
  await call('create-database');
  await call('setup-schema', '--version', '0.0');
  await call('update-schema', '--schema-name', `postgresql/v12/${schema}`);
}

async function serverSpec(
  { home, dir, port }: TemporalOnPostgresOptions,
  postgresPort: number,
): Promise<ProcessSpec> {
  const others: Record<string, string> = {};
  for (const name of otherPorts) others[name] = String(await claimAnyPort());
  return {
    name: 'temporal-server',
    command: path.join(home, 'server'),
    args: ['--allow-no-auth', 'start'],
    env: {
      PATH: process.env['PATH'],
      HOME: dir,
      ...environmentOfCompose(),
      DB_PORT: String(postgresPort),
      POSTGRES_SEEDS: host,
      POSTGRES_USER: user,
      POSTGRES_PWD: '',
      BIND_ON_IP: host,
      TEMPORAL_BROADCAST_ADDRESS: host,
      DYNAMIC_CONFIG_FILE_PATH: path.join(checkout(), 'operate/temporal/dynamic-config.yaml'),
      FRONTEND_GRPC_PORT: String(port),
      ...others,
      LOG_LEVEL: 'warn',
    },
    logFile: path.join(dir, 'temporal-server.log'),
    isReady: () => isNamespaceReady(`${host}:${port}`, 'temporal-system'),
    readyTimeoutMs: 120_000,
    stopTimeoutMs: stopMs,
    inGroupOfParent: true,
  };
}

const services = ['FRONTEND', 'MATCHING', 'HISTORY', 'WORKER'];
const otherPorts = [
  ...services.map((service) => `${service}_MEMBERSHIP_PORT`),
  ...services.slice(1).map((service) => `${service}_GRPC_PORT`),
  'FRONTEND_HTTP_PORT',
];

/** The number of shards among it, and the plugin. */
function environmentOfCompose(): Record<string, string> {
  const { services: composed } = parse(
    readFileSync(path.join(checkout(), 'docker-compose.yml'), 'utf8'),
    // The file is ours, and names its anchors more often than the bound for a stranger's.
    { maxAliasCount: -1 },
  ) as { services: { temporal: { environment: Record<string, string> } } };
  return composed.temporal.environment;
}

function checkout(): string {
  for (let at = __dirname; at !== path.dirname(at); at = path.dirname(at)) {
    if (existsSync(path.join(at, 'docker-compose.yml'))) return at;
  }
  throw new Error('docker-compose.yml was not found above this file.');
}

function told(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
}

main(JSON.parse(process.argv[2] ?? '') as TemporalOnPostgresOptions).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
