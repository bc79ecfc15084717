import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { createDatabase } from '../../../entities/database/database';
import { createVault } from '../../../runtime/crypto/vault';
import { loadConfig } from '../../../runtime/config/config';
import { createLogger } from '../../../runtime/observe/logger';
import { startMailCatcher, type MailCatcher } from '../../../stack/mail/catcher';
import { claimAnyPort } from '../../../stack/parts/ports';
import type { RunningProcess } from '../../../stack/parts/process';
import { startRedis } from '../../../stack/parts/redis';
import { startTemporal } from '../../../stack/parts/temporal';
import { testEnvironment } from '../app';
import { startTcpProxy, type TcpProxy } from '../faults/tcp-proxy';
import { startSink, type Sink } from '../sink';
import { runBuiltCommand } from '../stack/commands';
import { newStackDir, removeStackDir } from '../stack/local-stack';
import { buildService, startService, type ServiceProcess } from '../stack/service-process';
import { startStripeStandIn, type StripeStandIn } from '../stripe/stand-in';
import type { ShopDeps } from '../stripe/shop';
import {
  newBackups,
  startPostgresServer,
  type Backups,
  type PostgresServer,
} from './postgres-servers';

/** The namespace that `aps migrate` alone makes. */
const namespace = 'affiliate';

/** The service as operators run it: processes, commands, and parts that can be taken away and put back. */
export interface DrillStack {
  dir: string;
  apiUrl: string;
  backups: Backups;
  /** The server that the name in DATABASE_URL leads to. */
  server: PostgresServer;
  /** What that name is: bends, and can be cut. */
  database: TcpProxy;
  mailServer: TcpProxy;
  mails: MailCatcher;
  stripe: StripeStandIn;
  sink: Sink;
  deps: ShopDeps;
  temporal: Client;
  /** Lets the name in DATABASE_URL lead to another server. */
  lead(to: PostgresServer): void;
  /** `npm run <command> -- <args>`; fails with what it printed. */
  operate(command: string, ...args: string[]): Promise<string>;
  startTemporal(folder: string): Promise<void>;
  stopTemporal(): Promise<void>;
  /** Copies the files of a stopped server into another folder. */
  copyTemporal(folder: string, into: string): void;
  startProcesses(): Promise<void>;
  stopProcesses(): Promise<void>;
  close(): Promise<void>;
}

interface Ports {
  api: number;
  temporal: number;
}

/** Temporal's store in a file is for drills that copy it or take it away: it is slower. */
export async function startDrillStack(store: 'in memory' | 'in a file'): Promise<DrillStack> {
  buildService();
  const dir = newStackDir();
  const backups = newBackups(dir);
  const ports: Ports = { api: await claimAnyPort(), temporal: await claimAnyPort() };
  const server = await startPostgresServer(path.join(dir, 'primary'), backups);
  const around = await startSurroundings(dir, server);
  const env = environmentOf(ports, around);
  const [db, vault] = [
    createDatabase({ url: env['DATABASE_URL'] ?? '', poolSize: 3 }),
    createVault(loadConfig(env).secrets),
  ];
  const log = createLogger({ level: 'silent', process: 'test' });
  const running: { temporal?: RunningProcess; processes: ServiceProcess[] } = { processes: [] };

  const stack: DrillStack = {
    ...around,
    ...{ dir, backups, server },
    apiUrl: `http://127.0.0.1:${ports.api}`,
    deps: { db, vault, config: loadConfig(env), log, clock: { now: () => new Date() } },
    temporal: new Client({
      namespace,
      connection: Connection.lazy({ address: `127.0.0.1:${ports.temporal}` }),
    }),
    lead(to) {
      stack.server = to;
      stack.database.pointTo({ host: '127.0.0.1', port: to.port });
      stack.database.restore();
    },
    async operate(command, ...args) {
      const { code, out } = await runBuiltCommand(command, env, ...args);
      if (code !== 0) throw new Error(`${command} ended with ${code}:\n${out}`);
      return out;
    },
    async startTemporal(name) {
      const folder = path.join(dir, name);
      mkdirSync(folder, { recursive: true });
      const options = { dir: folder, port: ports.temporal, persistent: store === 'in a file' };
      running.temporal = await startTemporal({ ...options, namespace: 'unused' });
    },
    copyTemporal(folder, into) {
      // Files of Postgres keep whom they belong to.
      execFileSync('cp', ['--archive', path.join(dir, folder), path.join(dir, into)]);
    },
    async stopTemporal() {
      await running.temporal?.stop();
    },
    async startProcesses() {
      running.processes = await Promise.all([
        startService('workers/main.js', { ...env, ADMIN_PORT: String(await claimAnyPort()) }),
        startService('api/main.js', { ...env, ADMIN_PORT: String(await claimAnyPort()) }),
      ]);
    },
    async stopProcesses() {
      await Promise.all(running.processes.map((process) => process.stop()));
    },
    async close() {
      await stack.stopProcesses();
      await db.destroy();
      await stack.temporal.connection.close();
      await stack.stopTemporal();
      await stack.server.stop();
      await around.close();
      removeStackDir(dir);
    },
  };
  await stack.startTemporal('temporal');
  await stack.operate('migrate');
  return stack;
}

type Surroundings = Awaited<ReturnType<typeof startSurroundings>>;

async function startSurroundings(dir: string, server: PostgresServer) {
  const redis = await startRedis({ dir, port: await claimAnyPort() });
  const smtpPort = await claimAnyPort();
  const mails = await startMailCatcher({ smtpPort, httpPort: await claimAnyPort() });
  const database = await startTcpProxy({ host: '127.0.0.1', port: server.port });
  const mailServer = await startTcpProxy({ host: '127.0.0.1', port: smtpPort });
  const [stripe, sink] = [await startStripeStandIn(), await startSink()];
  stripe.eventsOfPage = 100;
  return {
    ...{ redisUrl: redis.url, database, mailServer, mails, stripe, sink },
    async close() {
      await Promise.all([stripe.close(), sink.close(), mails.stop(), redis.stop()]);
      await Promise.all([database.close(), mailServer.close()]);
    },
  };
}

function environmentOf(ports: Ports, around: Surroundings): Record<string, string> {
  const url = (role: string) => `postgres://${role}@127.0.0.1:${around.database.port}/affiliate`;
  return testEnvironment(url('affiliate_service'), {
    DATABASE_URL: url('affiliate_service'),
    DATABASE_OWNER_URL: url('postgres'),
    MIGRATE_AT_START: 'false',
    REDIS_URL: around.redisUrl,
    TEMPORAL_ADDRESS: `127.0.0.1:${ports.temporal}`,
    TEMPORAL_NAMESPACE: namespace,
    SMTP_URL: `smtp://127.0.0.1:${around.mailServer.port}`,
    STRIPE_API_BASE: around.stripe.url,
    PORT: String(ports.api),
    PUBLIC_BASE_URL: `http://127.0.0.1:${ports.api}`,
    // Seconds instead of hours until a receiver that is back has what it missed.
    WEBHOOK_RETRY_SCHEDULE: '0s,2s,5s,10s,20s,40s,80s,160s',
    LOG_LEVEL: 'warn',
  });
}
