import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who was erased, and what that changed where. */
export class Erasures1700000000014 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The ledger: ids only, kept for ever, so that it can be replayed on a restored backup.
      -- "erased_at" is the moment from which on the subject counts as erased.
      CREATE TABLE erasures (
        id uuid PRIMARY KEY,
        kind text NOT NULL CONSTRAINT ck_erasures_kind CHECK (kind IN ('account', 'participant')),
        subject_id uuid NOT NULL,
        status text NOT NULL CONSTRAINT ck_erasures_status
          CHECK (status IN ('locked', 'anonymised', 'completed', 'cancelled')),
        requested_by_type text NOT NULL,
        requested_by_id uuid,
        mail_id uuid,
        erased_at timestamptz NOT NULL,
        completed_at timestamptz
      );
      CREATE UNIQUE INDEX uq_erasure_subject ON erasures (kind, subject_id)
        WHERE status <> 'cancelled';

      -- What the copies are looked for by, encrypted: it goes when the last of them is clean.
      CREATE TABLE erasure_identities (
        erasure_id uuid PRIMARY KEY REFERENCES erasures (id),
        sealed text NOT NULL
      );

      -- One for each participation that was erased, in its workspace and mode; one without a
      -- workspace for the account itself; and one for the invites that a merchant had erased.
      CREATE TABLE erasure_receipts (
        id uuid PRIMARY KEY,
        erasure_id uuid REFERENCES erasures (id),
        kind text NOT NULL CONSTRAINT ck_erasure_receipts_kind
          CHECK (kind IN ('account', 'participant', 'invites')),
        workspace_id uuid,
        mode text CONSTRAINT ck_erasure_receipts_mode CHECK (mode IN ('test', 'live')),
        program_id uuid,
        participant_id uuid,
        -- Rows changed, by table.
        changes jsonb NOT NULL DEFAULT '{}',
        erased_at timestamptz NOT NULL,
        completed_at timestamptz
      );
      CREATE UNIQUE INDEX uq_erasure_receipt ON erasure_receipts (erasure_id, participant_id)
        WHERE participant_id IS NOT NULL;
      CREATE INDEX ix_erasure_receipts_scope
        ON erasure_receipts (workspace_id, mode, erased_at DESC, id DESC);

      -- The address of a confirmation outlives its account until the mail is finished, encrypted.
      CREATE TABLE sealed_recipients (
        mail_id uuid PRIMARY KEY,
        sealed text NOT NULL
      );

      CREATE INDEX ix_events_participant ON events (object_id) WHERE type LIKE 'participant.%';
      CREATE INDEX ix_partner_invites_address ON partner_invites (email);
      CREATE INDEX ix_partner_invites_accepted ON partner_invites (accepted_by)
        WHERE accepted_by IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX ix_events_participant, ix_partner_invites_address, ix_partner_invites_accepted;
      DROP TABLE sealed_recipients, erasure_receipts, erasure_identities, erasures;
    `);
  }
}
