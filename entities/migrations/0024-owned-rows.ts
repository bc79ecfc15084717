import type { MigrationInterface, QueryRunner } from 'typeorm';
import { deleteTestRows, own, testRows } from './0023-serving-role';

/**
 * Money and deliveries go by functions of the schema's owner too. A role that may delete and add a
 * row can make test data of one of live mode, and then of all that hangs on it.
 */
export class OwnedRows1700000000024 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      deleteTestRows([
        ...testRows,
        ['commissions', 'id', own],
        ['conversion_settlements', 'conversion_id', own],
        ['payouts', 'id', own],
        ['webhook_deliveries', 'id', own],
      ]),
    );
    await runner.query(deleteOldDeliveries);
    await runner.query(
      'REVOKE EXECUTE ON FUNCTION delete_old_deliveries(timestamptz, int) FROM PUBLIC',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION delete_old_deliveries(timestamptz, int)');
    await runner.query(deleteTestRows(testRows));
  }
}

/**
 * A batch of those that are done, the oldest first, by the primary key: the id is their time. What is
 * queued again while its row is waited for stays.
 */
const deleteOldDeliveries = `
  CREATE FUNCTION delete_old_deliveries(moment timestamptz, most int) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
  SET plan_cache_mode = force_custom_plan AS $$
  DECLARE
    -- What any setting keeps, less a day for clocks that differ: the caller's idea of now counts for nothing.
    bound uuid := first_id_at(least(moment, now() - interval '29 days'));
    deleted bigint;
  BEGIN
    DELETE FROM webhook_deliveries WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM webhook_deliveries
       WHERE id < bound AND status IN ('succeeded', 'dead_letter', 'cancelled')
       ORDER BY id LIMIT most))
       AND status IN ('succeeded', 'dead_letter', 'cancelled');
    GET DIAGNOSTICS deleted = ROW_COUNT;
    RETURN deleted;
  END $$;
`;
