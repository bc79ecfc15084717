import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the partners of a programme were last told of changed terms. */
export class TermsTold1700000000123 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE programs ADD COLUMN terms_told_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE programs DROP COLUMN terms_told_at');
  }
}
