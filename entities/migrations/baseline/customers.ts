export const customers = `
  -- Who brought a buyer; "source" and "bound_at" without a partner tell that a member unbound them.
  CREATE TABLE customers (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    mode text NOT NULL CONSTRAINT ck_customers_mode CHECK (mode IN ('test', 'live')),
    customer_id text NOT NULL,
    participant_id uuid,
    program_id uuid,
    source text CONSTRAINT ck_customers_source
      CHECK (source IN ('signup', 'conversion', 'stripe', 'import', 'manual')),
    bound_at timestamptz,
    first_paid_at timestamptz,
    attribution json,
    reason text,
    created_at timestamptz NOT NULL,
    CONSTRAINT uq_customer UNIQUE (workspace_id, mode, customer_id),
    CONSTRAINT ck_customers_bound CHECK ((participant_id IS NULL) = (program_id IS NULL))
  );
  CREATE INDEX ix_customers_scope ON customers (workspace_id, mode, bound_at DESC, id DESC)
    WHERE participant_id IS NOT NULL;
  CREATE INDEX ix_customers_program ON customers (program_id, bound_at DESC, id DESC)
    WHERE program_id IS NOT NULL;
  CREATE INDEX ix_customers_participant ON customers (participant_id, bound_at DESC, id DESC)
    WHERE participant_id IS NOT NULL;

  -- Every id that a customer is known by, the one of "customers" too: an id is one customer's.
  CREATE TABLE customer_aliases (
    workspace_id uuid NOT NULL,
    mode text NOT NULL,
    alias text NOT NULL,
    customer uuid NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
    CONSTRAINT uq_customer_alias PRIMARY KEY (workspace_id, mode, alias)
  );
  CREATE INDEX ix_customer_aliases_customer ON customer_aliases (customer);
`;
