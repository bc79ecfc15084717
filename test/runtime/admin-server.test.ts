import { openAdminServer } from '../../activities/runtime/process/admin-server';
import { loadConfig } from '../../activities/runtime/process/config';
import { createMetrics } from '../../activities/runtime/process/metrics';
import { claimAnyPort, releasePorts } from '../../stack/parts/ports';

const opened: { server: { close: () => void } }[] = [];

async function open(adminPort: number, mayMove: boolean): Promise<number> {
  const config = { ...loadConfig(), adminPort, adminPortMayMove: mayMove };
  const admin = await openAdminServer({ config, metrics: createMetrics('worker') });
  opened.push(admin);
  return admin.port;
}

afterEach(() => {
  for (const { server } of opened.splice(0)) server.close();
  releasePorts();
});

describe('the admin server', () => {
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

  it('may move exactly when ADMIN_PORT is not set', () => {
    expect(loadConfig({ ...process.env, ADMIN_PORT: '4001' }).adminPortMayMove).toBe(false);
    expect(loadConfig({ ...process.env, ADMIN_PORT: '' }).adminPortMayMove).toBe(true);
  });
});
