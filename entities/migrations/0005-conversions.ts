import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Conversions, the ids they are known by, how they were attributed, and what came back of them. */
export class Conversions1700000000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(conversionTables);
    await runner.query(refundTables);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE conversion_settlements, conversion_refunds, attribution_decisions,
        conversion_aliases, conversions;
    `);
  }
}

// The rows of one conversion are written by one statement, so the tables carry no foreign keys: a
// check a row would cost the hottest write a third of its speed and lock the programme's row.
// "metadata" and "trace" are json, not jsonb: they are given back as they came.
const conversionTables = `
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
  CREATE INDEX ix_conversions_participant ON conversions (participant_id, occurred_at)
    WHERE attributed;
  CREATE INDEX ix_conversions_refunded ON conversions (participant_id, occurred_at)
    WHERE attributed AND refunded_amount_cents > 0;
  CREATE INDEX ix_conversions_customer ON conversions (program_id, customer_id)
    WHERE attributed AND customer_id <> '';
  CREATE INDEX ix_conversions_prospect ON conversions (program_id, prospect_hash)
    WHERE attributed AND prospect_hash IS NOT NULL;
  -- A reported signal may be any text, longer than an index entry can be.
  CREATE INDEX ix_conversions_click ON conversions (workspace_id, mode, lower(left(click_id, 64)))
    WHERE click_id IS NOT NULL;
  CREATE INDEX ix_conversions_promo_code ON conversions (workspace_id, mode, left(upper(promo_code), 64))
    WHERE promo_code IS NOT NULL;

  -- The reported id and every processor id of the same payment, for ever.
  CREATE TABLE conversion_aliases (
    workspace_id uuid NOT NULL,
    mode text NOT NULL,
    alias text NOT NULL,
    conversion_id uuid NOT NULL,
    CONSTRAINT uq_conversion_external_transaction PRIMARY KEY (workspace_id, mode, alias)
  );
  CREATE INDEX ix_conversion_aliases_conversion ON conversion_aliases (conversion_id);

  -- Why it was decided so: everything that was looked at, as it was then. "facts" is what the fraud
  -- rules saw, null when there was no winner to judge; the back-test reads it.
  CREATE TABLE attribution_decisions (
    conversion_id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    mode text NOT NULL,
    trace json NOT NULL,
    facts json,
    created_at timestamptz NOT NULL
  );
`;

const refundTables = `
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
    open_disputes int NOT NULL DEFAULT 0,
    fee_cents bigint,
    updated_at timestamptz NOT NULL
  );
`;
