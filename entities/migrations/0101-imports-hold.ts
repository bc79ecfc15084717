import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The facts that the migration before made ready hold from now on. */
export class ImportsHold1700000000101 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE ledger_entries VALIDATE CONSTRAINT ck_ledger_type;
      ALTER TABLE conversions VALIDATE CONSTRAINT ck_conversions_source;
      ALTER TABLE referral_tokens VALIDATE CONSTRAINT ck_referral_tokens_kind;
      ALTER TABLE commissions VALIDATE CONSTRAINT ck_commissions_amount;
    `);
  }

  /** What is imported by now is not given up. */
  down(): Promise<void> {
    return Promise.resolve();
  }
}
