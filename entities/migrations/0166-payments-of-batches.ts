import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The payment by which a batch paid an item: somebody may have paid it by another one besides. */
export class PaymentsOfBatches1700000000166 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payout_batch_items ADD COLUMN transaction_id text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payout_batch_items DROP COLUMN transaction_id');
  }
}
