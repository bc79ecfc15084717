/** Who was erased and what that changed where; resets of test data, closed workspaces; the waitlist. */
export const erasures = `
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
  CREATE INDEX ix_erasures_open ON erasures (id) WHERE status IN ('locked', 'anonymised');

  -- Rows that were erased singly, by one transaction each; part of the ledger.
  CREATE TABLE erased_records (
    kind text NOT NULL CONSTRAINT ck_erased_records_kind
      CHECK (kind IN ('invite', 'conversion', 'customer')),
    subject_id uuid NOT NULL,
    erased_at timestamptz NOT NULL,
    CONSTRAINT pk_erased_records PRIMARY KEY (kind, subject_id)
  );

  -- What the copies are looked for by, encrypted: it goes when the last of them is clean.
  CREATE TABLE erasure_identities (
    erasure_id uuid PRIMARY KEY REFERENCES erasures (id),
    sealed text NOT NULL
  );

  -- One for each participation that was erased, in its workspace and mode; one without a
  -- workspace for the account itself; and one for the invites, or the buyer, that a merchant had
  -- erased, in each mode.
  CREATE TABLE erasure_receipts (
    id uuid PRIMARY KEY,
    erasure_id uuid REFERENCES erasures (id),
    kind text NOT NULL CONSTRAINT ck_erasure_receipts_kind
      CHECK (kind IN ('account', 'participant', 'invites', 'customer')),
    workspace_id uuid,
    mode text CONSTRAINT ck_erasure_receipts_mode CHECK (mode IN ('test', 'live')),
    program_id uuid,
    participant_id uuid,
    -- Rows changed, by table.
    changes jsonb NOT NULL DEFAULT '{}',
    -- What was not paid yet, by currency.
    open_balances jsonb NOT NULL DEFAULT '[]',
    erased_at timestamptz NOT NULL,
    completed_at timestamptz
  );
  CREATE UNIQUE INDEX uq_erasure_receipt ON erasure_receipts (erasure_id, participant_id)
    WHERE participant_id IS NOT NULL;
  CREATE INDEX ix_erasure_receipts_scope
    ON erasure_receipts (workspace_id, mode, erased_at DESC, id DESC);

  -- One row per reset; at most one of a workspace is open. "closed_at" is when the last
  -- programme was gone: from then on nothing new can refer to what is deleted.
  CREATE TABLE test_data_resets (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    -- A workspace that was closed goes by the same steps, all of it.
    scope text NOT NULL DEFAULT 'test_data'
      CONSTRAINT ck_test_data_resets_scope CHECK (scope IN ('test_data', 'workspace')),
    status text NOT NULL CONSTRAINT ck_test_data_resets_status
      CHECK (status IN ('queued', 'running', 'completed', 'failed')),
    deleted jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL,
    started_at timestamptz,
    closed_at timestamptz,
    finished_at timestamptz,
    touched_at timestamptz NOT NULL
  );
  CREATE UNIQUE INDEX uq_test_data_reset_open ON test_data_resets (workspace_id)
    WHERE status IN ('queued', 'running');
  CREATE INDEX ix_test_data_resets_workspace ON test_data_resets (workspace_id, created_at DESC);

  -- Programmes and participants of a reset whose rows may be gone already, while what hangs on
  -- them is still there; and the accounts of those participants.
  CREATE TABLE test_data_reset_targets (
    reset_id uuid NOT NULL REFERENCES test_data_resets (id) ON DELETE CASCADE,
    kind text NOT NULL CONSTRAINT ck_test_data_reset_targets_kind
      CHECK (kind IN ('program', 'participant', 'partner')),
    target_id uuid NOT NULL,
    CONSTRAINT pk_test_data_reset_targets PRIMARY KEY (reset_id, kind, target_id)
  );

  -- What stays of the ledger of a workspace that was closed, by UTC year.
  CREATE TABLE closed_ledger_sums (
    workspace_id uuid NOT NULL,
    mode text NOT NULL CONSTRAINT ck_closed_ledger_sums_mode CHECK (mode IN ('test', 'live')),
    year int NOT NULL,
    currency text NOT NULL,
    type text NOT NULL,
    entries bigint NOT NULL,
    amount_cents bigint NOT NULL,
    CONSTRAINT pk_closed_ledger_sums PRIMARY KEY (workspace_id, mode, year, currency, type)
  );

  -- Addresses are stored trimmed and in lower case.
  CREATE TABLE waitlist_signups (
    id uuid PRIMARY KEY,
    email text NOT NULL CONSTRAINT uq_waitlist_signup UNIQUE,
    created_at timestamptz NOT NULL
  );
  CREATE INDEX ix_waitlist_signups_created ON waitlist_signups (created_at);
`;
