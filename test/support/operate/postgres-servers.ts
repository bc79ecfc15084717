import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { claimAnyPort } from '../../../stack/parts/ports';
import { dataFolder } from '../../../stack/parts/postgres-home';
import { setUpPostgres } from '../../../stack/parts/postgres';
import { launch } from '../../../stack/parts/process';
import { serverUser } from '../../../stack/parts/service-user';
import { until } from '../eventually';

const run = promisify(execFile);
const owner = serverUser();

/** One that acknowledges only what it has on disk, and archives its log. */
export interface PostgresServer {
  port: number;
  url: string;
  cluster: string;
  /** Runs one statement on a connection of its own. */
  ask<T>(statement: string, params?: unknown[]): Promise<T[]>;
  stop(): Promise<void>;
  /** Stops at once, as in a power cut: nothing is flushed, no client is told. */
  cut(): Promise<void>;
}

/** Where a base backup and the log since lie, as in the bucket of another account. */
export interface Backups {
  base: string;
  log: string;
}

export function newBackups(dir: string): Backups {
  const folder = dataFolder(path.join(dir, 'backups'), owner);
  const [base, log] = [path.join(folder, 'base'), path.join(folder, 'log')];
  ownFolder(log);
  return { base, log };
}

/** Starts the server of a folder; makes its data unless it is there already. */
export async function startPostgresServer(
  dir: string,
  { log }: Pick<Backups, 'log'>,
): Promise<PostgresServer> {
  const port = await claimAnyPort();
  const database = 'affiliate';
  const settings = {
    ...{ fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' },
    archive_mode: 'on',
    archive_command: `test ! -f ${log}/%f && cp %p ${log}/%f`,
  };
  // The server asks for no password: the standby signs in too.
  const options = { dir, port, database, disposable: true, settings };
  const { url, cluster, spec } = await setUpPostgres(options);
  const running = await launch(spec);
  return {
    port,
    url,
    cluster,
    ask: (statement, params) => asked(url, statement, params),
    stop: running.stop,
    async cut() {
      process.kill(running.pid, 'SIGQUIT');
      await running.exited;
    },
  };
}

async function asked<T>(url: string, statement: string, params: unknown[] = []): Promise<T[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement, params)).rows as T[];
  } finally {
    await client.end();
  }
}

/** The files that come with the log, or that every server makes for itself. */
const notCopied = ['pg_wal', 'pg_replslot', 'postmaster.pid', 'postmaster.opts'];

/**
 * A base backup of a server that goes on, as pgBackRest and wal-g take theirs: files are copied
 * between pg_backup_start and pg_backup_stop. The Postgres of npm comes without pg_basebackup.
 */
export async function takeBaseBackup(server: PostgresServer, into: string): Promise<void> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  try {
    await client.query(`SELECT pg_backup_start('drill', fast => true)`);
    ownFolder(into);
    const names = readdirSync(server.cluster).filter((name) => !notCopied.includes(name));
    await copy(names, { from: server.cluster, to: into });
    for (const name of ['pg_wal', 'pg_replslot']) ownFolder(path.join(into, name));
    const { rows } = await client.query<{ labelfile: string }>(
      'SELECT labelfile FROM pg_backup_stop()',
    );
    ownFile(path.join(into, 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
}

/** A server of another folder, from the base backup and the log since, as it was at this moment. */
export async function startRestored(
  dir: string,
  backups: Backups,
  moment: Date,
): Promise<PostgresServer> {
  // Abbreviations of time zones, Z among them, are not known to a server that begins.
  const target = moment.toISOString().replace('Z', '+00');
  const cluster = await layOut(dir, backups.base, [
    `restore_command = 'cp ${backups.log}/%f %p'`,
    `recovery_target_time = '${target}'`,
    `recovery_target_action = 'promote'`,
  ]);
  ownFile(path.join(cluster, 'recovery.signal'), '');
  const server = await startPostgresServer(dir, backups);
  await until(() => isPrimary(server));
  return server;
}

/** A standby named `standby_a`, which follows the primary until it is promoted. */
export async function startStandby(
  dir: string,
  primary: PostgresServer,
  backups: Backups,
): Promise<PostgresServer> {
  const reached = `host=127.0.0.1 port=${primary.port} user=postgres`;
  const cluster = await layOut(dir, backups.base, [
    `restore_command = 'cp ${backups.log}/%f %p'`,
    `primary_conninfo = '${reached} application_name=standby_a'`,
  ]);
  ownFile(path.join(cluster, 'standby.signal'), '');
  return startPostgresServer(dir, backups);
}

export async function isPrimary(server: PostgresServer): Promise<boolean> {
  const [row] = await server.ask<{ follows: boolean }>('SELECT pg_is_in_recovery() AS follows');
  return row?.follows === false;
}

/** Lets everything that was written so far be in the archive. */
export async function archiveAll(server: PostgresServer, { log }: Backups): Promise<void> {
  const [row] = await server.ask<{ file: string }>(
    'SELECT pg_walfile_name(pg_switch_wal()) AS file',
  );
  await until(() => existsSync(path.join(log, row?.file ?? '')));
}

async function layOut(dir: string, base: string, settings: readonly string[]): Promise<string> {
  const cluster = path.join(dataFolder(dir, owner), 'cluster');
  ownFolder(cluster);
  await copy(readdirSync(base), { from: base, to: cluster });
  const lines = settings.map((line) => `${line}\n`).join('');
  ownFile(path.join(cluster, 'postgresql.auto.conf'), lines);
  return cluster;
}

async function copy(names: string[], { from, to }: { from: string; to: string }): Promise<void> {
  const sources = names.map((name) => path.join(from, name));
  await run('cp', ['--archive', ...sources, to], { ...owner });
}

function ownFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (owner) chownSync(folder, owner.uid, owner.gid);
}

function ownFile(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
  if (owner) chownSync(file, owner.uid, owner.gid);
}
