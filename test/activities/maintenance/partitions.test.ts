import {
  dropPartitions,
  ensurePartitions,
  ensurePartitionsPatiently,
  keepPartitions,
} from '../../../activities/maintenance/partitions';
import { newId } from '../../../entities/ids';
import { countFrom, execute, query, transaction } from '../../../entities/database/sql';
import { asOwner } from '../../support/database';
import { useDatabase } from '../../support/data-source';

const database = useDatabase(3);

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

const exists = async (table: string): Promise<boolean> =>
  (await countFrom(database.source.manager, 'pg_class WHERE relname = $1', [table])) === 1;

/** Rows of one moment, by ids that differ in their last digits. */
function insertEvents(moment: Date, count: number): Promise<number> {
  return execute(
    database.source.manager,
    `INSERT INTO events (id, workspace_id, mode, type, object_id, object, occurred_at)
     SELECT (left(first_id_at($1)::text, 24) || lpad(n::text, 12, '0'))::uuid,
            first_id_at($1), 'test', 'webhook.test', first_id_at($1), '{}', $1
       FROM generate_series(1, $2::int) AS n`,
    [moment, count],
  );
}

it('one table that cannot be cut keeps none of the others, and nothing from being dropped', async () => {
  const { manager } = database.source;
  await ensurePartitions(manager, at(150));
  await transaction(database.source, async (tx) => {
    await query(tx, 'SELECT 1 FROM clicks_default LIMIT 1');
    await expect(keepPartitions(manager, { now: at(200), clickMonths: 0 })).rejects.toThrow(
      /^partitions failed of clicks: [^;]*lock timeout$/,
    );
  });
  expect(await exists('events_2021_09_26')).toBe(true);
  expect(await exists('audit_log_2021_12')).toBe(true);
  expect(await exists('events_2021_08_07')).toBe(false);
  expect(await exists('clicks_2021_12')).toBe(false);
  await keepPartitions(manager, { now: at(200), clickMonths: 0 });
  expect(await exists('clicks_2021_12')).toBe(true);
});

it('passes over a day of which the default holds a lot, and makes those to come', async () => {
  const { manager } = database.source;
  await insertEvents(at(300), 10_001);
  const id = await insertEvent(at(301));
  await ensurePartitions(manager, at(300));
  expect(await exists('events_2022_01_04')).toBe(false);
  expect(await countFrom(manager, 'events_default WHERE occurred_at = $1', [at(300)])).toBe(10_001);
  expect(await partitionOf(id)).toBe('events_2022_01_05');
  expect(await exists('events_2022_01_11')).toBe(true);
});

it('deletes what lies in the default past its time apart from the drop, some at a time', async () => {
  const { manager } = database.source;
  await ensurePartitions(manager, at(400));
  await insertEvents(at(399), 6_000);
  const recent = await insertEvent(at(440));
  const strays = () => countFrom(manager, 'events_default WHERE occurred_at <= $1', [at(440)]);
  const before = at(445 - 31);
  expect(await query(manager, `SELECT delete_strays('events', $1, 10) AS n`, [before])).toEqual([
    { n: 10 },
  ]);
  await transaction(database.source, async (tx) => {
    await query(tx, 'SELECT 1 FROM events LIMIT 1');
    await expect(dropPartitions(manager, { now: at(445), clickMonths: 0 })).rejects.toThrow(
      'events: error: canceling statement due to lock timeout',
    );
  });
  expect(await strays()).toBe(1);
  expect(await partitionOf(recent)).toBe('events_default');
  expect(await exists('events_2022_04_14')).toBe(true);
  await dropPartitions(manager, { now: at(445), clickMonths: 0 });
  expect(await exists('events_2022_04_14')).toBe(false);
});

it('waits for strays that are held no longer than for a table', async () => {
  const { manager } = database.source;
  await insertEvent(at(450));
  const waited = (held: string, params: unknown[], now: Date): Promise<number> =>
    transaction(database.source, async (tx) => {
      await query(tx, held, params);
      const since = performance.now();
      await expect(dropPartitions(manager, { now, clickMonths: 0 })).rejects.toThrow(
        /^partitions failed of events: [^;]*lock timeout$/,
      );
      return performance.now() - since;
    });
  const forStrays = await waited(`SELECT delete_strays('events', $1, 10)`, [at(455)], at(490));
  await ensurePartitions(manager, at(500));
  const forTable = await waited('SELECT 1 FROM events LIMIT 1', [], at(550));
  expect(forStrays / forTable).toBeLessThan(1.6);
});

it('begins nothing more once its process stops, and says so to whoever tries again', async () => {
  const keeping = { now: at(520), clickMonths: 0 };
  const { manager } = database.source;
  await expect(keepPartitions(manager, keeping, AbortSignal.abort())).rejects.toThrow(
    /^partitions failed of clicks: Error: not begun, for the process stops; events: /,
  );
  expect(await exists('events_2022_08_12')).toBe(false);
  await keepPartitions(manager, keeping, new AbortController().signal);
  expect(await exists('events_2022_08_12')).toBe(true);
});

it.each(['clicks', 'webhook_attempts'])('strays of %s go by their time too', async (table) => {
  const { manager } = database.source;
  const add = (moment: Date) =>
    asOwner(
      database.url,
      table === 'clicks'
        ? `INSERT INTO clicks_default (id, created_at, workspace_id, mode, program_id, participant_id,
             link_id, visitor_id, creditable, expires_at)
           SELECT id, $2, id, 'test', id, id, id, id, true, $2 FROM (VALUES ($1::uuid)) AS v (id)`
        : `INSERT INTO webhook_attempts_default (delivery_id, attempt, at, duration_ms)
           VALUES ($1, 1, $2, 1)`,
      [newId(moment), moment],
    );
  await add(new Date('2023-01-31T23:59:59.999Z'));
  await add(new Date('2023-03-30T00:00:00.000Z'));
  await dropPartitions(manager, { now: new Date('2023-04-15T00:00:00.000Z'), clickMonths: 1 });
  const left = await query<{ day: string }>(
    manager,
    `SELECT ${table === 'clicks' ? 'created_at' : 'at'}::date::text AS day FROM ${table}_default
      WHERE tableoid = '${table}_default'::regclass`,
  );
  expect(left).toEqual([{ day: '2023-03-30' }]);
});

it('a deploy step says what is in its way, and goes on once it is gone', async () => {
  const { manager } = database.source;
  const said: string[] = [];
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const holding = transaction(database.source, async (tx) => {
    await query(tx, 'SELECT 1 FROM clicks_default LIMIT 1');
    await held;
  });
  await ensurePartitionsPatiently(manager, at(700), {
    say(sentence) {
      said.push(sentence);
      release();
    },
    restMs: 100,
  });
  await holding;
  expect(said[0]).toMatch(/clicks: .*lock timeout.*tried again/);
  expect(await exists('clicks_2023_02')).toBe(true);
});
