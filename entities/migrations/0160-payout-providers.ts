import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who sends payouts for a workspace, how much a day, and whether that takes two persons. */
export class PayoutProviders1700000000160 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE payout_connections (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL,
        mode text NOT NULL CONSTRAINT ck_payout_connections_mode CHECK (mode IN ('test', 'live')),
        provider text NOT NULL,
        client_id text NOT NULL,
        client_secret text NOT NULL,
        last_error text,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        CONSTRAINT uq_payout_connection UNIQUE (workspace_id, mode, provider)
      )`);
    await runner.query(`
      ALTER TABLE workspaces
        ADD COLUMN payout_daily_limits jsonb NOT NULL DEFAULT '[]',
        ADD COLUMN payout_approval text NOT NULL DEFAULT 'one'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE workspaces DROP COLUMN payout_daily_limits, DROP COLUMN payout_approval',
    );
    await runner.query('DROP TABLE payout_connections');
  }
}
