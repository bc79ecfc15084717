import { Client } from 'pg';
import { createOrm, withOrm } from '../../entities/database/orm';
import { execute, query, transaction } from '../../entities/database/sql';
import { tableAccess } from '../../entities/database/table-access';
import { newId } from '../../entities/ids';
import { openTestDataSource, type TestDataSource } from '../support/data-source';
import { eventually } from '../support/eventually';
import { waitsForLock } from '../support/faults/waits-for-lock';

const day = 86_400_000;

/** The database with the role of the processes. */
let database: TestDataSource;
let owner: Client;
beforeAll(async () => {
  database = await openTestDataSource(2);
  owner = new Client({ connectionString: database.url });
  await owner.connect();
  // Rows by themselves: what they refer to is of no matter here.
  await owner.query(`SET session_replication_role = 'replica'`);
});
afterAll(async () => {
  await owner.end();
  await database.close();
});

type Row = Record<string, unknown>;

async function insert(table: string, row: Row): Promise<void> {
  const places = Object.keys(row).map((_, index) => `$${index + 1}`);
  await owner.query(
    `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${places.join(', ')})`,
    Object.values(row),
  );
}

/** One row of each table that a reset deletes from by the function of the owner, and not before. */
const rows: Record<string, (row: Row) => Row> = {
  payouts: (row) => ({
    ...{ id: newId(), program_id: newId(), status: 'completed', created_at: new Date() },
    ...row,
  }),
  payout_items: (row) => ({
    ...{ id: newId(), payout_id: newId(), participant_id: newId(), currency: 'eur' },
    ...{ amount_cents: 1, commission_count: 1, reference: newId(), status: 'ready' },
    ...row,
  }),
  webhook_deliveries: (row) => ({
    ...{ id: newId(), endpoint_id: newId(), event_id: newId(), event_type: 'ping' },
    ...{ status: 'succeeded', created_at: new Date() },
    ...row,
  }),
  conversion_settlements: (row) => ({ conversion_id: newId(), updated_at: new Date(), ...row }),
  commissions: (row) => ({
    ...{ id: newId(), program_id: newId(), participant_id: newId(), conversion_id: newId() },
    ...{ external_transaction_id: 'o1', status: 'pending', commission_type: 'sale' },
    ...{ amount_cents: 1, original_amount_cents: 1, owed_cents: 1, currency: 'eur' },
    ...{ conversion_amount_cents: 1, terms: {}, auto_approve: false, hold_elapsed: false },
    ...{ version: 1, created_at: new Date(), updated_at: new Date() },
    ...row,
  }),
};
const tables = Object.keys(rows);
const keyOf = (table: string): string =>
  table === 'conversion_settlements' ? 'conversion_id' : 'id';

async function add(table: string, row: Row): Promise<unknown> {
  const full = rows[table]?.(row) ?? row;
  await insert(table, full);
  return full[keyOf(table)];
}

it('the tables of owned rows are those of money and deliveries', () => {
  const owned = Object.keys(tableAccess).filter((table) => tableAccess[table]?.kind === 'owned');
  expect(owned.sort()).toEqual([...tables].sort());
});

it.each(tables)('%s: each column changes but whose the row is', async (table) => {
  const access = tableAccess[table];
  const columns = access?.kind === 'owned' ? access.columns : [];
  const orm = createOrm(database.url);
  await withOrm(orm, () => Promise.resolve());
  const metadata = orm.entityMetadatas.find(({ tableName }) => tableName === table);
  const changing = (metadata?.columns ?? [])
    .filter((column) => column.isUpdate && column.isInsert && !column.isPrimary)
    .map(({ databaseName }) => databaseName)
    .filter((name) => !['workspace_id', 'mode'].includes(name));
  expect([...columns].sort()).toEqual(changing.sort());
  for (const column of ['workspace_id', 'mode', keyOf(table)]) {
    await expect(
      execute(database.source.manager, `UPDATE ${table} SET ${column} = ${column} WHERE false`),
    ).rejects.toMatchObject({ code: '42501' });
  }
});

