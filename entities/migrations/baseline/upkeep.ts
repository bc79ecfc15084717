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
`;
