import type { MigrationInterface, QueryRunner } from 'typeorm';

const billers = `('stripe', 'paddle', 'polar')`;
const bindingSources = `('signup', 'conversion', 'stripe', 'paddle', 'polar', 'import', 'manual')`;

/** A check with another list of values; it is validated by a migration of its own. */
const allow = (table: string, constraint: string, check: string): string => `
  ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${constraint};
  ALTER TABLE ${table} ADD CONSTRAINT ${constraint} CHECK (${check}) NOT VALID;`;

/**
 * Billers beside Stripe share its tables, which keep the names that the first release knows: each row says
 * whose it is.
 */
export class Billers1700000000140 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE stripe_connections
        ADD COLUMN biller text NOT NULL DEFAULT 'stripe',
        -- Since when the biller's lists are to be read, when that began which goes on now, and when its
        -- disputes were read.
        ADD COLUMN read_until timestamptz,
        ADD COLUMN read_began_at timestamptz,
        ADD COLUMN disputes_read_at timestamptz;
      ALTER TABLE stripe_events
        ADD COLUMN biller text NOT NULL DEFAULT 'stripe',
        ADD COLUMN recovered boolean NOT NULL DEFAULT false;
      ALTER TABLE stripe_payments ADD COLUMN biller text NOT NULL DEFAULT 'stripe';
      ALTER TABLE customer_aliases ADD COLUMN by_biller boolean NOT NULL DEFAULT false;
      ${allow('stripe_connections', 'ck_stripe_connections_biller', `biller IN ${billers}`)}
      ${allow('stripe_events', 'ck_stripe_events_biller', `biller IN ${billers}`)}
      ${allow('stripe_payments', 'ck_stripe_payments_biller', `biller IN ${billers}`)}
      ${allow('conversions', 'ck_conversions_source', `source IN ('api', 'stripe', 'paddle', 'polar', 'import')`)}
      ${allow('programs', 'ck_programs_sales_from', `sales_from IN ('both', 'api', 'stripe', 'paddle', 'polar')`)}
      ${allow('customers', 'ck_customers_source', `source IN ${bindingSources}`)}
      ${allow('customer_bindings', 'ck_customer_bindings_source', `source IN ${bindingSources}`)}

      -- The text of a discount, of a biller whose payments name it by id alone.
      CREATE TABLE biller_discounts (
        connection_id uuid NOT NULL REFERENCES stripe_connections (id) ON DELETE CASCADE,
        discount_id text NOT NULL,
        code text NOT NULL,
        updated_at timestamptz NOT NULL,
        CONSTRAINT uq_biller_discount PRIMARY KEY (connection_id, discount_id)
      );
    `);
  }

  /** What was sold by further billers is not given up. */
  down(): Promise<void> {
    return Promise.resolve();
  }
}
