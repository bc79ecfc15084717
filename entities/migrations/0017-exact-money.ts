import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When each of Stripe's payments was paid, so that what came before a referral is known as such; how
 * much of lost disputes was settled, so that the history blames what was to blame.
 */
export class ExactMoney1700000000017 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE stripe_payments ADD COLUMN paid_at timestamptz;

      UPDATE stripe_payments AS p SET paid_at = told.paid_at
        FROM (SELECT payment_id,
                     (array_agg((fact ->> 'paidAt')::timestamptz
                        ORDER BY fact ->> 'kind' DESC, object_id))[1] AS paid_at
                FROM stripe_objects
               WHERE fact ->> 'kind' IN ('session', 'invoice')
                 AND (fact ->> 'paid')::boolean AND (fact ->> 'amountCents')::bigint > 0
               GROUP BY payment_id) AS told
       WHERE told.payment_id = p.id;

      ALTER TABLE conversion_settlements
        ADD COLUMN settled_lost_cents bigint NOT NULL DEFAULT 0;
      UPDATE conversion_settlements SET settled_lost_cents = lost_dispute_cents
       WHERE lost_dispute_cents <> 0;

      DROP INDEX ix_stripe_payments_subscription;
      CREATE INDEX ix_stripe_payments_subscription
        ON stripe_payments (workspace_id, mode, subscription_id, paid_at)
        WHERE subscription_id IS NOT NULL;
      DROP INDEX ix_stripe_payments_customer;
      CREATE INDEX ix_stripe_payments_customer
        ON stripe_payments (workspace_id, mode, customer_id, paid_at)
        WHERE customer_id IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX ix_stripe_payments_subscription;
      DROP INDEX ix_stripe_payments_customer;
      ALTER TABLE stripe_payments DROP COLUMN paid_at;
      ALTER TABLE conversion_settlements DROP COLUMN settled_lost_cents;
      CREATE INDEX ix_stripe_payments_subscription
        ON stripe_payments (workspace_id, mode, subscription_id) WHERE subscription_id IS NOT NULL;
      CREATE INDEX ix_stripe_payments_customer
        ON stripe_payments (workspace_id, mode, customer_id) WHERE customer_id IS NOT NULL;
    `);
  }
}
