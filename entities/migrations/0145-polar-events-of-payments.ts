import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, dropIndex } from '../database/build-index';

/** Refunds of Polar's are known by their payment alone, also when a buyer is erased. */
export class PolarEventsOfPayments1700000000145 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const where = "ON stripe_events (payment_id) WHERE biller = 'polar'";
    await buildIndex(runner, 'ix_stripe_events_polar', where);
  }

  down(runner: QueryRunner): Promise<void> {
    return dropIndex(runner, 'ix_stripe_events_polar');
  }
}
