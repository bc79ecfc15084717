import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig } from '../../runtime/config/config';
import { openDeps, type OpenDeps } from '../../runtime/process/deps';
import { generateSecrets } from '../../runtime/config/secrets';
import { createDatabase, type Database } from '../../entities/database/database';
import { migrate } from '../../entities/database/migrate';
import { claimAnyPort } from '../../stack/parts/ports';
import { startPostgres } from '../../stack/parts/postgres';
import { launch } from '../../stack/parts/process';
import { setUpRedis } from '../../stack/parts/redis';
import { startTemporal } from '../../stack/parts/temporal';
import { prepareNamespace } from '../../workers/temporal/namespace';
import type { Look, LookKind, Order } from './probe';
import { runAlone } from './verdict';

export interface Stage {
  databaseUrl: string;
  redisUrl: string;
  db: Database;
  /** The secrets that the servers run with. */
  secrets: Record<string, string>;
  pids: { postgres: number; redis: number };
  /** Process of a server by its origin. */
  pidOf(origin: string): number;
  /** Runs a load and gives what the server of that origin did meanwhile. */
  lookAt<R>(look: { origin: string; kind: LookKind }, run: () => Promise<R>): Promise<Looked<R>>;
  /** Starts a script of the build beside this one as a server; gives its origin once it answers. */
  serve(script: string, env?: Record<string, string>, preloads?: string[]): Promise<string>;
  /** A Temporal of one's own, with its namespace. */
  startTemporal(options?: { persistent: boolean }): Promise<{ address: string; pid: number }>;
  /** What an API or a worker of the stage would hold, in this process. */
  openDeps(env: Record<string, string>): Promise<OpenDeps>;
  close(): Promise<void>;
}

export interface Looked<R> {
  result: R;
  look: Look;
}

/** A durable Postgres and a Redis of one's own, migrated, and servers in processes of their own. */
export async function openStage(settings: Record<string, string> = {}): Promise<Stage> {
  const dir = mkdtempSync(path.join(tmpdir(), 'affiliate-bench-'));
  chmodSync(dir, 0o711);
  const port = await claimAnyPort();
  const postgres = await startPostgres({ dir, port, database: 'bench', settings });
  const { url: redisUrl, spec } = setUpRedis({ dir, port: await claimAnyPort() });
  const redis = await launch(spec);
  await migrate(postgres.url);
  const db = createDatabase({ url: postgres.url, poolSize: 10 });
  const secrets = generateSecrets();
  const children: ChildProcess[] = [];
  const servers = new Map<string, ChildProcess>();
  const closers: (() => Promise<void>)[] = [];
  const serverOf = (origin: string): ChildProcess => {
    const server = servers.get(origin);
    if (!server) throw new Error(`no server at ${origin}`);
    return server;
  };

  return {
    databaseUrl: postgres.url,
    redisUrl,
    db,
    secrets,
    pids: { postgres: postgres.pid, redis: redis.pid },
    pidOf: (origin) => serverOf(origin).pid ?? 0,
    lookAt: ({ origin, kind }, run) => lookAt(serverOf(origin), kind, run),
    async serve(script, env = {}, preloads = []) {
      const port = env['PORT'] ?? String(await claimAnyPort());
      const preloaded = [path.join(__dirname, 'probe.js'), ...preloads];
      const probe = preloaded.flatMap((file) => ['--require', file]);
      const main = path.join(__dirname, '../..', script);
      const child = spawn(process.execPath, [...probe, main], {
        // A session of its own, as in the local stack: cores are shared among sessions.
        detached: true,
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        env: {
          PATH: process.env['PATH'],
          ...secrets,
          ...limitsOff,
          PORT: port,
          ADMIN_PORT: String(await claimAnyPort()),
          HOST: '127.0.0.1',
          LOG_LEVEL: 'warn',
          DATABASE_URL: postgres.url,
          REDIS_URL: redisUrl,
          ...env,
        },
      });
      children.push(child);
      const origin = `http://127.0.0.1:${port}`;
      await untilItAnswers(origin, child);
      servers.set(origin, child);
      return origin;
    },
    async startTemporal({ persistent } = { persistent: true }) {
      const namespace = 'default';
      const port = await claimAnyPort();
      const temporal = await startTemporal({ dir: `${dir}/temporal`, port, namespace, persistent });
      closers.unshift(temporal.stop);
      const { address } = temporal;
      await prepareNamespace({ address, namespace, apiKey: undefined, tls: false });
      return temporal;
    },
    async openDeps(env) {
      const own = { ...secrets, DATABASE_URL: postgres.url, REDIS_URL: redisUrl };
      const deps = await openDeps(loadConfig({ LOG_LEVEL: 'warn', ...own, ...env }), 'bench');
      closers.unshift(deps.close);
      return deps;
    },
    async close() {
      for (const close of closers) await close();
      for (const child of children) child.kill('SIGTERM');
      await db.destroy();
      await redis.stop();
      await postgres.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

const limitsOff = Object.fromEntries(
  ['TRACKING', 'CONVERSIONS', 'AUTH', 'GENERAL'].map((zone) => [`RATE_LIMIT_${zone}`, '0']),
);

async function lookAt<R>(
  server: ChildProcess,
  kind: LookKind,
  run: () => Promise<R>,
): Promise<Looked<R>> {
  server.send({ probe: 'begin', kind } satisfies Order);
  const result = await run();
  const look = new Promise<Look>((resolve) => {
    server.once('message', (answer) => resolve(answer as unknown as Look));
  });
  server.send({ probe: 'end', kind } satisfies Order);
  return { result, look: await look };
}

async function untilItAnswers(origin: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error('a server of the measurement ended');
    const answer = await fetch(origin).catch(() => undefined);
    if (answer) return;
    await sleep(50);
  }
}

/** Runs a bench on a stage of its own, whose Postgres may have settings of its own, too. */
export function runBench(
  main: (stage: Stage) => Promise<void>,
  settings: Record<string, string> = {},
): void {
  runAlone(async () => {
    const stage = await openStage(settings);
    await main(stage).finally(() => stage.close());
  });
}
