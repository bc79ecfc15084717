/** Connections to Stripe, the events that came in, and what they say of each payment. */
export const stripe = `
  -- A deleted connection stays for its events; its secrets go.
  CREATE TABLE stripe_connections (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    mode text NOT NULL CONSTRAINT ck_stripe_connections_mode CHECK (mode IN ('test', 'live')),
    restricted_key text,
    key_fingerprint text,
    webhook_secret text,
    registered_endpoint_id text,
    registering_since timestamptz,
    last_error text,
    next_read_at timestamptz,
    invoice_payments text CONSTRAINT ck_stripe_connections_invoice_payments
      CHECK (invoice_payments IN ('missing', 'sent')),
    kept_at timestamptz,
    -- What Stripe's list of events holds since then is to be taken in; how far that is, newest first.
    catch_up_since timestamptz,
    catch_up_after text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    deleted_at timestamptz
  );
  CREATE UNIQUE INDEX uq_stripe_connection ON stripe_connections (workspace_id, mode)
    WHERE deleted_at IS NULL;

  -- "body" is the raw event, encrypted: it holds the buyer's address.
  CREATE TABLE stripe_events (
    id uuid PRIMARY KEY,
    connection_id uuid NOT NULL REFERENCES stripe_connections (id),
    workspace_id uuid NOT NULL,
    mode text NOT NULL CONSTRAINT ck_stripe_events_mode CHECK (mode IN ('test', 'live')),
    stripe_event_id text NOT NULL,
    type text NOT NULL,
    api_version text,
    object_id text,
    body text NOT NULL,
    -- Keyed hashes of the words in it that may be a person's, by which an erasure finds it; null: it is
    -- read.
    words int[],
    status text NOT NULL CONSTRAINT ck_stripe_events_status CHECK (status IN
      ('received', 'retrying', 'processed', 'ignored', 'waiting', 'failed')),
    attempts int NOT NULL DEFAULT 0,
    error text,
    payment_id uuid,
    received_at timestamptz NOT NULL,
    touched_at timestamptz NOT NULL,
    processed_at timestamptz,
    CONSTRAINT uq_stripe_event UNIQUE (connection_id, stripe_event_id)
  );
  CREATE INDEX ix_stripe_events_scope
    ON stripe_events (workspace_id, mode, received_at DESC, id DESC);
  CREATE INDEX ix_stripe_events_object ON stripe_events (workspace_id, mode, object_id);
  CREATE INDEX ix_stripe_events_received ON stripe_events (received_at);
  CREATE INDEX ix_stripe_events_open ON stripe_events (touched_at)
    WHERE status IN ('received', 'retrying');
  CREATE INDEX ix_stripe_events_failed ON stripe_events (workspace_id, mode)
    WHERE status = 'failed';
  CREATE INDEX ix_stripe_events_waiting ON stripe_events (workspace_id, mode, received_at)
    WHERE status = 'waiting';
  CREATE INDEX ix_stripe_events_parked ON stripe_events (payment_id)
    WHERE status IN ('waiting', 'ignored');

  -- One payment, whatever objects of Stripe's it consists of.
  CREATE TABLE stripe_payments (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    mode text NOT NULL,
    conversion_id uuid,
    subscription_id text,
    customer_id text,
    -- What came before a referral is known as such by it.
    paid_at timestamptz,
    created_at timestamptz NOT NULL
  );
  CREATE INDEX ix_stripe_payments_subscription
    ON stripe_payments (workspace_id, mode, subscription_id, paid_at)
    WHERE subscription_id IS NOT NULL;
  CREATE INDEX ix_stripe_payments_customer
    ON stripe_payments (workspace_id, mode, customer_id, paid_at)
    WHERE customer_id IS NOT NULL;
  CREATE INDEX ix_stripe_payments_conversion
    ON stripe_payments (conversion_id) WHERE conversion_id IS NOT NULL;
  CREATE INDEX ix_stripe_payments_scope ON stripe_payments (workspace_id, mode);

  -- Sessions, invoices, payment intents, charges, refunds and disputes, each with the payment
  -- that it belongs to and what its events say so far (null: only named by another object).
  CREATE TABLE stripe_objects (
    workspace_id uuid NOT NULL,
    mode text NOT NULL,
    object_id text NOT NULL,
    payment_id uuid NOT NULL REFERENCES stripe_payments (id),
    fact jsonb,
    CONSTRAINT uq_stripe_object PRIMARY KEY (workspace_id, mode, object_id)
  );
  CREATE INDEX ix_stripe_objects_payment ON stripe_objects (payment_id);
`;
