import { openAdminServer } from '../../../runtime/process/admin-server';
import { systemClock } from '../../../runtime/observe/clock';
import { loadConfig } from '../../../runtime/config/config';
import { createMetrics } from '../../../runtime/observe/metrics';
import type { Database } from '../../../entities/database/database';
import { claimAnyPort, releasePorts } from '../../../stack/parts/ports';

const opened: { server: { close: () => void } }[] = [];

const lifecycle = { stopping: false };

/** A database that answers as one does that takes writes, or not; or that does not answer. */
const databaseThat = (readOnly: 'on' | 'off' | 'away' | 'silent'): Database => {
  const run = async (): Promise<object> => {
    if (readOnly === 'away') throw new Error('Connection terminated');
    if (readOnly === 'silent') return new Promise(() => {});
    return Promise.resolve({ rows: [{ readOnly }], rowCount: 1 });
  };
  return { manager: { run } } as unknown as Database;
};

async function open(
  adminPort: number,
  mayMove: boolean,
  db: Database = databaseThat('off'),
): Promise<number> {
  const config = { ...loadConfig(), adminPort, adminPortMayMove: mayMove };
  const admin = await openAdminServer({
    config,
    metrics: createMetrics('worker'),
    db,
    lifecycle,
    clock: systemClock,
  });
  opened.push(admin);
  return admin.port;
}

afterEach(() => {
  for (const { server } of opened.splice(0)) server.close();
  releasePorts();
});

describe('the admin server (running.md, Probes)', () => {
  it('takes the next free port when nobody asked for one, and serves the metrics there', async () => {
    const port = await open(await claimAnyPort(), true);
    const next = await open(port, true);
    expect(next).toBeGreaterThan(port);
    const response = await fetch(`http://127.0.0.1:${next}/metrics`);
    expect(await response.text()).toContain('process_cpu_seconds_total{process="worker"}');
  });

  it('takes a port that was asked for as it is or not at all', async () => {
    const port = await open(await claimAnyPort(), true);
    await expect(open(port, false)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it.each([
    ['off', 'up'],
    ['on', 'down'],
    ['away', 'down'],
    ['silent', 'down'],
  ] as const)(
    'is alive and ready whatever becomes of the database, and tells of it: read-only %s',
    async (readOnly, database) => {
      const port = await open(await claimAnyPort(), true, databaseThat(readOnly));
      const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
      expect((await ask('/live')).status).toBe(200);
      const ready = await ask('/ready');
      expect(ready.status).toBe(200);
      expect(await ready.json()).toEqual({ status: 'ready', dependencies: { database } });
      expect((await ask('/metrics')).status).toBe(200);
      expect((await ask('/other')).status).toBe(404);
    },
  );

  it('is not ready while the process stops', async () => {
    const port = await open(await claimAnyPort(), true);
    lifecycle.stopping = true;
    const response = await fetch(`http://127.0.0.1:${port}/ready`).finally(() => {
      lifecycle.stopping = false;
    });
    expect(response.status).toBe(503);
  });

  it('may move exactly when ADMIN_PORT is not set', () => {
    expect(loadConfig({ ...process.env, ADMIN_PORT: '4001' }).adminPortMayMove).toBe(false);
    expect(loadConfig({ ...process.env, ADMIN_PORT: '' }).adminPortMayMove).toBe(true);
  });
});
