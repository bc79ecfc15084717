/** Clicks and conversions, how these were attributed, and what came back of them. */
export const conversions = `
  -- Partitioned by month. The id is a UUID v7 and created_at is the time inside it, so a look-up by id
  -- touches one partition. There are no foreign keys: the insert itself joins what it names, and
  -- key-share locks on a busy partner's row would be the dearest part of a click.
  CREATE TABLE clicks (
    id uuid NOT NULL,
    created_at timestamptz NOT NULL,
    workspace_id uuid NOT NULL,
    mode text NOT NULL,
    program_id uuid NOT NULL,
    participant_id uuid NOT NULL,
    link_id uuid NOT NULL,
    visitor_id uuid NOT NULL,
    -- Whether the partner was approved at that moment: a later approval changes nothing.
    creditable boolean NOT NULL,
    expires_at timestamptz NOT NULL,
    url text,
    referrer text,
    user_agent text,
    ip_hash text,
    -- The transaction that recorded it: an order that a commit cannot break, unlike that of ids or times.
    recorded_in bigint DEFAULT pg_current_xact_id()::text::bigint,
    CONSTRAINT pk_clicks PRIMARY KEY (id, created_at)
  ) PARTITION BY RANGE (created_at);
  -- Catches a click whose month nobody has made yet, so that an insert never fails for that.
  CREATE TABLE clicks_default PARTITION OF clicks DEFAULT;
  -- Counts of a participant, and its clicks of one hour for the fraud rules. New entries land
  -- at the end of each participant's run, so the pages in use stay few at any table size.
  CREATE INDEX ix_clicks_participant ON clicks (participant_id, created_at);
  CREATE INDEX ix_clicks_recorded_in ON clicks (recorded_in);

  -- What a merchant asks of the script on their pages: small rows that no click waits for.
  CREATE TABLE tracking_states (
    workspace_id uuid NOT NULL,
    mode text NOT NULL CONSTRAINT ck_tracking_states_mode CHECK (mode IN ('test', 'live')),
    last_click_at timestamptz,
    unknown_ref text,
    unknown_ref_at timestamptz,
    CONSTRAINT pk_tracking_states PRIMARY KEY (workspace_id, mode)
  ) WITH (fillfactor = 50);
  CREATE TABLE click_origins (
    workspace_id uuid NOT NULL,
    mode text NOT NULL CONSTRAINT ck_click_origins_mode CHECK (mode IN ('test', 'live')),
    day date NOT NULL,
    origin text NOT NULL,
    clicks bigint NOT NULL,
    last_seen_at timestamptz NOT NULL,
    CONSTRAINT pk_click_origins PRIMARY KEY (workspace_id, mode, day, origin)
  ) WITH (fillfactor = 50);
  CREATE INDEX ix_click_origins_day ON click_origins (day);

  -- The rows of one conversion are written by one statement, so the tables carry no foreign keys: a
  -- check a row would cost the hottest write a third of its speed and lock the programme's row.
  -- "metadata" and "trace" are json, not jsonb: they are given back as they came.
  CREATE TABLE conversions (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    mode text NOT NULL CONSTRAINT ck_conversions_mode CHECK (mode IN ('test', 'live')),
    external_transaction_id text NOT NULL,
    source text NOT NULL CONSTRAINT ck_conversions_source CHECK (source IN ('api', 'stripe')),
    event_type text NOT NULL,
    amount_cents bigint NOT NULL CONSTRAINT ck_conversions_amount CHECK (amount_cents >= 0),
    currency text,
    occurred_at timestamptz NOT NULL,
    click_id text,
    promo_code text,
    prospect_hash text,
    customer_id text,
    metadata json,
    attributed boolean NOT NULL,
    -- The first attributed payment of its customer, or a sale of nobody known.
    new_customer boolean NOT NULL DEFAULT false,
    reason text NOT NULL,
    explanation text NOT NULL,
    matched_by text,
    program_id uuid,
    participant_id uuid,
    link_id uuid,
    window_ends_at timestamptz,
    refunded_amount_cents bigint NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL,
    CONSTRAINT ck_conversions_attributed CHECK (attributed = (reason = 'ATTRIBUTED'))
  );
  CREATE INDEX ix_conversions_scope ON conversions (workspace_id, mode, created_at DESC, id DESC);
  -- What a list of partners sums is in the index: no row is visited for it.
  CREATE INDEX ix_conversions_participant ON conversions (participant_id, occurred_at)
    INCLUDE (currency, amount_cents, refunded_amount_cents, link_id) WHERE attributed;
  CREATE INDEX ix_conversions_refunded ON conversions (participant_id, occurred_at)
    WHERE attributed AND refunded_amount_cents > 0;
  CREATE INDEX ix_conversions_customer ON conversions (program_id, customer_id)
    WHERE attributed AND customer_id <> '';
  CREATE INDEX ix_conversions_prospect ON conversions (program_id, prospect_hash)
    WHERE attributed AND prospect_hash IS NOT NULL;
  -- With the two above: a buyer whose data are erased, of few unattributed conversions.
  CREATE INDEX ix_conversions_buyer ON conversions (workspace_id, customer_id)
    WHERE NOT attributed AND customer_id <> '';
  CREATE INDEX ix_conversions_buyer_address ON conversions (workspace_id, prospect_hash)
    WHERE NOT attributed AND prospect_hash IS NOT NULL;
  -- A reported signal may be any text, longer than an index entry can be.
  CREATE INDEX ix_conversions_click ON conversions (workspace_id, mode, lower(left(click_id, 64)))
    WHERE click_id IS NOT NULL;
  CREATE INDEX ix_conversions_promo_code ON conversions (workspace_id, mode, left(upper(promo_code), 64))
    WHERE promo_code IS NOT NULL;
  CREATE INDEX ix_conversions_occurred ON conversions USING brin (occurred_at)
    WITH (pages_per_range = 32, autosummarize = on);

  -- The reported id and every processor id of the same payment, for ever.
  CREATE TABLE conversion_aliases (
    workspace_id uuid NOT NULL,
    mode text NOT NULL,
    alias text NOT NULL,
    conversion_id uuid NOT NULL,
    CONSTRAINT uq_conversion_external_transaction PRIMARY KEY (workspace_id, mode, alias)
  );

  -- Why it was decided so: everything that was looked at, as it was then. "facts" is what the fraud
  -- rules saw, null when there was no winner to judge; the back-test reads it.
  CREATE TABLE attribution_decisions (
    conversion_id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    mode text NOT NULL,
    trace json NOT NULL,
    facts json,
    created_at timestamptz NOT NULL
  ) PARTITION BY RANGE (conversion_id);
  CREATE TABLE attribution_decisions_default PARTITION OF attribution_decisions DEFAULT;

  CREATE TABLE conversion_refunds (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    mode text NOT NULL,
    conversion_id uuid NOT NULL REFERENCES conversions (id),
    external_refund_id text NOT NULL,
    amount_cents bigint NOT NULL CONSTRAINT ck_conversion_refunds_amount CHECK (amount_cents > 0),
    reason text,
    created_at timestamptz NOT NULL,
    CONSTRAINT uq_conversion_refund UNIQUE (conversion_id, external_refund_id)
  );

  -- What the processor last said of the payment: a target state, never a sum of deltas.
  -- Charge, refunds and disputes are with tax, in the charge's currency.
  CREATE TABLE conversion_settlements (
    conversion_id uuid PRIMARY KEY REFERENCES conversions (id),
    workspace_id uuid NOT NULL,
    mode text NOT NULL,
    charge_cents bigint,
    refunded_cents bigint NOT NULL DEFAULT 0,
    lost_dispute_cents bigint NOT NULL DEFAULT 0,
    -- How much of lost disputes was settled, so that the history blames what was to blame.
    settled_lost_cents bigint NOT NULL DEFAULT 0,
    open_disputes int NOT NULL DEFAULT 0,
    fee_cents bigint,
    updated_at timestamptz NOT NULL
  );

  -- One row per conversion and rule that hit. "value" is a number or true, never an address.
  CREATE TABLE fraud_flags (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    mode text NOT NULL,
    program_id uuid NOT NULL,
    participant_id uuid NOT NULL,
    conversion_id uuid NOT NULL,
    rule text NOT NULL,
    action text NOT NULL
      CONSTRAINT ck_fraud_flags_action CHECK (action IN ('flag', 'hold', 'reject')),
    value json NOT NULL,
    threshold bigint,
    -- A case: open until a member has looked, and said in a note what they saw.
    state text NOT NULL DEFAULT 'open'
      CONSTRAINT ck_fraud_flags_state CHECK (state IN ('open', 'confirmed', 'dismissed')),
    note text,
    resolved_at timestamptz,
    occurred_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT uq_fraud_flag UNIQUE (conversion_id, rule)
  );
  CREATE INDEX ix_fraud_flags_program ON fraud_flags (program_id, created_at DESC, id DESC);
  CREATE INDEX ix_fraud_flags_open ON fraud_flags (program_id, created_at DESC, id DESC)
    WHERE state = 'open';
  CREATE INDEX ix_fraud_flags_participant ON fraud_flags (participant_id, created_at DESC);
  CREATE INDEX ix_fraud_flags_occurred ON fraud_flags (workspace_id, mode, occurred_at);
`;
