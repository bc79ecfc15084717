import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The checks of 0140 hold for what was there before, too. */
export class BillersHold1700000000142 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE stripe_connections VALIDATE CONSTRAINT ck_stripe_connections_biller;
      ALTER TABLE stripe_events VALIDATE CONSTRAINT ck_stripe_events_biller;
      ALTER TABLE stripe_payments VALIDATE CONSTRAINT ck_stripe_payments_biller;
      ALTER TABLE conversions VALIDATE CONSTRAINT ck_conversions_source;
      ALTER TABLE programs VALIDATE CONSTRAINT ck_programs_sales_from;
      ALTER TABLE customers VALIDATE CONSTRAINT ck_customers_source;
      ALTER TABLE customer_bindings VALIDATE CONSTRAINT ck_customer_bindings_source;
    `);
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}
