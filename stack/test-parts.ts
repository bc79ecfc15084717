import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startMailCatcher } from './mail/catcher';
import { endLeftovers, recordChild } from './parts/children';
import { isSameProcess, startOf } from './parts/identity';
import { claimAnyPort, releasePorts } from './parts/ports';
import { setUpPostgres } from './parts/postgres';
import { killGroup, launch, type ProcessSpec } from './parts/process';
import { setUpPooler } from './parts/pooler';
import { setUpRedis } from './parts/redis';
import { setUpTemporal } from './parts/temporal';
import { prepareNamespace } from '../workers/temporal/namespace';

/** Databases, log and files of one run stay below half of it. */
const ROOM_IN_MEMORY = 2 * 1024 ** 3;
const FOLDER = path.join(folderInMemory() ?? os.tmpdir(), 'affiliate-programme-tests');
const NAMESPACE = 'default';
/** What tests connect as; the role of the server's URL owns the schema. */
export const TEST_ROLE = 'affiliate_test';
const nothing = async (): Promise<void> => undefined;

export interface TestEnvironment {
  TEST_DATABASE_URL?: string;
  /** A pooler in front of the same server, when TEST_POOLER asks for one. */
  TEST_POOLER_URL?: string;
  TEST_REDIS_URL?: string;
  TEST_TEMPORAL_ADDRESS?: string;
  TEST_TEMPORAL_NAMESPACE?: string;
  TEST_SMTP_URL?: string;
  TEST_MAIL_API_URL?: string;
}

export interface TestParts {
  environment: TestEnvironment;
  stop: () => Promise<void>;
}

interface StartedPart {
  environment: TestEnvironment;
  stop: () => Promise<void>;
}

type Starter = (run: TestRun) => Promise<StartedPart>;

interface TestRun {
  dir: string;
  pids: Set<number>;
}

const STARTERS: Record<string, Starter> = {
  postgres: startPostgresPart,
  redis: startRedisPart,
  temporal: startTemporalPart,
  mail: startMailPart,
};

/**
 * What the environment gives is used instead of a part of our own. `wanted` is `all`, `none` or a
 * comma list of postgres, redis, temporal, mail.
 */
export async function startTestParts(wanted: string): Promise<TestParts> {
  const names = wanted === 'all' ? Object.keys(STARTERS) : wanted.split(',');
  const starters = names.flatMap((name) => STARTERS[name.trim()] ?? []);
  if (starters.length === 0) return { environment: {}, stop: nothing };

  await removeAbandonedRuns();
  const run = openRun();
  const parts = await Promise.all(starters.map((start) => start(run)));
  return {
    environment: Object.assign({}, ...parts.map((part) => part.environment)) as TestEnvironment,
    stop: async () => {
      await Promise.all(parts.map((part) => part.stop()));
      run.pids.clear();
      rmSync(run.dir, { recursive: true, force: true });
      releasePorts();
    },
  };
}

/** A copy of a database is hundreds of small files: on a disk, most of what a small suite costs. */
function folderInMemory(): string | undefined {
  const folder = '/dev/shm';
  if (!existsSync(folder)) return undefined;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= ROOM_IN_MEMORY ? folder : undefined;
}

/** A run that is ended by Ctrl-C or that fails in its setup takes its parts with it. */
function openRun(): TestRun {
  mkdirSync(FOLDER, { recursive: true });
  const run: TestRun = { dir: mkdtempSync(path.join(FOLDER, 'run-')), pids: new Set() };
  // Postgres may run as another user, who has to get through.
  chmodSync(FOLDER, 0o1777);
  chmodSync(run.dir, 0o711);
  writeFileSync(path.join(run.dir, 'runner'), `${process.pid} ${startOf(process.pid)}`);
  process.once('exit', () => {
    for (const pid of run.pids) killGroup(pid);
    if (run.pids.size > 0) rmSync(run.dir, { recursive: true, force: true });
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(1));
  }
  return run;
}

