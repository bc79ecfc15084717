import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Groups of a programme, and who is in which since when. The default group of a programme has its id:
 * whoever names no group is in that one, so that no row of before changes.
 */
export class Groups1700000000120 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // No keys to programs and participants: the release before deletes them without these rows.
    await runner.query(`
      CREATE TABLE program_groups (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL,
        mode text NOT NULL CONSTRAINT ck_program_groups_mode CHECK (mode IN ('test', 'live')),
        program_id uuid NOT NULL,
        name text NOT NULL,
        name_key text NOT NULL,
        description text,
        commission jsonb,
        hold_days int,
        auto_approve boolean,
        public_applications boolean NOT NULL,
        approval_mode text
          CONSTRAINT ck_program_groups_approval_mode CHECK (approval_mode IN ('auto', 'manual')),
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        deleted_at timestamptz
      );
      CREATE UNIQUE INDEX uq_program_group_name ON program_groups (program_id, name_key)
        WHERE deleted_at IS NULL;
      CREATE TABLE group_memberships (
        id uuid PRIMARY KEY,
        participant_id uuid NOT NULL,
        since timestamptz NOT NULL,
        workspace_id uuid NOT NULL,
        mode text NOT NULL CONSTRAINT ck_group_memberships_mode CHECK (mode IN ('test', 'live')),
        program_id uuid NOT NULL,
        group_id uuid NOT NULL,
        source text NOT NULL CONSTRAINT ck_group_memberships_source
          CHECK (source IN ('start', 'hand', 'tier', 'invite', 'application', 'import')),
        actor_type text NOT NULL,
        actor_id uuid,
        reason text
      );
      CREATE INDEX ix_group_memberships ON group_memberships (participant_id, since, id);
      ALTER TABLE participants ADD COLUMN group_id uuid, ADD COLUMN group_since timestamptz;
      ALTER TABLE partner_invites ADD COLUMN group_id uuid`);
    await runner.query(`
      INSERT INTO program_groups
             (id, workspace_id, mode, program_id, name, name_key, public_applications, created_at, updated_at)
      SELECT id, workspace_id, mode, id, 'Default', 'default', false, created_at, created_at
        FROM programs`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE partner_invites DROP COLUMN group_id;
      ALTER TABLE participants DROP COLUMN group_id, DROP COLUMN group_since;
      DROP TABLE group_memberships;
      DROP TABLE program_groups`);
  }
}
