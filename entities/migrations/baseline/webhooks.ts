/** Receivers of merchants, what is to be delivered to them, and every attempt at it. */
export const webhooks = `
  -- "subscribed_since" maps each subscribed kind (or *) to the instant from which on it counts,
  -- "active_since" is null while the endpoint is inactive: an event goes to the endpoints that
  -- were active and subscribed when it happened and still are. Rows of deleted endpoints stay
  -- until their deliveries are purged, without secrets.
  CREATE TABLE webhook_endpoints (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    mode text NOT NULL CONSTRAINT ck_webhook_endpoints_mode CHECK (mode IN ('test', 'live')),
    url text NOT NULL,
    description text,
    events text[] NOT NULL,
    subscribed_since jsonb NOT NULL,
    active_since timestamptz,
    disabled_reason text,
    secret_encrypted text NOT NULL,
    previous_secret_encrypted text,
    previous_secret_until timestamptz,
    -- Health: all null or 0 after a success.
    failures_in_row int NOT NULL DEFAULT 0,
    failing_since timestamptz,
    last_error text,
    next_probe_at timestamptz,
    -- While the breaker is open: the one delivery that may be tried.
    probe_id uuid,
    dead_letter_noticed_at timestamptz,
    -- An operator has the retries wait, until the next success or until told.
    retries_paused_at timestamptz,
    -- When the workflow of its retries looks next; null when there is none.
    retries_wake_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    deleted_at timestamptz
  );
  CREATE INDEX ix_webhook_endpoints_scope ON webhook_endpoints
    (workspace_id, mode, created_at DESC, id DESC) WHERE deleted_at IS NULL;
  CREATE INDEX ix_webhook_endpoints_failing ON webhook_endpoints (id) WHERE failures_in_row > 0;
  CREATE INDEX ix_webhook_endpoints_retries ON webhook_endpoints (retries_wake_at)
    WHERE retries_wake_at IS NOT NULL;
  CREATE INDEX ix_webhook_endpoints_probes ON webhook_endpoints (probe_id)
    WHERE probe_id IS NOT NULL;
  CREATE INDEX ix_webhook_endpoints_paused ON webhook_endpoints (id)
    WHERE retries_paused_at IS NOT NULL;
  CREATE INDEX ix_webhook_endpoints_deleted ON webhook_endpoints (deleted_at)
    WHERE deleted_at IS NOT NULL;

  -- The payload is the event's row and is composed from it alike at every attempt. A lease is
  -- held by who is sending: a result counts only with the token of the lease that it was sent
  -- under. Updates of the lease touch no index, so that a claim stays cheap.
  CREATE TABLE webhook_deliveries (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    mode text NOT NULL CONSTRAINT ck_webhook_deliveries_mode CHECK (mode IN ('test', 'live')),
    endpoint_id uuid NOT NULL,
    event_id uuid NOT NULL,
    event_type text NOT NULL,
    replay_of uuid,
    status text NOT NULL CONSTRAINT ck_webhook_deliveries_status
      CHECK (status IN ('pending', 'retrying', 'succeeded', 'dead_letter', 'cancelled')),
    attempts int NOT NULL DEFAULT 0,
    -- Attempts that belong to earlier runs of the schedule (a retry by hand starts it anew).
    attempts_before int NOT NULL DEFAULT 0,
    next_attempt_at timestamptz,
    lease_token uuid,
    lease_until timestamptz,
    http_status_code int,
    error_message text,
    duration_ms int,
    response_body text,
    created_at timestamptz NOT NULL,
    last_attempt_at timestamptz
  ) WITH (fillfactor = 85);
  CREATE UNIQUE INDEX uq_webhook_delivery ON webhook_deliveries (event_id, endpoint_id)
    WHERE replay_of IS NULL;
  CREATE INDEX ix_webhook_deliveries_replays ON webhook_deliveries (event_id)
    WHERE replay_of IS NOT NULL;
  CREATE INDEX ix_webhook_deliveries_dead ON webhook_deliveries (endpoint_id, created_at)
    WHERE status = 'dead_letter';
  CREATE INDEX ix_webhook_deliveries_list ON webhook_deliveries
    (endpoint_id, created_at DESC, id DESC);
  -- First attempts and retries of an endpoint go out in the order in which they are due. The deliveries
  -- of one fan-out are due at the same time: without the id all of them were read to find the first.
  CREATE INDEX ix_webhook_deliveries_due ON webhook_deliveries
    (endpoint_id, next_attempt_at, id) INCLUDE (status) WHERE status IN ('pending', 'retrying');

  CREATE TABLE webhook_attempts (
    delivery_id uuid NOT NULL,
    attempt int NOT NULL,
    at timestamptz NOT NULL,
    http_status_code int,
    error_message text,
    duration_ms int NOT NULL,
    PRIMARY KEY (delivery_id, attempt)
  ) PARTITION BY RANGE (delivery_id);
  CREATE TABLE webhook_attempts_default PARTITION OF webhook_attempts DEFAULT;

  -- A range of dead letters that somebody was promised would be queued again, until it is.
  CREATE TABLE webhook_requeues (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    mode text NOT NULL CONSTRAINT ck_webhook_requeues_mode CHECK (mode IN ('test', 'live')),
    endpoint_id uuid NOT NULL,
    since timestamptz,
    until timestamptz NOT NULL,
    created_at timestamptz NOT NULL
  );
  CREATE INDEX ix_webhook_requeues_endpoint ON webhook_requeues (endpoint_id);
  CREATE INDEX ix_webhook_requeues_created ON webhook_requeues (created_at);
`;
