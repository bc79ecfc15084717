import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Ways for a role that does not own the schema: to make and drop partitions, and to delete rows of
 * test data from tables that are append-only for it. Who may take them is up to the deploy step.
 */
export class ServingRole1700000000023 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(deleteTestRows(testRows));
    await runner.query(dropPartitions);
    await runner.query(
      ownerFunctions
        .map((name) => `ALTER FUNCTION ${name} SECURITY DEFINER SET search_path = public, pg_temp;`)
        .join('\n'),
    );
    await runner.query(
      [...ownerFunctions, 'delete_test_rows(uuid, text, text, text[])']
        .map((name) => `REVOKE EXECUTE ON FUNCTION ${name} FROM PUBLIC;`)
        .join('\n'),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      ownerFunctions
        .map(
          (name) => `ALTER FUNCTION ${name} SECURITY INVOKER RESET search_path;
            GRANT EXECUTE ON FUNCTION ${name} TO PUBLIC;`,
        )
        .join('\n'),
    );
    await runner.query('DROP FUNCTION delete_test_rows(uuid, text, text, text[])');
  }
}

const ownerFunctions = [
  'ensure_click_partitions(timestamptz, int)',
  'ensure_partitions(text, text, text, timestamptz, int)',
  'drop_partitions(text, timestamptz)',
];

export const own = `workspace_id = $2 AND mode = 'test'`;
const ofPayout = `EXISTS (SELECT 1 FROM payouts AS p
  WHERE p.id = payout_id AND p.workspace_id = $2 AND p.mode = 'test')`;
const ofDelivery = `EXISTS (SELECT 1 FROM webhook_deliveries AS d
  WHERE d.id = delivery_id AND d.workspace_id = $2 AND d.mode = 'test')`;

/** Table, the column that its rows are named by, and which of them are a workspace's test data. */
type Way = [table: string, key: string, isTest: string];

export const testRows: readonly Way[] = [
  ['attribution_decisions', 'conversion_id', own],
  ['clicks', 'id', own],
  ['commission_history', 'commission_id', own],
  ['conversion_aliases', 'alias', own],
  ['conversion_refunds', 'conversion_id', own],
  ['conversions', 'id', own],
  ['events', 'id', own],
  ['fraud_flags', 'conversion_id', own],
  ['ledger_entries', 'commission_id', own],
  ['payout_items', 'id', own],
  ['payout_items', 'payout_id', own],
  ['payout_lines', 'commission_id', ofPayout],
  ['payout_lines', 'item_id', ofPayout],
  ['payout_lines', 'payout_id', ofPayout],
  ['webhook_attempts', 'delivery_id', ofDelivery],
];

export const deleteTestRows = (ways: readonly Way[]): string => `
  CREATE OR REPLACE FUNCTION delete_test_rows(workspace uuid, target text, key text, keys text[])
  RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DECLARE
    condition text;
    deleted bigint;
  BEGIN
    SELECT way.is_test INTO condition
      FROM (VALUES ${ways.map(named).join(', ')}) AS way (of_table, by_key, is_test)
     WHERE way.of_table = target AND way.by_key = key;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'rows of % are not deleted by %', target, key
        USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF NOT EXISTS (SELECT 1 FROM test_data_resets AS r
                    WHERE r.workspace_id = workspace AND r.status = 'running') THEN
      RAISE EXCEPTION 'no reset of test data is running' USING ERRCODE = 'insufficient_privilege';
    END IF;

    PERFORM set_config('app.purge', 'on', true);
    EXECUTE format('DELETE FROM %I WHERE %I = ANY ($1::%s[]) AND %s', target, key,
                   CASE key WHEN 'alias' THEN 'text' ELSE 'uuid' END, condition)
      USING keys, workspace;
    GET DIAGNOSTICS deleted = ROW_COUNT;
    PERFORM set_config('app.purge', '', true);
    RETURN deleted;
  END $$;
`;

const named = ([table, key, isTest]: Way): string =>
  `('${table}', '${key}', $test$${isTest}$test$)`;

/** As it was, but for tables alone whose rows have an end, never sooner, and with what the default caught. */
export const dropPartitions = `
  CREATE OR REPLACE FUNCTION drop_partitions(parent text, moment timestamptz) RETURNS int
  LANGUAGE plpgsql SET timezone = 'UTC' AS $$
  DECLARE
    found record;
    -- What any setting keeps, less a day for clocks that differ: the caller's idea of now counts for nothing.
    least_kept interval := CASE parent WHEN 'clicks' THEN interval '27 days'
      ELSE interval '30 days' END;
    dropped int := 0;
  BEGIN
    IF moment > now() - least_kept THEN
      RAISE EXCEPTION 'rows of % since then are kept', parent
        USING ERRCODE = 'insufficient_privilege';
    END IF;
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
    CASE parent
      WHEN 'clicks' THEN DELETE FROM clicks_default WHERE created_at < moment;
      WHEN 'events' THEN DELETE FROM events_default WHERE id < first_id_at(moment);
      WHEN 'webhook_attempts' THEN
        DELETE FROM webhook_attempts_default WHERE delivery_id < first_id_at(moment);
      ELSE RAISE EXCEPTION 'partitions of % are kept', parent
        USING ERRCODE = 'insufficient_privilege';
    END CASE;
    RETURN dropped;
  END $$;
`;
