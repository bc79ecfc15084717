import { createExportPools } from '../../../runtime/connections/export-pools';
import { Registry } from '../../../runtime/observe/metrics';
import { asOwner, createTestDatabase, type TestDatabase } from '../../support/database';

let primary: TestDatabase;
let replica: TestDatabase;
beforeAll(async () => {
  [primary, replica] = await Promise.all([createTestDatabase(), createTestDatabase()]);
});
afterAll(() => Promise.all([primary.drop(), replica.drop()]));

const readFrom = async (replicaUrl: string | undefined): Promise<string> => {
  const metrics = new Registry();
  const choose = createExportPools(
    { databaseUrl: primary.url, databaseReplicaUrl: replicaUrl, databasePooler: 'none' },
    { connections: 1, metrics },
  );
  const pool = await choose();
  const { rows } = await pool.query<{ name: string }>('SELECT current_database() AS name');
  return rows[0]?.name ?? '';
};
const nameOf = ({ url }: TestDatabase): string => new URL(url).pathname.slice(1);

it('reads the replica while it keeps up, the primary when it is away or there is none', async () => {
  expect(await readFrom(replica.url)).toBe(nameOf(replica));
  expect(await readFrom('postgres://postgres@127.0.0.1:1/none')).toBe(nameOf(primary));
  expect(await readFrom(undefined)).toBe(nameOf(primary));
});

it.each([
  ['is too far behind', `now() - interval '6 seconds'`],
  ['does not answer', `now() FROM pg_sleep(40)`],
])(
  'reads the primary when the replica %s',
  async (_what, replayed) => {
    // The server asks the first schema of the path: a stand-in for a replica that stands still.
    await asOwner(
      replica.url,
      `CREATE SCHEMA IF NOT EXISTS behind;
      CREATE OR REPLACE FUNCTION behind.pg_is_in_recovery() RETURNS boolean
        LANGUAGE sql AS 'SELECT true';
      CREATE OR REPLACE FUNCTION behind.pg_last_xact_replay_timestamp() RETURNS timestamptz
        LANGUAGE sql VOLATILE AS $$SELECT ${replayed}$$;
      ALTER DATABASE ${nameOf(replica)} SET search_path = behind, pg_catalog, public`,
    );
    expect(await readFrom(replica.url)).toBe(nameOf(primary));
  },
  // A page may take longer than this.
  25_000,
);
