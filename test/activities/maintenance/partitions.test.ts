import { dropPartitions, ensurePartitions } from '../../../activities/maintenance/partitions';
import { newId } from '../../../entities/ids';
import { execute, query, transaction } from '../../../entities/database/sql';
import { asOwner } from '../../support/database';
import { openTestDataSource, type TestDataSource } from '../../support/data-source';

let database: TestDataSource;
beforeAll(async () => {
  database = await openTestDataSource(3);
});
afterAll(() => database.close());

const day = 86_400_000;
// The owner's function goes by the clock of Postgres, and keeps what is recent.
const start = new Date('2021-03-10T12:00:00.000Z');
const at = (days: number): Date => new Date(start.getTime() + days * day);

async function insertEvent(moment: Date): Promise<string> {
  const id = newId(moment);
  await execute(
    database.source.manager,
    `INSERT INTO events (id, workspace_id, mode, type, object_id, object, occurred_at)
     VALUES ($1, $1, 'test', 'webhook.test', $1, '{}', $2)`,
    [id, moment],
  );
  return id;
}

async function partitionOf(id: string): Promise<string | undefined> {
  const [row] = await query<{ name: string }>(
    database.source.manager,
    'SELECT tableoid::regclass::text AS name FROM events WHERE id = $1',
    [id],
  );
  return row?.name;
}

it('catches what comes before its partition, and moves it there', async () => {
  const id = await insertEvent(at(0));
  expect(await partitionOf(id)).toBe('events_default');
  expect(await ensurePartitions(database.source.manager, at(0))).toBeGreaterThan(0);
  expect(await partitionOf(id)).toBe('events_2021_03_10');
  expect(await ensurePartitions(database.source.manager, at(0))).toBe(0);
});

it('moves rows of the append-only log, which stays append-only', async () => {
  const id = newId(at(40));
  const { manager } = database.source;
  await execute(
    manager,
    `INSERT INTO audit_log (id, actor_type, action, target_type, created_at)
     VALUES ($1, 'system', 'test.done', 'test', $2)`,
    [id, at(40)],
  );
  await ensurePartitions(manager, at(40));
  const [row] = await query<{ name: string }>(
    manager,
    'SELECT tableoid::regclass::text AS name FROM audit_log WHERE id = $1',
    [id],
  );
  expect(row?.name).toBe('audit_log_2021_04');
  await expect(asOwner(database.url, 'DELETE FROM audit_log WHERE id = $1', [id])).rejects.toThrow(
    'append-only',
  );
});

it('drops a day once each of its rows is past its time, and no day before', async () => {
  const { manager } = database.source;
  const old = await insertEvent(at(0));
  const recent = await insertEvent(at(5));
  await ensurePartitions(manager, at(5));
  await dropPartitions(manager, { now: at(31), clickMonths: 0 });
  expect(await partitionOf(old)).toBe('events_2021_03_10');
  await dropPartitions(manager, { now: at(32), clickMonths: 0 });
  expect(await partitionOf(old)).toBeUndefined();
  expect(await partitionOf(recent)).toBe('events_2021_03_15');
});

it('drops the clicks of months that are past the setting', async () => {
  const { manager } = database.source;
  const months = async (): Promise<string[]> =>
    (
      await query<{ name: string }>(
        manager,
        `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
          WHERE i.inhparent = 'clicks'::regclass AND c.relname LIKE 'clicks_2021%' ORDER BY 1`,
      )
    ).map(({ name }) => name);
  await ensurePartitions(manager, at(0));
  expect(await months()).toContain('clicks_2021_03');
  await dropPartitions(manager, { now: new Date('2022-04-30T00:00:00.000Z'), clickMonths: 13 });
  expect(await months()).toContain('clicks_2021_03');
  await dropPartitions(manager, { now: new Date('2022-05-01T00:00:00.000Z'), clickMonths: 13 });
  expect(await months()).not.toContain('clicks_2021_03');
});

it('gives up soon when traffic holds the table, and does no harm', async () => {
  const { manager } = database.source;
  await ensurePartitions(manager, at(0));
  await transaction(database.source, async (tx) => {
    await query(tx, 'SELECT 1 FROM events LIMIT 1');
    await expect(dropPartitions(manager, { now: at(60), clickMonths: 0 })).rejects.toThrow(
      'lock timeout',
    );
  });
  expect(await dropPartitions(manager, { now: at(60), clickMonths: 0 })).toBeGreaterThan(0);
});

it('touches one partition when an id is looked up', async () => {
  await ensurePartitions(database.source.manager, at(100));
  const plan = await query<{ 'QUERY PLAN': string }>(
    database.source.manager,
    `EXPLAIN SELECT * FROM events WHERE id = '${newId(at(100))}'`,
  );
  const scans = plan.filter((line) => / on events_/.test(line['QUERY PLAN']));
  expect(scans).toHaveLength(1);
});
