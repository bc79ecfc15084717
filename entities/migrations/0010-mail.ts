import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mails (the notification log among them), suppressed addresses, and the e-mail preferences. */
export class Mail1700000000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- One row per mail. Either account_id says whom (their address is read when it is sent), or
      -- recipient does. "params" are what the template shows; tokens are derived, never stored.
      -- Account mails belong to no workspace's mode: mode is null. Those of mode "test" that were
      -- suppressed or redirected are the notification log; their HTML is rendered again when asked for.
      CREATE TABLE mails (
        id uuid PRIMARY KEY,
        type text NOT NULL,
        side text CONSTRAINT ck_mails_side CHECK (side IN ('merchant', 'partner')),
        account_id uuid,
        recipient text,
        subject text,
        workspace_id uuid,
        mode text CONSTRAINT ck_mails_mode CHECK (mode IN ('test', 'live')),
        params jsonb NOT NULL DEFAULT '{}',
        status text NOT NULL DEFAULT 'queued' CONSTRAINT ck_mails_status CHECK
          (status IN ('queued', 'sent', 'suppressed', 'redirected', 'dropped', 'failed')),
        created_at timestamptz NOT NULL,
        finished_at timestamptz
      );
      CREATE INDEX ix_mails_created ON mails (created_at);
      CREATE INDEX ix_mails_account ON mails (account_id);
      CREATE INDEX ix_mails_recipient ON mails (recipient);
      CREATE INDEX ix_mails_scope ON mails (workspace_id, mode, created_at DESC, id DESC);

      -- The keyed hash is what is compared; the address is for the list, and erasure nulls it.
      CREATE TABLE suppressed_addresses (
        id uuid PRIMARY KEY,
        email_hash text NOT NULL CONSTRAINT uq_suppressed_address UNIQUE,
        email text,
        reason text NOT NULL CONSTRAINT ck_suppressed_addresses_reason
          CHECK (reason IN ('bounced', 'complained')),
        created_at timestamptz NOT NULL
      );
      CREATE INDEX ix_suppressed_addresses_email ON suppressed_addresses (email);

      -- What the e-mail provider told us; ids only, the addresses are in the table above.
      CREATE TABLE email_provider_events (
        id uuid PRIMARY KEY,
        message_id text NOT NULL CONSTRAINT uq_email_provider_event UNIQUE,
        type text NOT NULL,
        received_at timestamptz NOT NULL
      );
      CREATE INDEX ix_email_provider_events_received ON email_provider_events (received_at);

      -- Deviations from the defaults, per account and category.
      CREATE TABLE notification_preferences (
        side text NOT NULL,
        account_id uuid NOT NULL,
        category text NOT NULL,
        in_app boolean,
        email boolean,
        updated_at timestamptz NOT NULL,
        CONSTRAINT pk_notification_preferences PRIMARY KEY (account_id, category)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE notification_preferences, email_provider_events, suppressed_addresses, mails;
    `);
  }
}
