import { createDatabase } from '../../entities/database/database';
import { isDatabaseOutage } from '../../entities/database/errors';
import { query, transaction } from '../../entities/database/sql';
import { createRowStreams } from '../../runtime/connections/row-streams';
import { listenOn } from '../../runtime/connections/listener';
import { loadConfig } from '../../runtime/config/config';
import { createLogger } from '../../runtime/observe/logger';
import { errorOf } from '../support/answers/error-of';
import { until } from '../support/eventually';
import { startDyingServer, type DyingServer } from '../support/faults/dying-server';

let server: DyingServer;

beforeAll(async () => {
  server = await startDyingServer();
});
afterAll(() => server.close());

/** An error that nobody hears ends the process, and here the suite. */
describe('a server that stops while it lets a client in', () => {
  it('is an outage to whoever asked, and to nobody else', async () => {
    const database = createDatabase({ url: server.url, poolSize: 3 });
    for (const work of [
      () => query(database, 'SELECT 1'),
      () => transaction(database, (tx) => query(tx, 'SELECT 1')),
      () => database.run({ name: 'one', text: 'SELECT 1', values: [] }),
    ]) {
      const failures = await Promise.all(Array.from({ length: 6 }, () => errorOf(work())));
      expect(failures.map(isDatabaseOutage)).toEqual(failures.map(() => true));
    }
    await database.destroy();
  });

  it('is one to an export', async () => {
    const streams = createRowStreams({
      ...loadConfig(),
      databaseUrl: server.url,
      databaseReplicaUrl: undefined,
    });
    const page = () => ({ text: 'SELECT 1', params: [] });
    const failure = await errorOf(streams.open({ accountId: 'somebody' }, () => ({ page })));
    expect(isDatabaseOutage(failure)).toBe(true);
  });

  it('is asked again by who listens', async () => {
    const before = server.letIn();
    const end = listenOn({
      databaseUrl: server.url,
      channel: 'anything',
      log: createLogger({ level: 'silent', process: 'test' }),
      onNotify: () => undefined,
    });
    await until(() => server.letIn() > before + 1);
    await end();
  });
});
