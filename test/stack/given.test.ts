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
      `Temporal at TEMPORAL_ADDRESS (${address}) cannot be used: `,
    );
  });
});
