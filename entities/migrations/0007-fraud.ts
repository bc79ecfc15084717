import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a programme's fraud rules do, and the conversions that they hit. */
export class Fraud1700000000007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- "rules" holds what the merchant has set, by rule; the rest is the default.
      CREATE TABLE program_fraud_rules (
        program_id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL,
        mode text NOT NULL,
        rules jsonb NOT NULL,
        updated_at timestamptz NOT NULL
      );

      -- One row per conversion and rule that hit. "value" is a number or true, never an address.
      CREATE TABLE fraud_flags (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL,
        mode text NOT NULL,
        program_id uuid NOT NULL,
        participant_id uuid NOT NULL,
        conversion_id uuid NOT NULL,
        rule text NOT NULL,
        action text NOT NULL
          CONSTRAINT ck_fraud_flags_action CHECK (action IN ('flag', 'hold', 'reject')),
        value json NOT NULL,
        threshold bigint,
        occurred_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL,
        CONSTRAINT uq_fraud_flag UNIQUE (conversion_id, rule)
      );
      CREATE INDEX ix_fraud_flags_program ON fraud_flags (program_id, created_at DESC, id DESC);
      CREATE INDEX ix_fraud_flags_participant ON fraud_flags (participant_id, created_at DESC);
      CREATE INDEX ix_fraud_flags_occurred ON fraud_flags (workspace_id, mode, occurred_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE fraud_flags, program_fraud_rules');
  }
}
