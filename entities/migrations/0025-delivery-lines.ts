import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, dropIndex } from '../database/build-index';

const open = `WHERE status IN ('pending', 'retrying')`;

/**
 * First attempts and retries of an endpoint go out in the order in which they are due. The deliveries of
 * one fan-out are due at the same time: without the id in the index all of them were read to find the
 * first.
 */
export class DeliveryLines1700000000025 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'ix_webhook_deliveries_due',
      `ON webhook_deliveries (endpoint_id, next_attempt_at, id) INCLUDE (status) ${open}`,
    );
    await dropIndex(runner, 'ix_webhook_deliveries_open');
  }

  async down(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'ix_webhook_deliveries_open',
      `ON webhook_deliveries (status, endpoint_id, next_attempt_at) ${open}`,
    );
    await dropIndex(runner, 'ix_webhook_deliveries_due');
  }
}
