import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, dropIndex } from '../database/build-index';

const open = `WHERE status IN ('pending', 'retrying')`;

/**
 * The line of an endpoint in its whole order. The deliveries of one fan-out are due at the same time:
 * without the id in the index all of them were read to find the first.
 */
export class DeliveryLines1700000000025 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'ix_webhook_deliveries_line',
      `ON webhook_deliveries (status, endpoint_id, next_attempt_at, id) ${open}`,
    );
    await dropIndex(runner, 'ix_webhook_deliveries_open');
  }

  async down(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'ix_webhook_deliveries_open',
      `ON webhook_deliveries (status, endpoint_id, next_attempt_at) ${open}`,
    );
    await dropIndex(runner, 'ix_webhook_deliveries_line');
  }
}
