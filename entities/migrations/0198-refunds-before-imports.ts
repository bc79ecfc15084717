import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A sale that an import took over may have been refunded by API before: that is in the told sum, once. */
export class RefundsBeforeImports1700000000198 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE conversion_settlements ADD COLUMN api_refunded_before_cents bigint',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE conversion_settlements DROP COLUMN api_refunded_before_cents');
  }
}
