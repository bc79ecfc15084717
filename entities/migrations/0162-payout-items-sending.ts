import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The statuses of items hold for all of them. */
export class PayoutItemsSending1700000000162 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payout_items VALIDATE CONSTRAINT ck_payout_items_status');
  }

  /** Nothing is undone: a constraint that holds for all rows does no harm. */
  down(): Promise<void> {
    return Promise.resolve();
  }
}
