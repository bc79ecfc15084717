import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A discount is renamed: which text a buyer typed goes by the time of the sale. */
export class TextsOfDiscounts1700000000191 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE biller_discounts ADD COLUMN texts jsonb NOT NULL DEFAULT '[]'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE biller_discounts DROP COLUMN texts');
  }
}
