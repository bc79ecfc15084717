import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What only grows and ages is kept in partitions, so that it is dropped and never deleted: events and
 * attempts by day, the audit log and decisions by month. The key is a UUID v7, whose first bits are
 * its time: it stays the primary key, and a look-up by id touches one partition. Deliveries stay one
 * table: they are a queue, and a queue wants one index over what is open.
 */
export class Partitions1700000000020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(functions);
    for (const { table, key, step, create } of tables) {
      await runner.query(`ALTER TABLE ${table} RENAME TO ${table}_unpartitioned`);
      await runner.query(freeNamesOf(`${table}_unpartitioned`));
      await runner.query(create);
      await runner.query(`CREATE TABLE ${table}_default PARTITION OF ${table} DEFAULT`);
      await runner.query(`INSERT INTO ${table} SELECT * FROM ${table}_unpartitioned`);
      await runner.query(`DROP TABLE ${table}_unpartitioned`);
      await runner.query(`SELECT ensure_partitions('${table}', '${key}', '${step}', now(), 4)`);
    }
    await runner.query(
      `SELECT setval('events_seq', (SELECT coalesce(max(seq), 0) + 1 FROM events))`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { table } of tables) {
      await runner.query(`
        CREATE TABLE ${table}_whole (LIKE ${table} INCLUDING ALL);
        INSERT INTO ${table}_whole SELECT * FROM ${table};
        DROP TABLE ${table};
        ALTER TABLE ${table}_whole RENAME TO ${table};
      `);
    }
    await runner.query(`
      CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON audit_log
        FOR EACH ROW EXECUTE FUNCTION refuse_change();
      DROP FUNCTION ensure_partitions(text, text, text, timestamptz, int);
      DROP FUNCTION drop_partitions(text, timestamptz);
      DROP FUNCTION first_id_at(timestamptz);
    `);
  }
}

const tables = [
  {
    table: 'events',
    key: 'id',
    step: 'day',
    create: `
      -- A sequence and no identity: partitioned tables have those from Postgres 17 on only.
      CREATE SEQUENCE events_seq AS bigint;
      CREATE TABLE events (
        id uuid PRIMARY KEY,
        seq bigint NOT NULL DEFAULT nextval('events_seq'),
        workspace_id uuid NOT NULL,
        mode text NOT NULL CONSTRAINT ck_events_mode CHECK (mode IN ('test', 'live')),
        type text NOT NULL,
        object_id uuid NOT NULL,
        object json NOT NULL,
        occurred_at timestamptz NOT NULL,
        cause text
      ) PARTITION BY RANGE (id);
      CREATE INDEX ix_events_scope ON events (workspace_id, mode, occurred_at DESC, id DESC);`,
  },
  {
    table: 'webhook_attempts',
    key: 'delivery_id',
    step: 'day',
    create: `
      CREATE TABLE webhook_attempts (
        delivery_id uuid NOT NULL,
        attempt int NOT NULL,
        at timestamptz NOT NULL,
        http_status_code int,
        error_message text,
        duration_ms int NOT NULL,
        PRIMARY KEY (delivery_id, attempt)
      ) PARTITION BY RANGE (delivery_id);`,
  },
  {
    table: 'audit_log',
    key: 'id',
    step: 'month',
    create: `
      CREATE TABLE audit_log (
        id uuid PRIMARY KEY,
        workspace_id uuid,
        actor_type text NOT NULL,
        actor_id uuid,
        action text NOT NULL,
        target_type text NOT NULL,
        target_id text,
        request_id text,
        created_at timestamptz NOT NULL
      ) PARTITION BY RANGE (id);
      CREATE INDEX ix_audit_workspace ON audit_log (workspace_id, created_at DESC, id DESC);
      CREATE INDEX ix_audit_actor ON audit_log (workspace_id, actor_id, created_at DESC);
      CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON audit_log
        FOR EACH ROW EXECUTE FUNCTION refuse_change();`,
  },
  {
    table: 'attribution_decisions',
    key: 'conversion_id',
    step: 'month',
    create: `
      CREATE TABLE attribution_decisions (
        conversion_id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL,
        mode text NOT NULL,
        trace json NOT NULL,
        facts json,
        created_at timestamptz NOT NULL
      ) PARTITION BY RANGE (conversion_id);`,
  },
];

