import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, buildUniqueIndex, dropIndex } from '../database/build-index';

/** One connection for each biller, in place of one for Stripe; and what no webhook brought. */
export class BillersAreFound1700000000141 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildUniqueIndex(
      runner,
      'uq_biller_connection',
      'ON stripe_connections (workspace_id, mode, biller) WHERE deleted_at IS NULL',
    );
    await dropIndex(runner, 'uq_stripe_connection');
    await buildIndex(
      runner,
      'ix_stripe_events_recovered',
      'ON stripe_events (received_at) WHERE recovered',
    );
  }

  /** There may be several connections of a workspace by now. */
  down(): Promise<void> {
    return Promise.resolve();
  }
}
