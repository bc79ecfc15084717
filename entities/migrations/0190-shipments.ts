import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When what a restore needs was last written outside of the database: from the upgrade on it is missed. */
export class Shipments1700000000190 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE shipments (
        name text CONSTRAINT pk_shipments PRIMARY KEY,
        shipped_at timestamptz NOT NULL
      )`);
    await runner.query(
      `INSERT INTO shipments (name, shipped_at) VALUES ('erasures', now()), ('audit', now())`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE shipments');
  }
}