/** Indexes and constraints keep their names: those of the table on its way out give them up. */
function freeNamesOf(table: string): string {
  return `
    DO $$
    DECLARE found record;
    BEGIN
      FOR found IN SELECT i.relname FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
                    WHERE x.indrelid = '${table}'::regclass LOOP
        EXECUTE format('ALTER INDEX %I RENAME TO %I', found.relname, found.relname || '_old');
      END LOOP;
    END $$;`;
}

export const ensurePartitions = `
  -- Makes the partitions of a number of days or months, beginning with that of a moment, and moves
  -- what the default partition caught meanwhile. Returns how many it made.
  CREATE OR REPLACE FUNCTION ensure_partitions(
    parent text, key text, step text, moment timestamptz, ahead int)
  RETURNS int LANGUAGE plpgsql SET timezone = 'UTC' AS $$
  DECLARE
    lower_end timestamptz;
    upper_end timestamptz;
    partition_name text;
    caught boolean;
    made int := 0;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('ensure_partitions ' || parent));
    FOR place IN 0 .. ahead - 1 LOOP
      lower_end := date_trunc(step, moment) + place * ('1 ' || step)::interval;
      upper_end := lower_end + ('1 ' || step)::interval;
      partition_name := parent || '_'
        || to_char(lower_end, CASE step WHEN 'day' THEN 'YYYY_MM_DD' ELSE 'YYYY_MM' END);
      CONTINUE WHEN to_regclass(partition_name) IS NOT NULL;

      EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', partition_name, parent);
      EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I WHERE %I >= $1 AND %I < $2)',
                     parent || '_default', key, key)
        INTO caught USING first_id_at(lower_end), first_id_at(upper_end);
      IF caught THEN
        EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', parent || '_default');
        PERFORM set_config('app.purge', 'on', true);
        EXECUTE format(
          'WITH moved AS (DELETE FROM %I WHERE %I >= $1 AND %I < $2 RETURNING *)
             INSERT INTO %I SELECT * FROM moved',
          parent || '_default', key, key, partition_name)
          USING first_id_at(lower_end), first_id_at(upper_end);
        PERFORM set_config('app.purge', '', true);
      END IF;
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
                     parent, partition_name, first_id_at(lower_end), first_id_at(upper_end));
      made := made + 1;
    END LOOP;
    RETURN made;
  END $$;
`;

const functions = `
  -- The lowest UUID v7 of a moment: the bound of a partition.
  CREATE FUNCTION first_id_at(moment timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
    SELECT (lpad(to_hex(floor(extract(epoch FROM moment) * 1000)::bigint), 12, '0')
            || '00000000000000000000')::uuid
  $$;

  ${ensurePartitions}

  -- Drops the partitions that end at a moment or before it. Returns how many went.
  CREATE FUNCTION drop_partitions(parent text, moment timestamptz) RETURNS int
  LANGUAGE plpgsql SET timezone = 'UTC' AS $$
  DECLARE
    found record;
    dropped int := 0;
  BEGIN
    FOR found IN
      SELECT c.relname AS name, right(c.relname, -length(parent) - 1) AS suffix
        FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = parent::regclass ORDER BY 1
    LOOP
      CONTINUE WHEN found.suffix !~ '^\\d{4}_\\d\\d(_\\d\\d)?$';
      CONTINUE WHEN moment < CASE length(found.suffix)
        WHEN 10 THEN to_timestamp(found.suffix, 'YYYY_MM_DD') + interval '1 day'
        ELSE to_timestamp(found.suffix, 'YYYY_MM') + interval '1 month' END;
      EXECUTE format('DROP TABLE %I', found.name);
      dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
  END $$;
`;
