import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Addresses that take no mail are known by a keyed hash only, everybody's and from the start. */
export class SuppressedByHash1700000000034 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE suppressed_addresses DROP COLUMN email');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE suppressed_addresses ADD COLUMN email text');
    await runner.query(
      'CREATE INDEX ix_suppressed_addresses_email ON suppressed_addresses (email)',
    );
  }
}