async function startPart(run: TestRun, spec: ProcessSpec): Promise<() => Promise<void>> {
  const part = await launch({
    ...spec,
    onSpawn: (pid) => {
      run.pids.add(pid);
      recordChild(run.dir, spec.name, pid);
    },
  });
  return part.stop;
}

async function startPostgresPart(run: TestRun): Promise<StartedPart> {
  const given = process.env['DATABASE_URL'];
  if (given) return { environment: { TEST_DATABASE_URL: given }, stop: nothing };
  const port = await claimAnyPort();
  const { url, spec } = await setUpPostgres({ dir: run.dir, port, disposable: true });
  const stop = await startPart(run, spec);
  if (!process.env['TEST_POOLER']) return { environment: { TEST_DATABASE_URL: url }, stop };
  const pooler = await startPooler(run, url);
  return {
    environment: { TEST_DATABASE_URL: url, TEST_POOLER_URL: pooler.url },
    stop: async () => {
      await pooler.stop();
      await stop();
    },
  };
}

async function startPooler(
  run: TestRun,
  server: string,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const port = await claimAnyPort();
  const url = new URL(server);
  url.port = String(port);
  const spec = setUpPooler({ dir: run.dir, port, server, roles: [url.username, TEST_ROLE] });
  return { url: url.toString(), stop: await startPart(run, spec) };
}

async function startRedisPart(run: TestRun): Promise<StartedPart> {
  const given = process.env['REDIS_URL'];
  if (given) return { environment: { TEST_REDIS_URL: given }, stop: nothing };
  const { url, spec } = setUpRedis({ dir: run.dir, port: await claimAnyPort() });
  return { environment: { TEST_REDIS_URL: url }, stop: await startPart(run, spec) };
}

async function startTemporalPart(run: TestRun): Promise<StartedPart> {
  const given = process.env['TEMPORAL_ADDRESS'];
  if (given) return givenTemporal(given);
  const port = await claimAnyPort();
  const { address, spec } = setUpTemporal({ dir: run.dir, port, namespace: NAMESPACE });
  const stop = await startPart(run, { ...spec, stopTimeoutMs: 2_000 });
  return {
    environment: { TEST_TEMPORAL_ADDRESS: address, TEST_TEMPORAL_NAMESPACE: NAMESPACE },
    stop,
  };
}

async function givenTemporal(address: string): Promise<StartedPart> {
  const namespace = process.env['TEMPORAL_NAMESPACE'] ?? NAMESPACE;
  await prepareNamespace({ address, namespace });
  const environment = { TEST_TEMPORAL_ADDRESS: address, TEST_TEMPORAL_NAMESPACE: namespace };
  return { environment, stop: nothing };
}

async function startMailPart(): Promise<StartedPart> {
  const catcher = await startMailCatcher({
    smtpPort: await claimAnyPort(),
    httpPort: await claimAnyPort(),
  });
  return {
    environment: { TEST_SMTP_URL: catcher.smtpUrl, TEST_MAIL_API_URL: catcher.url },
    stop: catcher.stop,
  };
}

/** What a killed run left behind is ended and removed by the next one. */
async function removeAbandonedRuns(): Promise<void> {
  for (const name of listRuns()) {
    const dir = path.join(FOLDER, name);
    const [pid, start] = runnerOf(dir);
    if (pid === undefined || isSameProcess(pid, start)) continue;
    await endLeftovers(dir);
    rmSync(dir, { recursive: true, force: true });
  }
}

function listRuns(): string[] {
  try {
    return readdirSync(FOLDER);
  } catch {
    return [];
  }
}

function runnerOf(dir: string): [number | undefined, string | undefined] {
  try {
    const [pid, start] = readFileSync(path.join(dir, 'runner'), 'utf8').split(' ');
    return [Number(pid), start];
  } catch {
    // The folder is just being made, or is another user's.
    return [undefined, undefined];
  }
}
