/** Mails (the notification log among them), suppressed addresses, and the e-mail preferences. */
export const mail = `
  -- One row per mail. Either account_id says whom (their address is read when it is sent), or
  -- recipient does. "params" are what the template shows; tokens are derived, never stored.
  -- Account mails belong to no workspace's mode: mode is null. Those of mode "test" that were
  -- suppressed or redirected are the notification log; their HTML is rendered again when asked for.
  CREATE TABLE mails (
    id uuid PRIMARY KEY,
    type text NOT NULL,
    side text CONSTRAINT ck_mails_side CHECK (side IN ('merchant', 'partner')),
    account_id uuid,
    recipient text,
    subject text,
    workspace_id uuid,
    mode text CONSTRAINT ck_mails_mode CHECK (mode IN ('test', 'live')),
    params jsonb NOT NULL DEFAULT '{}',
    status text NOT NULL DEFAULT 'queued' CONSTRAINT ck_mails_status CHECK
      (status IN ('queued', 'sent',
      'suppressed', 'redirected', 'throttled', 'digested', 'dropped', 'failed')),
    digest_id uuid,
    created_at timestamptz NOT NULL,
    finished_at timestamptz
  );
  CREATE INDEX ix_mails_created ON mails (created_at);
  CREATE INDEX ix_mails_account ON mails (account_id);
  CREATE INDEX ix_mails_recipient ON mails (recipient);
  CREATE INDEX ix_mails_scope ON mails (workspace_id, mode, created_at DESC, id DESC);
  CREATE INDEX ix_mails_digest ON mails (digest_id, created_at, id) WHERE digest_id IS NOT NULL;
  CREATE INDEX ix_mails_queued ON mails (created_at) WHERE status = 'queued';
  -- The oldest of each type, however many notices wait before it.
  CREATE INDEX ix_mails_queued_type ON mails (type, created_at) WHERE status = 'queued';

  -- The mail of a digest is a row of mails; it takes others in until it is closed.
  CREATE TABLE mail_digests (
    mail_id uuid CONSTRAINT pk_mail_digests PRIMARY KEY,
    account_id uuid NOT NULL,
    type text NOT NULL,
    closed_at timestamptz
  );
  CREATE UNIQUE INDEX uq_open_mail_digest ON mail_digests (account_id, type)
    WHERE closed_at IS NULL;
  CREATE INDEX ix_mail_digests_closed ON mail_digests (closed_at);

  -- Mails counted per address (a keyed hash), person or workspace; kept a day.
  CREATE TABLE mail_counts (
    counter text NOT NULL,
    mail_id uuid NOT NULL,
    counted_at timestamptz NOT NULL,
    CONSTRAINT pk_mail_counts PRIMARY KEY (counter, mail_id)
  );
  CREATE INDEX ix_mail_counts_window ON mail_counts (counter, counted_at);
  CREATE INDEX ix_mail_counts_counted ON mail_counts (counted_at);

  -- The address of a confirmation outlives its account until the mail is finished, encrypted.
  CREATE TABLE sealed_recipients (
    mail_id uuid PRIMARY KEY,
    sealed text NOT NULL
  );

  -- Addresses that take no mail are known by a keyed hash only.
  CREATE TABLE suppressed_addresses (
    id uuid PRIMARY KEY,
    email_hash text NOT NULL CONSTRAINT uq_suppressed_address UNIQUE,
    reason text NOT NULL CONSTRAINT ck_suppressed_addresses_reason
      CHECK (reason IN ('bounced', 'complained')),
    created_at timestamptz NOT NULL
  );

  -- What the e-mail provider told us; ids only, the addresses are in the table above.
  CREATE TABLE email_provider_events (
    id uuid PRIMARY KEY,
    message_id text NOT NULL CONSTRAINT uq_email_provider_event UNIQUE,
    type text NOT NULL,
    received_at timestamptz NOT NULL
  );
  CREATE INDEX ix_email_provider_events_received ON email_provider_events (received_at);

  -- Deviations from the defaults, per account and category.
  CREATE TABLE notification_preferences (
    side text NOT NULL,
    account_id uuid NOT NULL,
    category text NOT NULL,
    in_app boolean,
    email boolean,
    updated_at timestamptz NOT NULL,
    CONSTRAINT pk_notification_preferences PRIMARY KEY (account_id, category)
  );
`;
