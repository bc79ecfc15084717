import { createDatabase, type Database } from '../../entities/database/database';
import { connectionTo, createTestDatabase } from './database';
import { opened } from './run/open-things';
import { forTheSuite } from './run/for-the-suite';

export interface TestDataSource {
  source: Database;
  url: string;
  close(): Promise<void>;
}

/** A pool on a database of one's own, for tests that need nothing else. */
export async function openTestDataSource(poolSize = 10): Promise<TestDataSource> {
  const database = await createTestDatabase();
  const { url, pooler } = connectionTo(database.url);
  const source = createDatabase({ url, pooler, poolSize });
  const closed = opened('data source');
  return {
    source,
    url: database.url,
    async close() {
      closed();
      await source.destroy();
      await database.drop();
    },
  };
}

/** The same for the suite, open from its first `beforeAll` to its end. */
export function useDatabase(poolSize?: number): TestDataSource {
  return forTheSuite(() => openTestDataSource(poolSize));
}
