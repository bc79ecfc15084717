import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, dropIndex } from '../database/build-index';

/** Customers whom nobody brought, by age: what a sign-up that did not hold leaves goes after 30 days. */
export class NobodysCustomers1700000000105 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'ix_customers_nobodys',
      'ON customers (created_at) WHERE source IS NULL AND last_paid_at IS NULL',
    );
  }

  down(runner: QueryRunner): Promise<void> {
    return dropIndex(runner, 'ix_customers_nobodys');
  }
}
