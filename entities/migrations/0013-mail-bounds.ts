import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mails are bounded per recipient, and collected into digests. */
export class MailBounds1700000000013 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE mails
        DROP CONSTRAINT ck_mails_status,
        ADD CONSTRAINT ck_mails_status CHECK (status IN ('queued', 'sent', 'suppressed',
          'redirected', 'throttled', 'digested', 'dropped', 'failed')),
        ADD COLUMN digest_id uuid;
      CREATE INDEX ix_mails_digest ON mails (digest_id, created_at, id) WHERE digest_id IS NOT NULL;

      -- The mail of a digest is a row of mails; it takes others in until it is closed.
      CREATE TABLE mail_digests (
        mail_id uuid CONSTRAINT pk_mail_digests PRIMARY KEY,
        account_id uuid NOT NULL,
        type text NOT NULL,
        closed_at timestamptz
      );
      CREATE UNIQUE INDEX uq_open_mail_digest ON mail_digests (account_id, type)
        WHERE closed_at IS NULL;
      CREATE INDEX ix_mail_digests_closed ON mail_digests (closed_at);

      -- Mails counted per address (a keyed hash), person or workspace; kept a day.
      CREATE TABLE mail_counts (
        counter text NOT NULL,
        mail_id uuid NOT NULL,
        counted_at timestamptz NOT NULL,
        CONSTRAINT pk_mail_counts PRIMARY KEY (counter, mail_id)
      );
      CREATE INDEX ix_mail_counts_window ON mail_counts (counter, counted_at);
      CREATE INDEX ix_mail_counts_counted ON mail_counts (counted_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE mail_counts, mail_digests;
      UPDATE mails SET status = 'dropped' WHERE status IN ('throttled', 'digested');
      ALTER TABLE mails
        DROP COLUMN digest_id,
        DROP CONSTRAINT ck_mails_status,
        ADD CONSTRAINT ck_mails_status CHECK
          (status IN ('queued', 'sent', 'suppressed', 'redirected', 'dropped', 'failed'));
    `);
  }
}
