import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The statuses that partners and programmes had until they changed. A trigger keeps them, whatever
 * makes the change, the processes of the release before included. What changed before is not known
 * any more.
 */
export class FormerStatuses1700000000164 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // No keys: the release before deletes programmes and participants without these rows.
    await runner.query(`
      CREATE TABLE former_statuses (
        program_id uuid NOT NULL,
        subject_id uuid NOT NULL,
        held_until timestamptz NOT NULL,
        workspace_id uuid NOT NULL,
        mode text NOT NULL CONSTRAINT ck_former_statuses_mode CHECK (mode IN ('test', 'live')),
        status text NOT NULL,
        CONSTRAINT uq_former_statuses PRIMARY KEY (program_id, subject_id, held_until)
      )`);
    await runner.query(keptBy('participants', 'OLD.program_id'));
    await runner.query(keptBy('programs', 'OLD.id'));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['participants', 'programs']) {
      await runner.query(`DROP TRIGGER ${table}_status_kept ON ${table}`);
      await runner.query(`DROP FUNCTION keep_status_of_${table}`);
    }
    await runner.query('DROP TABLE former_statuses');
  }
}

/** A trigger that keeps the former status with the time that the edit gives; an edit that gives none is of now. */
function keptBy(table: string, program: string): string {
  return `
    CREATE FUNCTION keep_status_of_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO former_statuses (program_id, subject_id, held_until, workspace_id, mode, status)
      VALUES (${program}, OLD.id,
              CASE WHEN NEW.updated_at > OLD.updated_at THEN NEW.updated_at
                   ELSE date_trunc('milliseconds', clock_timestamp()) END,
              OLD.workspace_id, OLD.mode, OLD.status)
      ON CONFLICT ON CONSTRAINT uq_former_statuses DO NOTHING;
      RETURN NULL;
    END $$;
    CREATE TRIGGER ${table}_status_kept AFTER UPDATE OF status ON ${table}
      FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status)
      EXECUTE FUNCTION keep_status_of_${table}()`;
}
