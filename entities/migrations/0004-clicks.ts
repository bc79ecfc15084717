import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Clicks, partitioned by month. The id is a UUID v7 and created_at is the time inside it, so a
 * look-up by id touches one partition.
 */
export class Clicks1700000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE clicks (
        id uuid NOT NULL,
        created_at timestamptz NOT NULL,
        workspace_id uuid NOT NULL,
        mode text NOT NULL,
        program_id uuid NOT NULL,
        participant_id uuid NOT NULL,
        link_id uuid NOT NULL,
        visitor_id uuid NOT NULL,
        creditable boolean NOT NULL,
        expires_at timestamptz NOT NULL,
        url text,
        referrer text,
        user_agent text,
        ip_hash text,
        CONSTRAINT pk_clicks PRIMARY KEY (id, created_at)
      ) PARTITION BY RANGE (created_at);
      CREATE TABLE clicks_default PARTITION OF clicks DEFAULT;
      CREATE INDEX ix_clicks_participant ON clicks (participant_id, link_id, created_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE clicks');
  }
}
