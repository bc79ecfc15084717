import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Steps that lead into groups, and on whom they have acted. */
export class Tiers1700000000122 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // No keys to programs and participants: the release before deletes them without these rows.
    await runner.query(`
      CREATE TABLE program_tiers (
        program_id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL,
        mode text NOT NULL CONSTRAINT ck_program_tiers_mode CHECK (mode IN ('test', 'live')),
        metric text NOT NULL CONSTRAINT ck_program_tiers_metric
          CHECK (metric IN ('customers', 'conversions', 'revenue')),
        steps jsonb NOT NULL,
        updated_at timestamptz NOT NULL
      );
      CREATE TABLE reached_steps (
        participant_id uuid NOT NULL,
        group_id uuid NOT NULL,
        at_least bigint NOT NULL,
        workspace_id uuid NOT NULL,
        mode text NOT NULL CONSTRAINT ck_reached_steps_mode CHECK (mode IN ('test', 'live')),
        program_id uuid NOT NULL,
        reached_at timestamptz NOT NULL,
        CONSTRAINT uq_reached_step PRIMARY KEY (participant_id, group_id, at_least)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE reached_steps; DROP TABLE program_tiers');
  }
}
