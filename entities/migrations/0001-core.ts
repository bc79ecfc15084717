import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tenancy, the event log with its outbox, idempotency keys and the audit log. */
export class Core1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE workspaces (
        id uuid PRIMARY KEY,
        name text NOT NULL,
        test_email_redirect text,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL
      );

      -- What happened, as it was then. "seq" grows per object because changes of one object are
      -- serialised by its row lock; "object" is json, not jsonb, so that its text never changes.
      CREATE TABLE events (
        id uuid PRIMARY KEY,
        seq bigint GENERATED ALWAYS AS IDENTITY,
        workspace_id uuid NOT NULL,
        mode text NOT NULL CONSTRAINT ck_events_mode CHECK (mode IN ('test', 'live')),
        type text NOT NULL,
        object_id uuid NOT NULL,
        object json NOT NULL,
        occurred_at timestamptz NOT NULL
      );
      CREATE INDEX ix_events_scope ON events (workspace_id, mode, occurred_at DESC, id DESC);
      CREATE INDEX ix_events_object ON events (object_id);

      -- Work that must follow a commit. The row is deleted in the end; "ref" names an id only.
      CREATE TABLE outbox (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        topic text NOT NULL,
        ref uuid NOT NULL,
        payload jsonb NOT NULL DEFAULT '{}',
        available_at timestamptz NOT NULL,
        attempts int NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX ix_outbox_available ON outbox (topic, available_at, id);

      CREATE TABLE idempotency_keys (
        principal_id uuid NOT NULL,
        mode text NOT NULL,
        path text NOT NULL,
        key text NOT NULL,
        workspace_id uuid,
        body_hash text NOT NULL,
        claim_token uuid NOT NULL,
        claimed_at timestamptz NOT NULL,
        answer text,
        created_at timestamptz NOT NULL,
        CONSTRAINT uq_idempotency_key PRIMARY KEY (principal_id, mode, path, key)
      );
      CREATE INDEX ix_idempotency_created ON idempotency_keys (created_at);

      CREATE TABLE audit_log (
        id uuid PRIMARY KEY,
        workspace_id uuid,
        actor_type text NOT NULL,
        actor_id uuid,
        action text NOT NULL,
        target_type text NOT NULL,
        target_id text,
        request_id text,
        created_at timestamptz NOT NULL
      );
      CREATE INDEX ix_audit_workspace ON audit_log (workspace_id, created_at DESC, id DESC);
      CREATE INDEX ix_audit_actor ON audit_log (workspace_id, actor_id, created_at DESC);

      -- Ledger, history and audit rows are never changed. Erasure and the test-data reset say so
      -- first: SET LOCAL app.purge = 'on'.
      CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF current_setting('app.purge', true) = 'on' THEN
          RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
        END IF;
        RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
      END $$;
      CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON audit_log
        FOR EACH ROW EXECUTE FUNCTION refuse_change();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE audit_log, idempotency_keys, outbox, events, workspaces;
      DROP FUNCTION refuse_change();
    `);
  }
}
