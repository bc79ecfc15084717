import { execFile } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { checkDatabase, checkTemporal } from '../../stack/supervisor/given';
import { claimAnyPort, releasePorts } from '../../stack/parts/ports';

afterAll(releasePorts);

describe('a part given from outside that does not answer', () => {
  it('is a sentence that names DATABASE_URL, without the password', async () => {
    const port = await claimAnyPort();
    await expect(checkDatabase(`postgres://ann:geheim@127.0.0.1:${port}/x`)).rejects.toThrow(
      `The database at DATABASE_URL cannot be used: connect ECONNREFUSED 127.0.0.1:${port}.`,
    );
  });

  it('is a sentence that names TEMPORAL_ADDRESS', async () => {
    const address = `127.0.0.1:${await claimAnyPort()}`;
    await expect(checkTemporal({ address, namespace: 'default' })).rejects.toThrow(
      `Temporal at TEMPORAL_ADDRESS (${address}) cannot be reached: connect ECONNREFUSED ${address}.`,
    );
  });
});

describe('a port that was asked for and is taken', () => {
  it.each(['PORT', 'ADMIN_PORT'])(
    'of %s ends the start before anything is installed',
    async (name) => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const env = { ...process.env, [name]: String(port) };
      const start = path.join(__dirname, '../../stack/start.mjs');
      const output = await new Promise<string>((resolve) => {
        execFile(process.execPath, [start], { env }, (_error, out, err) => resolve(out + err));
      });
      server.close();
      // No line of installing or building before it.
      expect(output.trim()).toBe(
        `Port ${port} (${name}) is taken: stop what listens there, or choose another.`,
      );
    },
  );
});