it.each(tables)('%s: no row is deleted, to be added again as test data', async (table) => {
  const id = await add(table, { workspace_id: newId(), mode: 'live' });
  for (const mode of ['live', 'test']) {
    await expect(
      execute(
        database.source.manager,
        `DELETE FROM ${table} WHERE ${keyOf(table)} = '${String(id)}' AND mode = '${mode}'`,
      ),
    ).rejects.toMatchObject({ code: '42501' });
  }
});

it.each(tables)('%s: a reset deletes test data of its workspace alone', async (table) => {
  const [own, other] = [newId(), newId()];
  const addTo = (workspace: string, mode: string) => add(table, { workspace_id: workspace, mode });
  const test = await addTo(own, 'test');
  const kept = [await addTo(own, 'live'), await addTo(other, 'test'), await addTo(other, 'live')];
  const reset = (): Promise<{ deleted: number }[]> =>
    query(database.source.manager, 'SELECT delete_reset_rows($1, $2, $3, $4) AS deleted', [
      own,
      table,
      keyOf(table),
      [test, ...kept],
    ]);
  await expect(reset()).rejects.toMatchObject({ code: '42501' });
  await insert('test_data_resets', {
    ...{ id: newId(), workspace_id: own, status: 'running' },
    ...{ created_at: new Date(), touched_at: new Date() },
  });
  expect(await reset()).toEqual([{ deleted: 1 }]);
  const { rowCount } = await owner.query(
    `SELECT 1 FROM ${table} WHERE ${keyOf(table)} = ANY ($1)`,
    [kept],
  );
  expect(rowCount).toBe(kept.length);
});

it('deliveries that are done go after their time, however far ahead a clock is', async () => {
  await owner.query('DELETE FROM webhook_deliveries');
  const aged = (days: number, status: string) =>
    add('webhook_deliveries', {
      ...{ id: newId(new Date(Date.now() - days * day)), workspace_id: newId(), mode: 'live' },
      status,
    });
  await aged(40, 'succeeded');
  await aged(41, 'cancelled');
  await aged(42, 'dead_letter');
  const kept = [await aged(40, 'retrying'), await aged(28, 'succeeded')];
  const purge = (most: number): Promise<{ deleted: number }[]> =>
    query(
      database.source.manager,
      `SELECT delete_old_deliveries(now() + interval '10 years', $1) AS deleted`,
      [most],
    );
  expect(await purge(2)).toEqual([{ deleted: 2 }]);
  expect(await purge(2)).toEqual([{ deleted: 1 }]);
  expect(await purge(2)).toEqual([{ deleted: 0 }]);
  const left = await owner.query<{ id: string }>('SELECT id FROM webhook_deliveries');
  expect(left.rows.map(({ id }) => id).sort()).toEqual(kept.sort());
});

it('a dead letter that is queued again while the purge waits for its row stays', async () => {
  await owner.query('DELETE FROM webhook_deliveries');
  const id = await add('webhook_deliveries', {
    ...{ id: newId(new Date(Date.now() - 40 * day)), workspace_id: newId(), mode: 'live' },
    status: 'dead_letter',
  });
  await owner.query('BEGIN');
  await owner.query(`UPDATE webhook_deliveries SET status = 'pending' WHERE id = $1`, [id]);
  const purge = transaction(database.source, async (tx) => {
    await execute(tx, 'SET LOCAL lock_timeout = 0');
    return query(tx, 'SELECT delete_old_deliveries(now(), 10) AS deleted');
  });
  await eventually(() => waitsForLock(database.source.manager));
  await owner.query('COMMIT');
  expect(await purge).toEqual([{ deleted: 0 }]);
  const { rowCount } = await owner.query('SELECT 1 FROM webhook_deliveries WHERE id = $1', [id]);
  expect(rowCount).toBe(1);
});
