import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which code the schema serves, and deliveries that are purged by their id, which is their time. */
export class FleetSchema1700000000021 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- One row, written by whoever migrated last.
      CREATE TABLE schema_versions (
        id int PRIMARY KEY CONSTRAINT ck_schema_versions_one CHECK (id = 1),
        version int NOT NULL,
        oldest_served int NOT NULL,
        changed_at timestamptz NOT NULL
      );

      -- Rows that are deleted free pages all over the table: after a month this index excludes none.
      DROP INDEX ix_webhook_deliveries_created;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE schema_versions;
      CREATE INDEX ix_webhook_deliveries_created ON webhook_deliveries USING brin (created_at);
    `);
  }
}
