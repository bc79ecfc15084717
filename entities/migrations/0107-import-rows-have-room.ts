import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a row that was read is judged is written beside it, on its own page: none of its indexes is touched. */
export class ImportRowsHaveRoom1700000000107 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE import_rows SET (fillfactor = 55)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE import_rows RESET (fillfactor)');
  }
}
