import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The waitlist of the landing page, and what a reset of test data has to do and has done. */
export class WaitlistAndResets1700000000015 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Addresses are stored trimmed and in lower case.
      CREATE TABLE waitlist_signups (
        id uuid PRIMARY KEY,
        email text NOT NULL CONSTRAINT uq_waitlist_signup UNIQUE,
        created_at timestamptz NOT NULL
      );
      CREATE INDEX ix_waitlist_signups_created ON waitlist_signups (created_at);

      -- One row per reset; at most one of a workspace is open. "closed_at" is when the last
      -- programme was gone: from then on nothing new can refer to what is deleted.
      CREATE TABLE test_data_resets (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        status text NOT NULL CONSTRAINT ck_test_data_resets_status
          CHECK (status IN ('queued', 'running', 'completed', 'failed')),
        deleted jsonb NOT NULL DEFAULT '{}',
        created_at timestamptz NOT NULL,
        started_at timestamptz,
        closed_at timestamptz,
        finished_at timestamptz,
        touched_at timestamptz NOT NULL
      );
      CREATE UNIQUE INDEX uq_test_data_reset_open ON test_data_resets (workspace_id)
        WHERE status IN ('queued', 'running');
      CREATE INDEX ix_test_data_resets_workspace ON test_data_resets (workspace_id, created_at DESC);

      CREATE INDEX ix_stripe_payments_scope ON stripe_payments (workspace_id, mode);

      -- Programmes and participants of a reset whose rows may be gone already, while what hangs on
      -- them is still there; and the accounts of those participants.
      CREATE TABLE test_data_reset_targets (
        reset_id uuid NOT NULL REFERENCES test_data_resets (id) ON DELETE CASCADE,
        kind text NOT NULL CONSTRAINT ck_test_data_reset_targets_kind
          CHECK (kind IN ('program', 'participant', 'partner')),
        target_id uuid NOT NULL,
        CONSTRAINT pk_test_data_reset_targets PRIMARY KEY (reset_id, kind, target_id)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE test_data_reset_targets, test_data_resets, waitlist_signups;
      DROP INDEX ix_stripe_payments_scope;
    `);
  }
}
