import { mkdtempSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../stack/parts/identity';
import { launch, type ProcessSpec } from '../../stack/parts/process';
import { delayBefore, failuresThatCount, keepRunning } from '../../stack/supervisor/keep';
import { until } from '../support/eventually';

const dir = mkdtempSync(path.join(os.tmpdir(), 'affiliate-keep-'));

function nodeSpec(code: string, overrides: Partial<ProcessSpec> = {}): ProcessSpec {
  return {
    name: 'dummy',
    command: process.execPath,
    args: ['-e', code],
    logFile: path.join(dir, 'dummy.log'),
    isReady: async () => true,
    ...overrides,
  };
}

const FOREVER = 'setInterval(() => {}, 1000)';

/** Throws where there is none: to signal 0 is to signal the runner of this test and all of its group. */
function kill(pid: number | undefined): void {
  if (!pid) throw new Error('there is nothing to kill');
  process.kill(pid, 'SIGKILL');
}

describe('keepRunning', () => {
  it('starts a process again when it is killed, under a new pid, and stops it for good', async () => {
    const pids: number[] = [];
    const ends: string[] = [];
    const kept = await keepRunning(nodeSpec(FOREVER), {
      signal: new AbortController().signal,
      firstDelayMs: 10,
      onUp: (_name, pid) => pids.push(pid),
      onDown: (_name, how) => ends.push(how),
    });
    kill(pids[0]);
    await until(() => pids.length === 2);

    await kept.stop();

    expect(ends).toEqual(['SIGKILL']);
    expect(new Set(pids).size).toBe(2);
    expect(pids.some(isAlive)).toBe(false);
  });

  it('tells the new pid only when the successor serves', async () => {
    const ups: number[] = [];
    let serves = true;
    const spec = nodeSpec(FOREVER, { isReady: async () => serves });
    const kept = await keepRunning(spec, {
      signal: new AbortController().signal,
      firstDelayMs: 1,
      onUp: (_name, pid) => ups.push(pid),
      onDown: () => undefined,
    });
    serves = false;
    kill(ups[0]);
    await sleep(300);
    expect(ups).toHaveLength(1);

    serves = true;
    await until(() => ups.length === 2);
    await kept.stop();
  });

  it('ends while a restart waits or is under way', async () => {
    const pids: number[] = [];
    let serves = true;
    const spec = nodeSpec(FOREVER, {
      isReady: async () => serves,
      onSpawn: (pid) => pids.push(pid),
    });
    const stopping = new AbortController();
    const kept = await keepRunning(spec, {
      signal: stopping.signal,
      firstDelayMs: 1,
      onUp: () => undefined,
      onDown: () => undefined,
    });
    serves = false;
    kill(pids[0]);
    await until(() => pids.length === 2);

    stopping.abort();
    await kept.stop();

    expect(pids.some(isAlive)).toBe(false);
  });

  it('waits longer after each failure, at most five seconds', () => {
    expect([0, 1, 2, 3, 4, 5, 20].map((failures) => delayBefore(failures))).toEqual([
      100, 200, 400, 800, 1600, 3200, 5000,
    ]);
  });

  it('counts a failure to start no longer once the process has served for some seconds', () => {
    expect([1_000, 4_900, 5_100].map((servedMs) => failuresThatCount(5, servedMs))).toEqual([
      5, 5, 0,
    ]);
  });
});

describe('launch', () => {
  it('tells why a process did not start, with the end of its log', async () => {
    const spec = nodeSpec('console.error("no room left"); process.exit(3)', {
      isReady: async () => false,
    });

    await expect(launch(spec)).rejects.toThrow(
      /dummy did not start: it ended \(exit code 3\).\nno room/,
    );
  });

  it('names a program that is not there', async () => {
    const spec = nodeSpec('', { command: '/nowhere/program' });

    await expect(launch(spec)).rejects.toThrow('dummy did not start');
  });

  it('kills what does not heed its stop signal, and what that had started', async () => {
    const code = `process.on('SIGTERM', () => {});
      const child = require('node:child_process').spawn(process.execPath, ['-e', '${FOREVER}']);
      console.log(child.pid); ${FOREVER}`;
    const logFile = path.join(dir, 'stubborn.log');
    const running = await launch(
      nodeSpec(code, {
        logFile,
        stopTimeoutMs: 200,
        isReady: async () => readPid(logFile) > 0,
      }),
    );

    await running.stop();

    await until(() => !isAlive(readPid(logFile)));
    expect(isAlive(running.pid)).toBe(false);
  });
});

function readPid(file: string): number {
  return Number(readFileSync(file, 'utf8').trim());
}
