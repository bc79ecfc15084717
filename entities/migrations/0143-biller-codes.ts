import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What promo codes take off, and what became of them where people pay. */
export class BillerCodes1700000000143 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // No key to promo_codes: a code is switched off there after it is gone here.
    await runner.query(`
      ALTER TABLE promo_codes ADD COLUMN discount jsonb;
      CREATE TABLE biller_codes (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL,
        mode text NOT NULL CONSTRAINT ck_biller_codes_mode CHECK (mode IN ('test', 'live')),
        program_id uuid NOT NULL,
        participant_id uuid NOT NULL,
        promo_code_id uuid NOT NULL,
        biller text NOT NULL
          CONSTRAINT ck_biller_codes_biller CHECK (biller IN ('stripe', 'paddle', 'polar')),
        code text NOT NULL,
        discount jsonb NOT NULL,
        status text NOT NULL
          CONSTRAINT ck_biller_codes_status CHECK (status IN ('pending', 'made', 'failed', 'deleted')),
        external_id text,
        message text,
        asked_at timestamptz NOT NULL,
        removed_at timestamptz,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        CONSTRAINT uq_biller_code UNIQUE (promo_code_id, biller)
      );
      CREATE INDEX idx_biller_codes_participant ON biller_codes (participant_id);
      CREATE INDEX idx_biller_codes_code ON biller_codes (workspace_id, mode, code);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE biller_codes; ALTER TABLE promo_codes DROP COLUMN discount');
  }
}
