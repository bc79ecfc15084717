import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What an import booked goes when it is undone, by a function of the schema's owner: the role that serves
 * requests cannot delete rows of money. It takes only what the memory of an import that is being undone
 * says that it made; ledger lines stay, with their opposites.
 */
export class ImportsAreUndone1700000000104 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION delete_imported_commissions(undone uuid, ids uuid[])
      RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
      DECLARE
        own uuid[];
        sales uuid[];
        deleted bigint;
      BEGIN
        SELECT coalesce(array_agg(r.record_id), '{}'), coalesce(array_agg(r.beside_id)
                 FILTER (WHERE r.beside_id IS NOT NULL), '{}')
          INTO own, sales
          FROM imported_records AS r JOIN imports AS i ON i.id = r.import_id
         WHERE i.id = undone AND i.status = 'undoing' AND r.kind = 'commissions' AND r.made
           AND r.record_id = ANY (ids);
        PERFORM set_config('app.purge', 'on', true);
        DELETE FROM commission_history WHERE commission_id = ANY (own);
        DELETE FROM commissions WHERE id = ANY (own);
        GET DIAGNOSTICS deleted = ROW_COUNT;
        DELETE FROM attribution_decisions WHERE conversion_id = ANY (sales);
        DELETE FROM conversion_settlements WHERE conversion_id = ANY (sales);
        DELETE FROM conversion_aliases AS a USING conversions AS v
         WHERE v.id = ANY (sales) AND a.workspace_id = v.workspace_id AND a.mode = v.mode
           AND a.conversion_id = v.id;
        DELETE FROM conversions WHERE id = ANY (sales) AND source = 'import';
        PERFORM set_config('app.purge', '', true);
        RETURN deleted;
      END $$;
      REVOKE EXECUTE ON FUNCTION delete_imported_commissions(uuid, uuid[]) FROM PUBLIC`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION delete_imported_commissions(uuid, uuid[])');
  }
}
