import type { MigrationInterface, QueryRunner } from 'typeorm';

const ledgerTypes = `('accrual', 'adjustment', 'refund', 'fee_settlement', 'dispute_hold',
  'dispute_release', 'reversal', 'clawback', 'recredit', 'payout', 'payout_reversal', 'import',
  'paid_elsewhere')`;

/** Imports with what is read for them, and what of theirs is which row of ours. */
export class Imports1700000000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
    await runner.query(`
      ALTER TABLE participants
        ADD COLUMN payout_method_encrypted text,
        ADD COLUMN payout_method_account_id uuid,
        ADD COLUMN payout_method_type text,
        ADD COLUMN payout_method_label text,
        ADD COLUMN unannounced_since timestamptz;
      ALTER TABLE conversion_settlements ADD COLUMN refunded_before_cents bigint;
      ALTER TABLE referral_tokens ADD COLUMN imported_key text;
      ALTER TABLE customer_bindings
        ADD COLUMN cutover timestamptz, ADD COLUMN first_paid_at timestamptz;

      ALTER TABLE ledger_entries DROP CONSTRAINT ck_ledger_type;
      ALTER TABLE ledger_entries
        ADD CONSTRAINT ck_ledger_type CHECK (type IN ${ledgerTypes}) NOT VALID;
      ALTER TABLE conversions DROP CONSTRAINT ck_conversions_source;
      ALTER TABLE conversions ADD CONSTRAINT ck_conversions_source
        CHECK (source IN ('api', 'stripe', 'paddle', 'polar', 'import')) NOT VALID;
      ALTER TABLE referral_tokens DROP CONSTRAINT ck_referral_tokens_kind;
      ALTER TABLE referral_tokens ADD CONSTRAINT ck_referral_tokens_kind
        CHECK (kind IN ('code', 'link', 'imported')) NOT VALID;
      ALTER TABLE commissions DROP CONSTRAINT ck_commissions_amount;
      ALTER TABLE commissions ADD CONSTRAINT ck_commissions_amount CHECK (CASE commission_type
        WHEN 'adjustment' THEN amount_cents <> 0 AND conversion_id IS NULL
        WHEN 'imported' THEN amount_cents >= 0
        WHEN 'bonus' THEN amount_cents >= 0
        ELSE amount_cents >= 0 AND conversion_id IS NOT NULL
          AND external_transaction_id IS NOT NULL END) NOT VALID;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE imported_records, import_sales, import_rows, import_chunks, import_files, imports;
      ALTER TABLE participants DROP COLUMN payout_method_encrypted,
        DROP COLUMN payout_method_account_id, DROP COLUMN payout_method_type,
        DROP COLUMN payout_method_label, DROP COLUMN unannounced_since;
      ALTER TABLE conversion_settlements DROP COLUMN refunded_before_cents;
      ALTER TABLE referral_tokens DROP COLUMN imported_key;
      ALTER TABLE customer_bindings DROP COLUMN cutover, DROP COLUMN first_paid_at`);
  }
}

const tables = `
  CREATE TABLE imports (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    mode text NOT NULL CONSTRAINT ck_imports_mode CHECK (mode IN ('test', 'live')),
    program_id uuid NOT NULL,
    source text NOT NULL CONSTRAINT ck_imports_source
      CHECK (source IN ('rewardful', 'tolt', 'firstpromoter', 'csv')),
    name text NOT NULL,
    status text NOT NULL CONSTRAINT ck_imports_status CHECK (status IN ('draft', 'reading',
      'checked', 'applying', 'applied', 'undoing', 'undone', 'stopped', 'cancelled', 'failed')),
    cutover timestamptz NOT NULL,
    currency text NOT NULL,
    only_campaigns text[],
    mapping jsonb NOT NULL,
    statuses jsonb NOT NULL,
    credentials_encrypted text,
    report jsonb,
    error jsonb,
    progress jsonb,
    place jsonb,
    announced jsonb,
    message text,
    started_at timestamptz,
    checked_at timestamptz,
    applied_at timestamptz,
    ended_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
  );
  CREATE UNIQUE INDEX uq_import_open ON imports (program_id)
    WHERE status NOT IN ('applied', 'undone', 'cancelled');
  CREATE INDEX ix_imports_program ON imports (program_id, created_at DESC, id DESC);
  CREATE INDEX ix_imports_workspace ON imports (workspace_id, mode);
  -- Those that are worked on, and those whose files are kept too long.
  CREATE INDEX ix_imports_open ON imports (workspace_id, started_at, id)
    WHERE status IN ('reading', 'applying', 'undoing');
  CREATE INDEX ix_imports_unended ON imports (created_at)
    WHERE status NOT IN ('applied', 'undone', 'cancelled');

  CREATE TABLE import_files (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    mode text NOT NULL,
    import_id uuid NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
    kind text NOT NULL,
    part int NOT NULL,
    header text[] NOT NULL,
    rows int NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT uq_import_file UNIQUE (import_id, kind, part)
  );
  CREATE TABLE import_chunks (
    file_id uuid NOT NULL REFERENCES import_files (id) ON DELETE CASCADE,
    chunk int NOT NULL,
    sealed text NOT NULL,
    address_hashes text[] NOT NULL,
    CONSTRAINT pk_import_chunks PRIMARY KEY (file_id, chunk)
  );
  CREATE INDEX ix_import_chunks_addresses ON import_chunks USING gin (address_hashes);

  CREATE TABLE import_rows (
    import_id uuid NOT NULL,
    kind text NOT NULL,
    n int NOT NULL,
    workspace_id uuid NOT NULL,
    mode text NOT NULL,
    file text NOT NULL,
    line int NOT NULL,
    their_key text,
    shown_id text NOT NULL,
    partner_key text,
    customer_key text,
    address_hash text,
    sealed text,
    fields jsonb NOT NULL,
    currency text,
    amount_cents bigint,
    told text,
    problem text,
    message text,
    warnings jsonb,
    outcome text,
    CONSTRAINT pk_import_rows PRIMARY KEY (import_id, kind, n)
  );
  CREATE UNIQUE INDEX uq_import_row ON import_rows (import_id, kind, their_key)
    WHERE their_key IS NOT NULL;
  CREATE INDEX ix_import_rows_partner ON import_rows (import_id, partner_key, kind)
    WHERE kind <> 'partners';
  CREATE INDEX ix_import_rows_address ON import_rows (address_hash, import_id)
    WHERE address_hash IS NOT NULL;
  CREATE INDEX ix_import_rows_problem ON import_rows (import_id, kind, n)
    WHERE problem IS NOT NULL;

  -- Which rows are of one sale.
  CREATE TABLE import_sales (
    import_id uuid NOT NULL,
    sale_id text NOT NULL,
    n int NOT NULL,
    workspace_id uuid NOT NULL,
    mode text NOT NULL,
    CONSTRAINT pk_import_sales PRIMARY KEY (import_id, sale_id, n)
  );

  -- No keys to other tables: the rows that it speaks of are reset, and written in bulk.
  CREATE TABLE imported_records (
    program_id uuid NOT NULL,
    source text NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    their_key text NOT NULL,
    workspace_id uuid NOT NULL,
    mode text NOT NULL,
    import_id uuid NOT NULL,
    record_id uuid NOT NULL,
    beside_id uuid,
    made boolean NOT NULL,
    told jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT uq_imported_record PRIMARY KEY (program_id, source, name, kind, their_key)
  );
  CREATE INDEX ix_imported_records_import ON imported_records (import_id, kind, their_key);
  CREATE INDEX ix_imported_records_record ON imported_records (record_id);
`;
