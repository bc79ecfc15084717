import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Bonuses of programmes, and who has earned which. */
export class Bonuses1700000000130 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // No keys to programs, participants and commissions: the release before deletes them without these rows.
    await runner.query(`
      CREATE TABLE program_bonuses (
        program_id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL,
        mode text NOT NULL CONSTRAINT ck_program_bonuses_mode CHECK (mode IN ('test', 'live')),
        bonuses jsonb NOT NULL,
        updated_at timestamptz NOT NULL
      );
      CREATE TABLE earned_bonuses (
        participant_id uuid NOT NULL,
        bonus_id uuid NOT NULL,
        workspace_id uuid NOT NULL,
        mode text NOT NULL CONSTRAINT ck_earned_bonuses_mode CHECK (mode IN ('test', 'live')),
        program_id uuid NOT NULL,
        commission_id uuid NOT NULL,
        metric text NOT NULL CONSTRAINT ck_earned_bonuses_metric
          CHECK (metric IN ('customers', 'conversions', 'revenue')),
        at_least bigint NOT NULL,
        counts_from timestamptz,
        counts_to timestamptz,
        earned_at timestamptz NOT NULL,
        CONSTRAINT uq_earned_bonus PRIMARY KEY (participant_id, bonus_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE earned_bonuses; DROP TABLE program_bonuses');
  }
}
