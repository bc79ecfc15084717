/** Workspaces, accounts of both sides, their sessions, invites and keys. */
export const accounts = `
  CREATE TABLE workspaces (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    test_email_redirect text,
    require_two_factor boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    -- Until "closed_at" is set an owner may still reopen it.
    closes_at timestamptz,
    closing_since timestamptz,
    closed_at timestamptz
  );
  CREATE INDEX ix_workspaces_closing ON workspaces (closes_at) WHERE closes_at IS NOT NULL;

  -- By the database's own clock, and out of the processes' reach: what deletes the rows of a closed
  -- workspace asks how long the closing has been known.
  CREATE FUNCTION note_closing() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.closing_since := CASE WHEN NEW.closes_at IS NULL THEN NULL
                              ELSE coalesce(OLD.closing_since, now()) END;
    RETURN NEW;
  END $$;
  CREATE TRIGGER workspaces_closing BEFORE UPDATE OF closes_at ON workspaces
    FOR EACH ROW EXECUTE FUNCTION note_closing();

  -- Addresses are stored trimmed and in lower case. "email_generation" counts changes of address,
  -- "password_generation" changes of password: mail tokens of an older generation are dead.
  CREATE TABLE merchant_accounts (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    role text NOT NULL CONSTRAINT ck_merchant_accounts_role
      CHECK (role IN ('viewer', 'member', 'admin', 'owner')),
    email text NOT NULL,
    email_generation int NOT NULL DEFAULT 1,
    email_verified_at timestamptz,
    name text NOT NULL,
    password_hash text NOT NULL,
    password_generation int NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    removed_at timestamptz
  );
  CREATE UNIQUE INDEX uq_merchant_account_email ON merchant_accounts (email) WHERE removed_at IS NULL;
  CREATE INDEX ix_merchant_accounts_removed ON merchant_accounts (removed_at)
    WHERE email <> 'erased@erased.invalid' AND removed_at IS NOT NULL;
  CREATE INDEX ix_merchant_accounts_workspace ON merchant_accounts (workspace_id, created_at, id);

  -- The id is the partner's gpaId. VAT id and payout method are encrypted; the method's type and its
  -- masked label are for people who must not read the whole.
  CREATE TABLE partner_accounts (
    id uuid PRIMARY KEY,
    email text NOT NULL,
    email_generation int NOT NULL DEFAULT 1,
    email_verified_at timestamptz,
    name text NOT NULL,
    -- Null: a merchant's server made it, and nobody has claimed it.
    password_hash text,
    password_generation int NOT NULL DEFAULT 1,
    vat_id_encrypted text,
    payout_method_encrypted text,
    payout_method_type text CONSTRAINT ck_partner_accounts_method
      CHECK (payout_method_type IN ('paypal', 'wise', 'bank', 'other')),
    payout_method_label text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    erased_at timestamptz
  );
  CREATE UNIQUE INDEX uq_partner_account_email ON partner_accounts (email) WHERE erased_at IS NULL;

  -- A session is one family of refresh tokens. Spent tokens stay as long as the family may live, so
  -- that a second use is seen. Only hashes are stored.
  CREATE TABLE sessions (
    id uuid PRIMARY KEY,
    side text NOT NULL CONSTRAINT ck_sessions_side CHECK (side IN ('merchant', 'partner')),
    account_id uuid NOT NULL,
    user_agent text,
    created_at timestamptz NOT NULL,
    last_used_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz
  );
  CREATE INDEX ix_sessions_account ON sessions (account_id, created_at DESC, id DESC);
  CREATE INDEX ix_sessions_expires ON sessions (expires_at);
  CREATE INDEX ix_sessions_revoked ON sessions (revoked_at) WHERE revoked_at IS NOT NULL;

  CREATE TABLE refresh_tokens (
    token_hash text PRIMARY KEY,
    session_id uuid NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    spent_at timestamptz,
    sibling_at timestamptz
  );
  CREATE INDEX ix_refresh_tokens_session ON refresh_tokens (session_id);
  CREATE INDEX ix_refresh_tokens_expires ON refresh_tokens (expires_at);

  -- Where an account signed in from, as keyed hashes: for slowing down guesses (30 days) and for
  -- the fraud rule same_ip_as_partner.
  CREATE TABLE account_addresses (
    side text NOT NULL,
    account_id uuid NOT NULL,
    ip_hash text NOT NULL,
    last_seen_at timestamptz NOT NULL,
    CONSTRAINT pk_account_addresses PRIMARY KEY (account_id, ip_hash)
  );
  CREATE INDEX ix_account_addresses_seen ON account_addresses (last_seen_at);

  -- One row per wrong password. The key is a keyed hash of side and address as typed, existing or not.
  CREATE TABLE login_failures (
    id uuid PRIMARY KEY,
    email_key text NOT NULL,
    ip_hash text NOT NULL,
    failed_at timestamptz NOT NULL
  );
  CREATE INDEX ix_login_failures_key ON login_failures (email_key, failed_at);
  CREATE INDEX ix_login_failures_failed ON login_failures (failed_at);

  -- Without "enabled_at" a setup that waits for its first code. Of recovery codes keyed hashes are
  -- kept; a code is used up in the statement that finds it unused.
  CREATE TABLE two_factors (
    account_id uuid PRIMARY KEY,
    side text NOT NULL CONSTRAINT ck_two_factors_side CHECK (side IN ('merchant', 'partner')),
    secret_encrypted text NOT NULL,
    enabled_at timestamptz,
    used_steps int[] NOT NULL DEFAULT '{}',
    recovery_hashes text[] NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
  );

  -- Verification and reset tokens. The token itself is derived from the row and never stored.
  CREATE TABLE email_tokens (
    id uuid PRIMARY KEY,
    purpose text NOT NULL CONSTRAINT ck_email_tokens_purpose CHECK (purpose IN ('verify', 'reset')),
    side text NOT NULL,
    account_id uuid NOT NULL,
    email text NOT NULL,
    generation int NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    spent_at timestamptz
  );
  CREATE INDEX ix_email_tokens_account ON email_tokens (account_id);
  CREATE INDEX ix_email_tokens_expires ON email_tokens (expires_at);

  CREATE TABLE member_invites (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    email text NOT NULL,
    role text NOT NULL,
    generation int NOT NULL DEFAULT 1,
    invited_by uuid NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    accepted_at timestamptz,
    withdrawn_at timestamptz
  );
  CREATE INDEX ix_member_invites_expires ON member_invites (expires_at);
  CREATE UNIQUE INDEX uq_member_invite_open ON member_invites (workspace_id, email)
    WHERE accepted_at IS NULL AND withdrawn_at IS NULL;

  -- Keys are kept as their SHA-256 (they have 190 bits of their own); a public one can be read back.
  -- A management key outlives the programme that it is bound to, and then reaches nothing.
  CREATE TABLE api_keys (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    kind text NOT NULL CONSTRAINT ck_api_keys_kind CHECK (kind IN ('public', 'secret', 'management')),
    mode text NOT NULL CONSTRAINT ck_api_keys_mode CHECK (mode IN ('test', 'live')),
    name text,
    role text,
    program_id uuid,
    key_hash text NOT NULL CONSTRAINT uq_api_key_hash UNIQUE,
    public_key text CONSTRAINT ck_api_keys_public_key CHECK ((public_key IS NOT NULL) = (kind = 'public')),
    prefix text NOT NULL,
    last4 text NOT NULL,
    created_at timestamptz NOT NULL,
    last_used_at timestamptz,
    revoked_at timestamptz,
    CONSTRAINT ck_api_keys_role CHECK ((role IS NOT NULL) = (kind = 'management')),
    CONSTRAINT ck_api_keys_program CHECK (program_id IS NULL OR kind = 'management')
  );
  CREATE INDEX ix_api_keys_workspace ON api_keys (workspace_id, created_at, id);
  CREATE INDEX ix_api_keys_revoked ON api_keys (revoked_at) WHERE revoked_at IS NOT NULL;
`;
