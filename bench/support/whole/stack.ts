import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase } from '../../../entities/database/database';
import type { Db } from '../../../entities/database/sql';
import type { Demo } from '../../../stack/demo/seed';
import type { StackInfo } from '../../../stack/supervisor/info';

export interface WholeStack {
  info: StackInfo;
  demo: Demo;
  db: Db;
  /** Runs work while the worker stands still, so that what it leaves behind waits. */
  withoutWorker<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

// What is set for another stack must not reach this one, and limits would measure themselves.
const notGiven = [
  'DATABASE_URL',
  'REDIS_URL',
  'TEMPORAL_ADDRESS',
  'SMTP_URL',
  'PORT',
  'ADMIN_PORT',
];
const settings = {
  NODE_ENV: 'development',
  LOG_LEVEL: 'warn',
  WEBHOOK_ALLOW_PRIVATE: 'true',
  RATE_LIMIT_CONVERSIONS: '0',
  RATE_LIMIT_GENERAL: '0',
};

/**
 * All that `npm start` starts, with a folder and ports of its own: Postgres, Redis, Temporal, a mail
 * catcher, API, worker and demo. Variables of the service that are set for the bench reach it, save
 * those that name parts or ports.
 */
export async function openWholeStack(): Promise<WholeStack> {
  const dir = mkdtempSync(path.join(tmpdir(), 'affiliate-whole-'));
  chmodSync(dir, 0o711);
  const kept = Object.entries(process.env).filter(([name]) => !notGiven.includes(name));
  const child = spawn(process.execPath, ['stack/start.mjs'], {
    env: { ...settings, ...Object.fromEntries(kept), STACK_DIR: dir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const end = endOf(child, dir);
  try {
    const info = await untilUp(child, dir);
    const source = createDatabase({ url: info.databaseUrl, poolSize: 4, statementTimeoutMs: 0 });
    if (!info.demo) throw new Error('the stack has no demo');
    return {
      info,
      demo: info.demo,
      db: source.manager,
      withoutWorker: (work) => whileStopped(info.processes.worker ?? 0, work),
      async close() {
        await source.destroy();
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

async function untilUp(child: ChildProcess, dir: string): Promise<StackInfo> {
  let output = '';
  child.stdout?.on('data', (text) => (output += String(text)));
  const file = path.join(dir, 'info.json');
  while (!existsSync(file)) {
    if (child.exitCode !== null) throw new Error(`the stack ended:\n${output}`);
    await sleep(100);
  }
  return JSON.parse(readFileSync(file, 'utf8')) as StackInfo;
}

/** Ends the stack with the bench, however that ends, and leaves nothing of it. */
function endOf(child: ChildProcess, dir: string): () => Promise<void> {
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const end = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    rmSync(dir, { recursive: true, force: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void end().finally(() => process.exit(1)));
  }
  return end;
}

async function whileStopped<T>(pid: number, work: () => Promise<T>): Promise<T> {
  process.kill(pid, 'SIGSTOP');
  try {
    return await work();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}
