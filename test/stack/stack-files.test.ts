import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, statSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { endLeftovers, recordChild } from '../../stack/parts/children';
import { isAlive } from '../../stack/parts/identity';
import { claimAnyPort, claimPort, isPortFree, releasePorts } from '../../stack/parts/ports';
import { removeInfo, writeInfo, type StackInfo } from '../../stack/supervisor/info';
import { takeLock } from '../../stack/supervisor/lock';
import { warningIn } from '../../stack/supervisor/log-tail';
import { choosePorts } from '../../stack/supervisor/ports';

function newFolder(): string {
  return mkdtempSync(path.join(os.tmpdir(), 'affiliate-stack-'));
}

function listenOn(port: number): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer().listen(port, '127.0.0.1', () => resolve(server));
  });
}

afterEach(releasePorts);

describe('ports', () => {
  it('goes on to the next one when the preferred one is taken or claimed', async () => {
    const free = await claimAnyPort();
    releasePorts();
    const server = await listenOn(free);

    const first = await claimPort(free);
    const second = await claimPort(free);

    expect(first).toBeGreaterThan(free);
    expect(second).toBeGreaterThan(first);
    server.close();
  });

  it('keeps out of the range that clients get theirs from', async () => {
    expect(await claimAnyPort()).toBeLessThan(32_768);
  });

  it('takes the ports of the last run again', async () => {
    const dir = newFolder();
    const first = await choosePorts(dir, {});
    releasePorts();

    expect(await choosePorts(dir, {})).toEqual(first);
  });

  it('refuses to move when a port was asked for and is taken', async () => {
    const port = await claimAnyPort();
    const server = await listenOn(port);

    await expect(choosePorts(newFolder(), { api: { variable: 'PORT', port } })).rejects.toThrow(
      `Port ${port} (PORT) is taken`,
    );
    expect(await isPortFree(port)).toBe(false);
    server.close();
  });
});

describe('info.json', () => {
  const info: StackInfo = {
    apiUrl: 'http://127.0.0.1:4000',
    docsUrl: 'http://127.0.0.1:4000/api/docs',
    adminUrl: 'http://127.0.0.1:4001',
    workerAdminUrl: 'http://127.0.0.1:4002',
    temporalUiUrl: null,
    temporalAddress: '127.0.0.1:7233',
    mailUrl: null,
    databaseUrl: 'postgres://127.0.0.1/affiliate',
    redisUrl: 'redis://127.0.0.1:6379',
    processes: { api: 1 },
    demo: null,
  };

  it('is readable by its owner alone, whole, and gone after a stop', () => {
    const dir = newFolder();

    writeInfo(dir, info);

    const file = path.join(dir, 'info.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(info);
    removeInfo(dir);
    expect(readdirSync(dir)).toEqual([]);
  });
});

describe('a stack folder', () => {
  it('belongs to one supervisor at a time', () => {
    const dir = newFolder();
    const unlock = takeLock(dir);

    expect(() => takeLock(dir)).toThrow('This stack runs already');

    unlock();
    takeLock(dir)();
  });

  it('tells the next start what a killed one left, and that ends it', async () => {
    const dir = newFolder();
    const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true });
    recordChild(dir, 'worker', left.pid ?? 0);

    expect(await endLeftovers(dir)).toEqual(['worker']);

    expect(isAlive(left.pid ?? 0)).toBe(false);
    expect(await endLeftovers(dir)).toEqual([]);
  });
});

describe('the log of a service', () => {
  it.each([
    ['{"level":"info","msg":"request"}', undefined],
    ['{"level":"warn","msg":"slow","err":{"message":"late"}}', 'warn: slow: late'],
    ['{"level":50,"msg":"broken"}', '50: broken'],
    ['Error: no module', 'Error: no module'],
    ['', undefined],
  ])('shows of %s: %s', (line, shown) => {
    expect(warningIn(line)).toBe(shown);
  });
});
