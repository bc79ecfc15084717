/** Programmes, their partners, and the codes and links that lead to them. */
export const programs = `
  CREATE TABLE programs (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    mode text NOT NULL CONSTRAINT ck_programs_mode CHECK (mode IN ('test', 'live')),
    name text NOT NULL,
    website_url text NOT NULL,
    description text,
    currency text NOT NULL,
    status text NOT NULL
      CONSTRAINT ck_programs_status CHECK (status IN ('draft', 'active', 'paused', 'archived')),
    attribution_window_days int NOT NULL,
    approval_mode text NOT NULL
      CONSTRAINT ck_programs_approval_mode CHECK (approval_mode IN ('auto', 'manual')),
    public_applications boolean NOT NULL,
    commission_type text NOT NULL,
    rate_bps int,
    amount_cents bigint,
    basis text,
    recurring boolean NOT NULL,
    recurring_months int,
    hold_days int NOT NULL,
    auto_approve boolean NOT NULL,
    accepted_currencies text[] NOT NULL DEFAULT '{}',
    review_above_cents bigint,
    min_payout_cents bigint NOT NULL DEFAULT 0,
    rules jsonb NOT NULL DEFAULT '[]',
    -- Who tells its sales, so that a shop that reports twice can say which counts.
    sales_from text NOT NULL DEFAULT 'both'
      CONSTRAINT ck_programs_sales_from CHECK (sales_from IN ('both', 'api', 'stripe')),
    -- Hosts that clicks must not come from; what a hit means says the fraud rule banned_source.
    banned_sources text[] NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    -- One kind of terms: a rate with its basis, or an amount.
    CONSTRAINT ck_programs_terms CHECK (
      CASE commission_type
        WHEN 'percentage' THEN rate_bps IS NOT NULL AND amount_cents IS NULL AND basis IS NOT NULL
        WHEN 'flat' THEN amount_cents IS NOT NULL AND rate_bps IS NULL AND basis IS NULL
        ELSE false
      END
    )
  );
  CREATE INDEX ix_programs_scope ON programs (workspace_id, mode, created_at DESC, id DESC);

  -- "rules" holds what the merchant has set, by rule; the rest is the default.
  CREATE TABLE program_fraud_rules (
    program_id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    mode text NOT NULL,
    rules jsonb NOT NULL,
    updated_at timestamptz NOT NULL
  );

  -- partner_id is the partner's global account (gpaId). Name and address are copies, so that
  -- lists need no join and an erased participant keeps its placeholder.
  CREATE TABLE participants (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    mode text NOT NULL CONSTRAINT ck_participants_mode CHECK (mode IN ('test', 'live')),
    program_id uuid NOT NULL REFERENCES programs (id),
    partner_id uuid NOT NULL,
    partner_name text NOT NULL,
    partner_email text NOT NULL,
    status text NOT NULL CONSTRAINT ck_participants_status
      CHECK (status IN ('pending', 'approved', 'rejected', 'suspended', 'left')),
    status_reason text,
    message text,
    referral_code text NOT NULL,
    created_at timestamptz NOT NULL,
    approved_at timestamptz,
    claimed_at timestamptz,
    erased_at timestamptz,
    erased_address_hash text,
    updated_at timestamptz NOT NULL,
    CONSTRAINT uq_participant_partner UNIQUE (program_id, partner_id)
  );
  CREATE INDEX ix_participants_program ON participants (program_id, created_at DESC, id DESC);
  CREATE INDEX ix_participants_program_name ON participants (program_id, partner_name, id);
  CREATE INDEX ix_participants_program_status ON participants (program_id, status, id);
  CREATE INDEX ix_participants_partner ON participants (partner_id);
  CREATE INDEX ix_participants_erased_address ON participants (program_id, erased_address_hash)
    WHERE erased_address_hash IS NOT NULL;

  CREATE TABLE tracking_links (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    mode text NOT NULL,
    program_id uuid NOT NULL,
    participant_id uuid NOT NULL REFERENCES participants (id),
    is_default boolean NOT NULL DEFAULT false,
    token text NOT NULL,
    name text,
    -- Null for a default link: it leads to the programme's website, wherever that is by then.
    target_url text,
    created_at timestamptz NOT NULL,
    deleted_at timestamptz,
    CONSTRAINT ck_tracking_links_target CHECK (is_default OR target_url IS NOT NULL)
  );
  CREATE INDEX ix_tracking_links_participant ON tracking_links (participant_id, created_at, id);
  CREATE UNIQUE INDEX uq_tracking_link_default ON tracking_links (participant_id) WHERE is_default;

  -- Every string that a visitor may carry as ?ref=: referral codes, past ones too, and link
  -- tokens. A row is never given to another participant.
  CREATE TABLE referral_tokens (
    workspace_id uuid NOT NULL,
    mode text NOT NULL,
    token_key text NOT NULL,
    token text NOT NULL,
    kind text NOT NULL CONSTRAINT ck_referral_tokens_kind CHECK (kind IN ('code', 'link')),
    program_id uuid NOT NULL,
    participant_id uuid NOT NULL REFERENCES participants (id),
    link_id uuid NOT NULL REFERENCES tracking_links (id),
    retired_at timestamptz,
    created_at timestamptz NOT NULL,
    CONSTRAINT uq_referral_token PRIMARY KEY (workspace_id, mode, token_key)
  );
  CREATE INDEX ix_referral_tokens_participant ON referral_tokens (participant_id);

  CREATE TABLE promo_codes (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    mode text NOT NULL,
    program_id uuid NOT NULL,
    participant_id uuid NOT NULL REFERENCES participants (id),
    code text NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT uq_promo_code UNIQUE (workspace_id, mode, code)
  );
  CREATE INDEX ix_promo_codes_participant ON promo_codes (participant_id, created_at, id);

  CREATE TABLE partner_invites (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    mode text NOT NULL,
    program_id uuid NOT NULL REFERENCES programs (id),
    email text NOT NULL,
    name text,
    -- Each generation has its own link; the links of earlier ones are dead.
    generation int NOT NULL DEFAULT 1,
    status text NOT NULL CONSTRAINT ck_partner_invites_status
      CHECK (status IN ('pending', 'accepted', 'deleted', 'erased')),
    accepted_by uuid,
    accepted_at timestamptz,
    expires_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL
  );
  CREATE INDEX ix_partner_invites_program
    ON partner_invites (program_id, created_at DESC, id DESC);
  CREATE INDEX ix_partner_invites_expires ON partner_invites (expires_at)
    WHERE status IN ('pending', 'deleted');
  CREATE INDEX ix_partner_invites_email ON partner_invites (workspace_id, email);
  CREATE UNIQUE INDEX uq_partner_invite_open ON partner_invites (program_id, email)
    WHERE status = 'pending';
  CREATE INDEX ix_partner_invites_address ON partner_invites (email);
  CREATE INDEX ix_partner_invites_accepted ON partner_invites (accepted_by)
    WHERE accepted_by IS NOT NULL;
`;
