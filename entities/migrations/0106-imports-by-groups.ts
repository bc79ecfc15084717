import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Campaigns of an import become groups: which it made, and where each of its partners begins. */
export class ImportsByGroups1700000000106 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE imports ADD COLUMN group_by text, ADD COLUMN made_groups uuid[];
      ALTER TABLE import_rows
        ADD COLUMN group_name text, ADD COLUMN side_problem text, ADD COLUMN side_message text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE imports DROP COLUMN group_by, DROP COLUMN made_groups;
      ALTER TABLE import_rows
        DROP COLUMN group_name, DROP COLUMN side_problem, DROP COLUMN side_message`);
  }
}
