import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Clicks, partitioned by month. The id is a UUID v7 and created_at is the time inside it, so a
 * look-up by id touches one partition. There are no foreign keys: the insert itself joins what it
 * names, and key-share locks on a busy partner's row would be the dearest part of a click.
 */
export class Clicks1700000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE clicks (
        id uuid NOT NULL,
        created_at timestamptz NOT NULL,
        workspace_id uuid NOT NULL,
        mode text NOT NULL,
        program_id uuid NOT NULL,
        participant_id uuid NOT NULL,
        link_id uuid NOT NULL,
        visitor_id uuid NOT NULL,
        -- Whether the partner was approved at that moment: a later approval changes nothing.
        creditable boolean NOT NULL,
        expires_at timestamptz NOT NULL,
        url text,
        referrer text,
        user_agent text,
        ip_hash text,
        CONSTRAINT pk_clicks PRIMARY KEY (id, created_at)
      ) PARTITION BY RANGE (created_at);

      -- Catches a click whose month nobody has made yet, so that an insert never fails for that.
      CREATE TABLE clicks_default PARTITION OF clicks DEFAULT;

      -- Counts of a participant, and its clicks of one hour for the fraud rules. New entries land
      -- at the end of each participant's run, so the pages in use stay few at any table size.
      CREATE INDEX ix_clicks_participant ON clicks (participant_id, created_at);
      -- Counts of a link; equal keys are kept as one list, which makes it small.
      CREATE INDEX ix_clicks_link ON clicks (link_id);
    `);
    await runner.query(ensureClickPartitions);
    await runner.query('SELECT ensure_click_partitions(now(), 4)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE clicks;
      DROP FUNCTION ensure_click_partitions(timestamptz, int);
    `);
  }
}

export const ensureClickPartitions = `
  -- Makes the partitions of a number of months, beginning with the month of a moment, and
  -- moves what the default partition caught meanwhile. Returns how many it made.
  CREATE OR REPLACE FUNCTION ensure_click_partitions(moment timestamptz, months int) RETURNS int
  LANGUAGE plpgsql SET timezone = 'UTC' AS $$
  DECLARE
    month timestamptz;
    next_month timestamptz;
    partition_name text;
    made int := 0;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('ensure_click_partitions'));
    FOR step IN 0 .. months - 1 LOOP
      month := date_trunc('month', moment) + make_interval(months => step);
      next_month := month + interval '1 month';
      partition_name := 'clicks_' || to_char(month, 'YYYY_MM');
      CONTINUE WHEN to_regclass(partition_name) IS NOT NULL;

      EXECUTE format('CREATE TABLE %I (LIKE clicks INCLUDING ALL)', partition_name);
      IF EXISTS (SELECT 1 FROM clicks_default
                 WHERE created_at >= month AND created_at < next_month) THEN
        LOCK TABLE clicks_default IN ACCESS EXCLUSIVE MODE;
        EXECUTE format(
          'WITH moved AS (DELETE FROM clicks_default WHERE created_at >= %L
             AND created_at < %L RETURNING *) INSERT INTO %I SELECT * FROM moved',
          month, next_month, partition_name);
      END IF;
      EXECUTE format('ALTER TABLE clicks ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
                     partition_name, month, next_month);
      made := made + 1;
    END LOOP;
    RETURN made;
  END $$;
`;
