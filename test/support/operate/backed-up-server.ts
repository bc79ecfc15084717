import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { claimAnyPort } from '../../../stack/parts/ports';
import { until } from '../eventually';

const script = path.join(__dirname, '../../../operate/backup/backup.sh');

/** What the image does before its server runs: data is the server's user's, and so is the process. */
const entrypoint = `#!/bin/sh
[ "$(id -u)" = 0 ] || exec "$@"
chown -R postgres "$PGDATA"
exec setpriv --reuid postgres --regid postgres --clear-groups "$@"
`;

/** The Postgres of docker-compose.yml with its profile `backup`, as processes: same programs, same script. */
export interface BackedUpServer {
  backups: string;
  data: string;
  /** The URL with the owner of the schema. */
  url: string;
  ask<T extends object>(statement: string): Promise<T[]>;
  start(): Promise<void>;
  /** Stops at once, as in a power cut. */
  cut(): Promise<void>;
  /** `backup.sh base` or `restore`: what it printed, and its code. */
  backup(...args: string[]): Promise<{ code: number; out: string }>;
  /** `backup.sh log`, which ends with the server; resolves once it has. */
  receive(): { ended: Promise<unknown> };
  close(): Promise<void>;
}

export async function newBackedUpServer(): Promise<BackedUpServer> {
  const dir = mkdtempSync(path.join(tmpdir(), 'backed-up-'));
  chmodSync(dir, 0o755);
  const within = (name: string): string => path.join(dir, name);
  const [data, backups] = [within('data'), within('backups')];
  for (const folder of [data, backups, within('bin')]) mkdirSync(folder);
  writeFileSync(within('bin/docker-entrypoint.sh'), entrypoint, { mode: 0o755 });
  const port = String(await claimAnyPort());
  const programs = process.env['POSTGRES_PROGRAMS'];
  const env = {
    PATH: `${within('bin')}:${programs}:${process.env['PATH']}`,
    ...{ BACKUPS: backups, PGDATA: data },
    ...{ PGPORT: port, PGUSER: 'affiliate', PGDATABASE: 'affiliate' },
  };
  // The receivers share the network of the server, the restore has none.
  const beside = { ...env, PGHOST: '127.0.0.1' };
  const running = new Set<ChildProcess>();
  const begin = (command: string, args: string[], own: NodeJS.ProcessEnv): ChildProcess => {
    const child = spawn(command, args, { env: own, cwd: dir, stdio: 'ignore' });
    running.add(child);
    child.once('close', () => running.delete(child));
    return child;
  };
  const asServer = (...args: string[]) => begin('docker-entrypoint.sh', args, env);
  const urlOf = (database: string) => `postgres://affiliate@127.0.0.1:${port}/${database}`;
  let server: ChildProcess | undefined;

  await once(asServer('initdb', '--username=affiliate', '--auth=trust', '--no-sync'), 'close');
  return {
    ...{ backups, data, url: urlOf('affiliate') },
    ask: (statement) => ask(urlOf('affiliate'), statement),
    async start() {
      server = asServer('postgres');
      await until(() =>
        ask<{ name: string }>(urlOf('postgres'), 'SELECT datname AS name FROM pg_database').then(
          async (databases) => {
            const isThere = databases.some(({ name }) => name === 'affiliate');
            if (!isThere) await ask(urlOf('postgres'), 'CREATE DATABASE affiliate');
            return true;
          },
          () => false,
        ),
      );
    },
    async cut() {
      const over = server && once(server, 'close');
      server?.kill('SIGQUIT');
      await over;
    },
    backup: (...args) =>
      new Promise((resolve) => {
        const own = args[0] === 'restore' ? env : beside;
        execFile('sh', [script, ...args], { env: own, cwd: dir }, (error, out, err) =>
          resolve({ code: Number(error?.code ?? 0), out: out + err }),
        );
      }),
    receive: () => ({ ended: once(begin('sh', [script, 'log'], beside), 'close') }),
    async close() {
      const over = [...running].map((child) => once(child, 'close'));
      for (const child of running) child.kill('SIGQUIT');
      await Promise.all(over);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function ask<T extends object>(url: string, statement: string): Promise<T[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(statement)).rows;
  } finally {
    await client.end();
  }
}
