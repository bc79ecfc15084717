import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Connection } from '../../entities/database/connection';
import { findPooler } from './binaries';
import type { ProcessSpec } from './process';
import { serverUser } from './service-user';

export interface PoolerOptions {
  dir: string;
  port: number;
  /** The server behind it, without passwords, and the roles that may come through. */
  server: string;
  roles: readonly string[];
}

/** PgBouncer in transaction mode before a server for tests, as strict as it comes. */
export function setUpPooler({ dir, port, server, roles }: PoolerOptions): ProcessSpec {
  const { hostname, port: serverPort } = new URL(server);
  const users = path.join(dir, 'pooler-users.txt');
  const settings = path.join(dir, 'pooler.ini');
  writeFileSync(users, roles.map((role) => `"${role}" ""\n`).join(''));
  writeFileSync(
    settings,
    `[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = 12
max_client_conn = 1000
server_idle_timeout = 5
`,
  );
  const owner = serverUser();
  return {
    name: 'pooler',
    command: findPooler(),
    args: [settings],
    cwd: '/',
    ...(owner && { owner }),
    logFile: path.join(dir, 'pooler.log'),
    isReady: () => answers(port, roles[0] ?? 'postgres'),
  };
}

async function answers(port: number, user: string): Promise<boolean> {
  const client = new Connection({ host: '127.0.0.1', port, user, database: 'postgres' });
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
