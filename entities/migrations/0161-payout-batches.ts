import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Batches that a provider is sent: a row, with its items and its request, before the first byte. Items may be
 * `sending` from now on, and know how they went, and what a person has to look at.
 */
export class PayoutBatches1700000000161 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(batches);
    await runner.query(`
      ALTER TABLE payout_items
        ADD COLUMN provider text,
        ADD COLUMN batch_id uuid,
        ADD COLUMN provider_item_id text,
        ADD COLUMN provider_status text,
        ADD COLUMN fee_cents bigint,
        ADD COLUMN fee_currency text,
        ADD COLUMN sent_at timestamptz,
        ADD COLUMN sends int NOT NULL DEFAULT 0,
        ADD COLUMN claim_until timestamptz,
        ADD COLUMN attention_reason text,
        ADD COLUMN attention_at timestamptz,
        ADD COLUMN checked text[] NOT NULL DEFAULT '{}',
        ADD COLUMN method_said_at timestamptz`);
    await runner.query(`
      ALTER TABLE payout_items DROP CONSTRAINT ck_payout_items_status;
      ALTER TABLE payout_items ADD CONSTRAINT ck_payout_items_status CHECK (status IN
        ('ready', 'sending', 'paid', 'failed', 'returned', 'cancelled')) NOT VALID`);
    await runner.query('ALTER TABLE partner_accounts ADD COLUMN payout_method_said_at timestamptz');
    await runner.query('ALTER TABLE payouts ADD COLUMN created_by uuid');
    await runner.query('ALTER TABLE audit_log ADD COLUMN details jsonb');
    await runner.query(makersOfPayouts);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payout_items DROP COLUMN provider, DROP COLUMN batch_id,
        DROP COLUMN provider_item_id, DROP COLUMN provider_status, DROP COLUMN fee_cents,
        DROP COLUMN fee_currency, DROP COLUMN sent_at, DROP COLUMN sends, DROP COLUMN claim_until,
        DROP COLUMN attention_reason, DROP COLUMN attention_at, DROP COLUMN checked,
        DROP COLUMN method_said_at`);
    await runner.query('ALTER TABLE partner_accounts DROP COLUMN payout_method_said_at');
    await runner.query('ALTER TABLE payouts DROP COLUMN created_by');
    await runner.query('ALTER TABLE audit_log DROP COLUMN details');
    await runner.query('DROP TABLE payout_batch_items');
    await runner.query('DROP TABLE payout_batches');
  }
}

const batches = `
  -- "request" are the bytes that every try says, encrypted: it names whom it pays. It goes once nothing
  -- may be said any more.
  CREATE TABLE payout_batches (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    mode text NOT NULL CONSTRAINT ck_payout_batches_mode CHECK (mode IN ('test', 'live')),
    payout_id uuid NOT NULL REFERENCES payouts (id) ON DELETE CASCADE,
    provider text NOT NULL,
    client_id text NOT NULL,
    sender_batch_id text NOT NULL,
    provider_batch_id text,
    candidate_id text,
    provider_status text,
    currency text NOT NULL,
    item_count int NOT NULL,
    amount_cents bigint NOT NULL,
    status text NOT NULL CONSTRAINT ck_payout_batches_status
      CHECK (status IN ('trying', 'taken', 'ended', 'refused', 'attention')),
    attention_reason text,
    request text,
    tries int NOT NULL DEFAULT 0,
    is_in_doubt boolean NOT NULL DEFAULT false,
    first_try_at timestamptz,
    taken_at timestamptz,
    asks int NOT NULL DEFAULT 0,
    asked_at timestamptz,
    ask_wanted_at timestamptz,
    missing_since timestamptz,
    unknown_told_at timestamptz,
    last_answer jsonb,
    lease_token uuid,
    lease_until timestamptz,
    next_at timestamptz,
    created_at timestamptz NOT NULL,
    ended_at timestamptz,
    CONSTRAINT uq_payout_batch_sender UNIQUE (workspace_id, mode, provider, sender_batch_id)
  );
  CREATE INDEX ix_payout_batches_payout ON payout_batches (payout_id, created_at, id);
  CREATE INDEX ix_payout_batches_recent ON payout_batches (workspace_id, mode, currency, created_at);
  CREATE INDEX ix_payout_batches_next ON payout_batches (next_at) WHERE next_at IS NOT NULL;
  CREATE INDEX ix_payout_batches_open ON payout_batches (workspace_id, mode, status)
    WHERE status IN ('trying', 'taken', 'attention');

  -- What became of each item by this batch: an item that was sent again has a row in both.
  CREATE TABLE payout_batch_items (
    batch_id uuid NOT NULL REFERENCES payout_batches (id) ON DELETE CASCADE,
    item_id uuid NOT NULL REFERENCES payout_items (id) ON DELETE CASCADE,
    place int NOT NULL,
    amount_cents bigint NOT NULL,
    address_hash text,
    outcome text NOT NULL CONSTRAINT ck_payout_batch_items_outcome
      CHECK (outcome IN ('sending', 'released', 'paid', 'failed', 'returned')),
    word text,
    PRIMARY KEY (batch_id, item_id)
  );
  CREATE INDEX ix_payout_batch_items_item ON payout_batch_items (item_id);
`;

/** Who may not send what they made themselves: the member, or the one who made the key that did. */
const makersOfPayouts = `
  UPDATE payouts AS o
     SET created_by = coalesce(k.created_by, l.actor_id)
    FROM audit_log AS l LEFT JOIN api_keys AS k ON l.actor_type = 'api_key' AND k.id = l.actor_id
   WHERE o.status = 'processing' AND o.created_by IS NULL AND l.workspace_id = o.workspace_id
     AND l.action = 'payout.created' AND l.target_id = o.id::text
     AND l.created_at BETWEEN o.created_at - interval '1 day' AND o.created_at + interval '1 day'`;
