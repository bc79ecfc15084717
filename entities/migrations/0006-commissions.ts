import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Commissions with their history, the append-only ledger, and payouts. */
export class Commissions1700000000006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE payouts (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL,
        mode text NOT NULL,
        program_id uuid NOT NULL REFERENCES programs (id),
        status text NOT NULL CONSTRAINT ck_payouts_status
          CHECK (status IN ('processing', 'completed', 'cancelled')),
        reference text,
        created_at timestamptz NOT NULL,
        completed_at timestamptz,
        cancelled_at timestamptz
      );
      CREATE INDEX ix_payouts_scope ON payouts (workspace_id, mode, created_at DESC, id DESC);

      CREATE TABLE payout_items (
        id uuid PRIMARY KEY,
        payout_id uuid NOT NULL REFERENCES payouts (id),
        workspace_id uuid NOT NULL,
        mode text NOT NULL,
        participant_id uuid NOT NULL,
        currency text NOT NULL,
        amount_cents bigint NOT NULL,
        commission_ids uuid[] NOT NULL,
        CONSTRAINT uq_payout_item UNIQUE (payout_id, participant_id, currency)
      );

      CREATE TABLE commissions (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL,
        mode text NOT NULL CONSTRAINT ck_commissions_mode CHECK (mode IN ('test', 'live')),
        program_id uuid NOT NULL REFERENCES programs (id),
        participant_id uuid NOT NULL REFERENCES participants (id),
        conversion_id uuid NOT NULL REFERENCES conversions (id),
        partner_name text NOT NULL,
        external_transaction_id text NOT NULL,
        status text NOT NULL CONSTRAINT ck_commissions_status
          CHECK (status IN ('pending', 'approved', 'rejected', 'paid', 'refunded')),
        commission_type text NOT NULL,
        amount_cents bigint NOT NULL CONSTRAINT ck_commissions_amount CHECK (amount_cents >= 0),
        original_amount_cents bigint NOT NULL,
        refunded_amount_cents bigint NOT NULL DEFAULT 0,
        currency text NOT NULL,
        conversion_amount_cents bigint NOT NULL,
        fee_cents bigint,
        terms jsonb NOT NULL,
        auto_approve boolean NOT NULL,
        needs_review boolean GENERATED ALWAYS AS (cardinality(review_reasons) > 0) STORED,
        review_reasons text[] NOT NULL DEFAULT '{}',
        hold_until timestamptz,
        rejection_reason text,
        override_reason text,
        decided_by jsonb,
        approved_at timestamptz,
        rejected_at timestamptz,
        paid_at timestamptz,
        refunded_at timestamptz,
        payout_id uuid REFERENCES payouts (id),
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        CONSTRAINT uq_commission_conversion UNIQUE (conversion_id)
      );
      CREATE INDEX ix_commissions_scope ON commissions (workspace_id, mode, created_at DESC, id DESC);
      CREATE INDEX ix_commissions_program ON commissions (program_id, created_at DESC, id DESC);
      CREATE INDEX ix_commissions_participant ON commissions (participant_id, created_at DESC, id DESC);
      CREATE INDEX ix_commissions_due ON commissions (hold_until) WHERE status = 'pending';
      CREATE INDEX ix_commissions_payout ON commissions (payout_id) WHERE payout_id IS NOT NULL;

      CREATE TABLE commission_history (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL,
        mode text NOT NULL,
        commission_id uuid NOT NULL REFERENCES commissions (id),
        from_status text,
        to_status text NOT NULL,
        trigger text NOT NULL,
        actor_type text NOT NULL,
        actor_id uuid,
        reason text,
        at timestamptz NOT NULL
      );
      CREATE INDEX ix_commission_history ON commission_history (commission_id, id);
      CREATE TRIGGER commission_history_append_only BEFORE UPDATE OR DELETE ON commission_history
        FOR EACH ROW EXECUTE FUNCTION refuse_change();

      CREATE TABLE ledger_entries (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL,
        mode text NOT NULL,
        program_id uuid NOT NULL,
        participant_id uuid NOT NULL,
        commission_id uuid NOT NULL REFERENCES commissions (id),
        payout_id uuid REFERENCES payouts (id),
        type text NOT NULL CONSTRAINT ck_ledger_type CHECK (type IN ('accrual', 'refund',
          'fee_settlement', 'dispute_hold', 'dispute_release', 'reversal', 'clawback', 'payout')),
        amount_cents bigint NOT NULL,
        currency text NOT NULL,
        created_at timestamptz NOT NULL
      );
      CREATE INDEX ix_ledger_commission ON ledger_entries (commission_id, id);
      CREATE INDEX ix_ledger_participant ON ledger_entries (participant_id, currency);
      CREATE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE ON ledger_entries
        FOR EACH ROW EXECUTE FUNCTION refuse_change();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE ledger_entries, commission_history, commissions, payout_items, payouts;
    `);
  }
}
