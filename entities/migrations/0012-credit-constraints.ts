import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The facts that the former migrations made ready hold from now on. */
export class CreditConstraints1700000000012 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE commissions DROP CONSTRAINT IF EXISTS uq_commission_conversion;
      ALTER TABLE commissions
        ADD CONSTRAINT uq_commission_credit UNIQUE USING INDEX uq_commission_credit;
      ALTER TABLE ledger_entries VALIDATE CONSTRAINT ck_ledger_type;
    `);
  }

  /** A conversion may have two commissions by now. */
  down(): Promise<void> {
    return Promise.resolve();
  }
}
