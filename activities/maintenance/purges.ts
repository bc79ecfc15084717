import { deleteRules, keptSince, type DeleteRule } from '../../entities/rules/retention/retention';
import { execute, queryOne, type Db } from '../../entities/database/sql';
import { purgeNotifications } from '../notifications/retention';

const batch = 5_000;

type Purge = (db: Db, before: Date) => Promise<number>;

const ownPurges: Readonly<Record<string, Purge>> = {
  // What must keep other rows in step with those that go.
  notifications: purgeNotifications,
  // What only the owner of the schema deletes.
  webhook_deliveries: purgeDeliveries,
};

export const purgedTables: readonly string[] = [...new Set(deleteRules.map(({ table }) => table))];

/** Deletes a batch of what is past its time in a table; 0 when nothing is left. */
export async function purgeTable(db: Db, table: string, now: Date): Promise<number> {
  let deleted = 0;
  for (const rule of deleteRules) {
    if (rule.table === table) deleted += await purge(db, rule, now);
  }
  return deleted;
}

function purge(db: Db, rule: DeleteRule, now: Date): Promise<number> {
  const before = keptSince(rule, now);
  const own = ownPurges[rule.table];
  return own ? own(db, before) : execute(db, deleteStatement(rule), [before]);
}

/** The index gives the oldest rows first, and nothing else is read. */
function deleteStatement({ table, since, also = 'true' }: DeleteRule): string {
  const bound = since === 'id' ? 'first_id_at($1)' : '$1';
  return `DELETE FROM ${table} WHERE ctid = ANY (ARRAY (
    SELECT ctid FROM ${table} WHERE ${since} < ${bound} AND ${also}
     ORDER BY ${since} LIMIT ${batch}))`;
}

async function purgeDeliveries(db: Db, before: Date): Promise<number> {
  const row = await queryOne<{ deleted: number }>(
    db,
    'SELECT delete_old_deliveries($1, $2) AS deleted',
    [before, batch],
  );
  return row?.deleted ?? 0;
}
