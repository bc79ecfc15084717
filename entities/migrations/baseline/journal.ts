/** What a change leaves: events, work of the outbox, stored answers, the audit log. */
export const journal = `
  -- Ledger, history and audit rows are never changed. Erasure and the test-data reset say so
  -- first: SET LOCAL app.purge = 'on'.
  CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF current_setting('app.purge', true) = 'on' THEN
      RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
    END IF;
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
  END $$;

  -- What happened, as it was then. "seq" grows per object because changes of one object are serialised
  -- by its row lock; "object" is json, not jsonb, so that its text never changes. "cause" is what led to
  -- it, where its kind leaves that open (a reinstatement is an approval, too).
  -- A sequence and no identity: partitioned tables have those from Postgres 17 on only.
  CREATE SEQUENCE events_seq AS bigint;
  CREATE TABLE events (
    id uuid PRIMARY KEY,
    seq bigint NOT NULL DEFAULT nextval('events_seq'),
    workspace_id uuid NOT NULL,
    mode text NOT NULL CONSTRAINT ck_events_mode CHECK (mode IN ('test', 'live')),
    type text NOT NULL,
    object_id uuid NOT NULL,
    object json NOT NULL,
    occurred_at timestamptz NOT NULL,
    cause text,
    -- In which request it happened; of an activity, its run.
    request_id text
  ) PARTITION BY RANGE (id);
  CREATE TABLE events_default PARTITION OF events DEFAULT;
  CREATE INDEX ix_events_scope ON events (workspace_id, mode, occurred_at DESC, id DESC);
  CREATE INDEX ix_events_participant ON events (object_id) WHERE type LIKE 'participant.%';

  -- Work that must follow a commit. The row is deleted in the end; "ref" names an id only. No index
  -- has a column that a claim or a release writes, so that these stay in their page and leave nothing
  -- behind in an index.
  CREATE TABLE outbox (
    id bigint GENERATED ALWAYS AS IDENTITY,
    topic text NOT NULL,
    ref uuid NOT NULL,
    payload jsonb NOT NULL DEFAULT '{}',
    -- All ones for what belongs to none.
    workspace_id uuid NOT NULL DEFAULT 'ffffffff-ffff-ffff-ffff-ffffffffffff',
    available_at timestamptz NOT NULL,
    request_id text,
    attempts int NOT NULL DEFAULT 0,
    -- Work that was deferred waits longer each time.
    deferrals int NOT NULL DEFAULT 0,
    error_code text,
    lease_token uuid,
    lease_until timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_outbox PRIMARY KEY (topic, id)
  ) WITH (fillfactor = 70);
  -- The relay finds its rows by when they are due, of all workspaces or of one; what is not due yet
  -- lies behind them.
  CREATE INDEX ix_outbox_due ON outbox (topic, available_at, id);
  CREATE INDEX ix_outbox_workspace_due ON outbox (topic, workspace_id, available_at, id);

  CREATE TABLE outbox_dead (
    id uuid PRIMARY KEY,
    topic text NOT NULL,
    ref uuid NOT NULL,
    payload jsonb NOT NULL,
    workspace_id uuid NOT NULL,
    request_id text,
    attempts int NOT NULL,
    error_code text NOT NULL,
    queued_at timestamptz NOT NULL,
    died_at timestamptz NOT NULL,
    -- Work that died again is counted in one row.
    times int NOT NULL DEFAULT 1,
    first_died_at timestamptz
  );
  CREATE INDEX ix_outbox_dead_topic ON outbox_dead (topic, died_at);

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
  -- An erasure reads a workspace's stored answers in pages; those of conversions hold no name.
  CREATE INDEX ix_idempotency_answers ON idempotency_keys (workspace_id, mode, created_at)
    WHERE answer IS NOT NULL AND path NOT LIKE '/api/v1/conversions%';

  CREATE TABLE audit_log (
    id uuid PRIMARY KEY,
    workspace_id uuid,
    actor_type text NOT NULL,
    actor_id uuid,
    -- Operators have no account: an opaque id of their own directory, and a code of why.
    operator text CONSTRAINT ck_audit_log_operator CHECK (operator IS NULL OR actor_type = 'operator'),
    reason_code text,
    action text NOT NULL,
    target_type text NOT NULL,
    target_id text,
    request_id text,
    created_at timestamptz NOT NULL
  ) PARTITION BY RANGE (id);
  CREATE TABLE audit_log_default PARTITION OF audit_log DEFAULT;
  CREATE INDEX ix_audit_workspace ON audit_log (workspace_id, created_at DESC, id DESC);
  CREATE INDEX ix_audit_actor ON audit_log (workspace_id, actor_id, created_at DESC);
  CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON audit_log
    FOR EACH ROW EXECUTE FUNCTION refuse_change();

  -- One row, written by whoever migrated last.
  CREATE TABLE schema_versions (
    id int PRIMARY KEY CONSTRAINT ck_schema_versions_one CHECK (id = 1),
    version int NOT NULL,
    oldest_served int NOT NULL,
    changed_at timestamptz NOT NULL
  );
`;
