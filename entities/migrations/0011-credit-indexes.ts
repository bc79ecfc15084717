import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, dropIndex } from '../database/build-index';

/** Payments by customer, and commissions by conversion and partner: of one conversion there may be two. */
export class CreditIndexes1700000000011 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'ix_stripe_payments_buyer',
      'ON stripe_payments (customer, paid_at) WHERE customer IS NOT NULL',
    );
    await runner.query('SET lock_timeout = 0');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS uq_commission_credit');
    await runner.query(
      'CREATE UNIQUE INDEX CONCURRENTLY uq_commission_credit ON commissions (conversion_id, participant_id)',
    );
    await runner.query('RESET lock_timeout');
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndex(runner, 'ix_stripe_payments_buyer');
  }
}
