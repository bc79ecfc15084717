import { query } from '../../../entities/database/sql';
import type { TestDeps } from '../app';
import { asOwner } from '../database';
import { buildCommission } from './commissions';

/** The id of one of the copies, from 1 on. */
export const copyId = (n: number): string =>
  `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/**
 * Makes `count` commissions beside one that was built, in one statement: copies of it with ids in
 * order, a conversion that does not exist, and these columns. Returns the id of the one that was
 * built.
 */
export async function copyCommission(
  { db, config }: Pick<TestDeps, 'db' | 'config'>,
  { count, overrides = {}, ...built }: CopiedCommission,
): Promise<string> {
  const { id } = await buildCommission(db.manager, built);
  const columns = await query<{ name: string }>(
    db.manager,
    `SELECT column_name AS name FROM information_schema.columns
      WHERE table_name = 'commissions' AND is_generated = 'NEVER'`,
  );
  const names = columns.map(({ name }) => name).join(', ');
  await asOwner(
    config.databaseUrl,
    `SET session_replication_role = replica;
     INSERT INTO commissions (${names}) SELECT ${names}
       FROM generate_series(1, ${count}) AS n CROSS JOIN LATERAL (SELECT (jsonb_populate_record(c,
         '${JSON.stringify(overrides)}' || jsonb_build_object('conversion_id', gen_random_uuid(),
           'id', '00000000-0000-7000-8000-' || lpad(n::text, 12, '0')))).* FROM commissions c) AS copy;
     ANALYZE commissions`,
  );
  return id;
}

interface CopiedCommission {
  count: number;
  createdAt?: Date;
  overrides?: Record<string, number | string>;
}
