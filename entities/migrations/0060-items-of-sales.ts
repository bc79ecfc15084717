import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was sold, as a report tells it; null where it tells nothing. */
export class ItemsOfSales1700000000060 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE conversions ADD COLUMN items jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE conversions DROP COLUMN items');
  }
}
