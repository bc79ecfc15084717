/** What the service knows of itself: figures for operators, and when recurring work last succeeded. */
export const upkeep = `
  -- Figures of the database, read by whichever worker comes first when they are due and shown by all.
  -- "samples" is an array of {name, labels, value}; "read_at" is their age.
  CREATE TABLE figures (
    reader text CONSTRAINT pk_figures PRIMARY KEY,
    due_at timestamptz NOT NULL,
    read_at timestamptz,
    samples jsonb NOT NULL DEFAULT '[]'
  );

  CREATE TABLE scheduled_work (
    schedule text CONSTRAINT pk_scheduled_work PRIMARY KEY,
    succeeded_at timestamptz NOT NULL
  );

  -- Commissions whose owed sum was not that of their ledger when it was last compared.
  CREATE TABLE ledger_mismatches (
    commission_id uuid CONSTRAINT pk_ledger_mismatches PRIMARY KEY,
    found_at timestamptz NOT NULL
  );

  -- Each return of this database to an earlier moment. Payouts are refused while one is not released.
  CREATE TABLE restores (
    restored_to timestamptz CONSTRAINT pk_restores PRIMARY KEY,
    noted_at timestamptz NOT NULL,
    payouts_released_at timestamptz
  );

  -- How far the check has come: the last entry that it has seen, and of what was not touched the last
  -- commission; one row.
  CREATE TABLE ledger_checks (
    id int CONSTRAINT pk_ledger_checks PRIMARY KEY CONSTRAINT ck_ledger_checks_one CHECK (id = 1),
    changed_at timestamptz NOT NULL,
    changed_id uuid NOT NULL,
    rest_after uuid
  );
  INSERT INTO ledger_checks (id, changed_at, changed_id)
    VALUES (1, 'epoch', '00000000-0000-0000-0000-000000000000');
`;
