import type { Client } from 'pg';
import type { QueryRunner } from 'typeorm';
import { connectAsOwner, createTestDatabase } from '../database';
import { forTheSuite } from '../run/for-the-suite';

export interface MigratedBefore {
  client: Client;
  /** The argument of a migration's `up`, which runs it once more on rows that the suite has written. */
  runner: QueryRunner;
  close(): Promise<void>;
}

/** A migrated database for the suite, with a client as the owner of its schema. */
export function useMigratedBefore(): MigratedBefore {
  return forTheSuite(async () => {
    const database = await createTestDatabase();
    const client = await connectAsOwner(database.url);
    const query = async (text: string, params?: unknown[]) =>
      (await client.query(text, params)).rows;
    return {
      client,
      runner: { query } as unknown as QueryRunner,
      async close() {
        await client.end();
        await database.drop();
      },
    };
  });
}
