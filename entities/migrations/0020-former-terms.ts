import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What programmes offered until they were edited. What was edited before is not known any more. */
export class FormerTerms1700000000020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // No key to programs: the release before deletes them without these rows.
    await runner.query(`
      CREATE TABLE former_terms (
        program_id uuid NOT NULL,
        held_until timestamptz NOT NULL,
        workspace_id uuid NOT NULL,
        mode text NOT NULL CONSTRAINT ck_former_terms_mode CHECK (mode IN ('test', 'live')),
        terms jsonb NOT NULL,
        CONSTRAINT uq_former_terms PRIMARY KEY (program_id, held_until)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE former_terms');
  }
}
