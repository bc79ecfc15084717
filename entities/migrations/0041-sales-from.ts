import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who tells the sales of a programme, so that a shop that reports twice can say which counts. */
export class SalesFrom1700000000041 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE programs ADD COLUMN sales_from text NOT NULL DEFAULT 'both'
        CONSTRAINT ck_programs_sales_from CHECK (sales_from IN ('both', 'api', 'stripe'));`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE programs DROP COLUMN sales_from');
  }
}
