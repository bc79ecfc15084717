/** Payouts, commissions with their history, and the ledger. */
export const commissions = `
  CREATE TABLE payouts (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    mode text NOT NULL CONSTRAINT ck_payouts_mode CHECK (mode IN ('test', 'live')),
    program_id uuid NOT NULL REFERENCES programs (id),
    status text NOT NULL CONSTRAINT ck_payouts_status
      CHECK (status IN ('processing', 'completed', 'cancelled')),
    reference text,
    created_at timestamptz NOT NULL,
    completed_at timestamptz,
    cancelled_at timestamptz
  );
  CREATE INDEX ix_payouts_scope ON payouts (workspace_id, mode, id);
  CREATE INDEX ix_payouts_program ON payouts (program_id, id);

  CREATE TABLE payout_items (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    mode text NOT NULL,
    payout_id uuid NOT NULL REFERENCES payouts (id),
    participant_id uuid NOT NULL REFERENCES participants (id),
    currency text NOT NULL,
    amount_cents bigint NOT NULL CONSTRAINT ck_payout_items_positive CHECK (amount_cents > 0),
    commission_count int NOT NULL,
    reference text NOT NULL,
    method_type text,
    method_label text,
    status text NOT NULL CONSTRAINT ck_payout_items_status
      CHECK (status IN ('ready', 'paid', 'failed', 'returned', 'cancelled')),
    transaction_id text,
    reason text,
    exported_at timestamptz,
    paid_at timestamptz,
    ended_at timestamptz,
    CONSTRAINT uq_payout_item UNIQUE (payout_id, participant_id, currency),
    CONSTRAINT uq_payout_item_reference UNIQUE (reference)
  );
  CREATE INDEX ix_payout_items_participant ON payout_items (participant_id, payout_id);

  -- created_at is the time inside the id, so an index that ends in the id is also sorted by time. Lists
  -- of several programmes merge one index range of each. The rows of a conversion are written by one
  -- statement, its commission too, so there are no foreign keys to check for each of them.
  CREATE TABLE commissions (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    mode text NOT NULL CONSTRAINT ck_commissions_mode CHECK (mode IN ('test', 'live')),
    program_id uuid NOT NULL,
    participant_id uuid NOT NULL,
    -- An adjustment has no sale; its external id is the merchant's own of it.
    conversion_id uuid,
    external_transaction_id text,
    adjustment_reason text,
    status text NOT NULL CONSTRAINT ck_commissions_status
      CHECK (status IN ('pending', 'approved', 'rejected', 'paid', 'refunded')),
    -- Where it returns to when the refund behind "refunded" fails.
    status_before_refund text CONSTRAINT ck_commissions_before_refund
      CHECK ((status_before_refund IS NOT NULL) = (status = 'refunded')),
    commission_type text NOT NULL,
    amount_cents bigint NOT NULL,
    original_amount_cents bigint NOT NULL,
    refunded_amount_cents bigint GENERATED ALWAYS AS (original_amount_cents - amount_cents) STORED,
    -- What an open dispute keeps back.
    held_cents bigint NOT NULL DEFAULT 0,
    -- The sum of the commission's ledger entries, and how much of it running payouts take.
    owed_cents bigint NOT NULL,
    reserved_cents bigint NOT NULL DEFAULT 0,
    currency text NOT NULL,
    conversion_amount_cents bigint NOT NULL,
    fee_cents bigint,
    terms jsonb NOT NULL,
    auto_approve boolean NOT NULL,
    review_reasons text[] NOT NULL DEFAULT '{}',
    needs_review boolean GENERATED ALWAYS AS (cardinality(review_reasons) > 0) STORED,
    hold_until timestamptz,
    -- The end of the hold was dealt with.
    hold_elapsed boolean NOT NULL,
    rejection_reason text,
    override_reason text,
    decided_by_type text,
    decided_by_id uuid,
    approved_at timestamptz,
    rejected_at timestamptz,
    paid_at timestamptz,
    refunded_at timestamptz,
    payout_id uuid,
    -- Grows with each change; a change names the one that it was decided on.
    version int NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT uq_commission_conversion UNIQUE (conversion_id),
    CONSTRAINT ck_commissions_amount CHECK (CASE commission_type
      WHEN 'adjustment' THEN amount_cents <> 0 AND conversion_id IS NULL
      ELSE amount_cents >= 0 AND conversion_id IS NOT NULL
        AND external_transaction_id IS NOT NULL END)
  );
  CREATE UNIQUE INDEX uq_adjustment_external ON commissions (program_id, external_transaction_id)
    WHERE commission_type = 'adjustment';
  CREATE INDEX ix_commissions_program ON commissions (program_id, id);
  CREATE INDEX ix_commissions_status ON commissions (program_id, status, id);
  CREATE INDEX ix_commissions_review ON commissions (program_id, needs_review, id);
  CREATE INDEX ix_commissions_type ON commissions (program_id, commission_type, id);
  CREATE INDEX ix_commissions_amount ON commissions (program_id, amount_cents, id);
  CREATE INDEX ix_commissions_participant ON commissions (participant_id, id)
    INCLUDE (currency, amount_cents, status);
  CREATE INDEX ix_commissions_pending ON commissions (id) WHERE status = 'pending';
  CREATE INDEX ix_commissions_due ON commissions (hold_until)
    WHERE status = 'pending' AND NOT hold_elapsed;
  CREATE INDEX ix_commissions_payout ON commissions (payout_id) WHERE payout_id IS NOT NULL;
  -- What was paid too much or too little, and waits to be netted.
  CREATE INDEX ix_commissions_carried ON commissions (program_id, participant_id)
    WHERE owed_cents <> reserved_cents AND (status IN ('paid', 'refunded', 'rejected')
      OR payout_id IS NOT NULL OR amount_cents < 0);
  -- The sweep finds commissions that are flagged though their partner is not suspended any more.
  CREATE INDEX ix_commissions_suspended ON commissions (participant_id)
    WHERE status = 'pending' AND 'PARTNER_SUSPENDED' = ANY (review_reasons);

  CREATE TABLE payout_lines (
    payout_id uuid NOT NULL REFERENCES payouts (id),
    commission_id uuid NOT NULL,
    item_id uuid NOT NULL REFERENCES payout_items (id),
    -- Signed: an earlier overpayment is a negative line.
    amount_cents bigint NOT NULL,
    PRIMARY KEY (payout_id, commission_id)
  );
  CREATE INDEX ix_payout_lines_item ON payout_lines (item_id, commission_id);
  CREATE INDEX ix_payout_lines_commission ON payout_lines (commission_id);

  -- History and ledger are read by their commission, and what was settled by its partner and time.
  CREATE TABLE commission_history (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    mode text NOT NULL,
    commission_id uuid NOT NULL,
    from_status text,
    to_status text NOT NULL,
    trigger text NOT NULL,
    actor_type text NOT NULL,
    actor_id uuid,
    reason text,
    at timestamptz NOT NULL,
    CONSTRAINT pk_commission_history PRIMARY KEY (commission_id, id)
  );
  CREATE TRIGGER commission_history_append_only BEFORE UPDATE OR DELETE ON commission_history
    FOR EACH ROW EXECUTE FUNCTION refuse_change();

  CREATE TABLE ledger_entries (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    mode text NOT NULL,
    program_id uuid NOT NULL,
    participant_id uuid NOT NULL,
    commission_id uuid NOT NULL,
    payout_id uuid,
    type text NOT NULL CONSTRAINT ck_ledger_type CHECK (type IN ('accrual', 'adjustment', 'refund',
      'fee_settlement', 'dispute_hold', 'dispute_release', 'reversal', 'clawback', 'payout',
      'payout_reversal')),
    amount_cents bigint NOT NULL,
    currency text NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT pk_ledger_entries PRIMARY KEY (commission_id, id)
  );
  CREATE INDEX ix_ledger_settled ON ledger_entries (workspace_id, mode, participant_id, created_at)
    WHERE type IN ('payout', 'payout_reversal', 'adjustment', 'reversal');
  -- The nightly check reads what was booked since the last one.
  CREATE INDEX ix_ledger_created ON ledger_entries (created_at, id);
  CREATE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE ON ledger_entries
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
`;
