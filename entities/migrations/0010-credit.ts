import type { MigrationInterface, QueryRunner } from 'typeorm';

const ledgerTypes = `('accrual', 'adjustment', 'refund', 'fee_settlement', 'dispute_hold',
  'dispute_release', 'reversal', 'clawback', 'recredit', 'payout', 'payout_reversal')`;

/** A time as JSON has it. */
const iso = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * What credit as a function of facts needs: whose a customer was when, what a processor's payment says
 * of itself, how a conversion was credited, and whether a commission is still its conversion's. What was
 * told before has no such facts: it stays as it was decided.
 */
export class Credit1700000000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE customer_bindings (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL,
        mode text NOT NULL,
        customer uuid NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
        -- Null where a member took the binding away.
        participant_id uuid,
        program_id uuid,
        source text NOT NULL CONSTRAINT ck_customer_bindings_source
          CHECK (source IN ('signup', 'conversion', 'stripe', 'import', 'manual')),
        bound_at timestamptz NOT NULL,
        speaks_from timestamptz NOT NULL,
        -- The payment that binds, of a sale.
        payment_id uuid,
        attribution json,
        reason text,
        created_at timestamptz NOT NULL,
        CONSTRAINT ck_customer_bindings_partner
          CHECK ((participant_id IS NULL) = (program_id IS NULL)),
        CONSTRAINT uq_customer_binding_payment UNIQUE (customer, payment_id)
      );
      INSERT INTO customer_bindings (id, workspace_id, mode, customer, participant_id, program_id,
        source, bound_at, speaks_from, attribution, reason, created_at)
      SELECT gen_random_uuid(), workspace_id, mode, id, participant_id, program_id, source, bound_at,
             bound_at, attribution, reason, created_at
        FROM customers WHERE source IS NOT NULL AND bound_at IS NOT NULL;

      ALTER TABLE customers
        ADD COLUMN first_payments jsonb NOT NULL DEFAULT '{}',
        ADD COLUMN last_paid_at timestamptz;
      UPDATE customers
         SET last_paid_at = first_paid_at,
             first_payments = jsonb_build_object(program_id::text, jsonb_build_object(
               'paidAt', ${iso('first_paid_at')}, 'periodAt', ${iso('first_paid_at')}))
       WHERE first_paid_at IS NOT NULL AND program_id IS NOT NULL;
      ALTER TABLE stripe_payments
        ADD COLUMN customer uuid,
        ADD COLUMN sale jsonb,
        ADD COLUMN verdict jsonb;
      ALTER TABLE conversions ADD COLUMN credited_as text;
      ALTER TABLE commissions ADD COLUMN credited boolean NOT NULL DEFAULT true;

      ALTER TABLE ledger_entries DROP CONSTRAINT ck_ledger_type;
      ALTER TABLE ledger_entries
        ADD CONSTRAINT ck_ledger_type CHECK (type IN ${ledgerTypes}) NOT VALID;
    `);
  }

  /** What was credited by it is not given up. */
  down(): Promise<void> {
    return Promise.resolve();
  }
}
