import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, dropIndex } from '../database/build-index';

/** Finds endpoints whose time is up without a look at all the others. */
export class DeletedEndpoints1700000000022 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'ix_webhook_endpoints_deleted',
      'ON webhook_endpoints (deleted_at) WHERE deleted_at IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndex(runner, 'ix_webhook_endpoints_deleted');
  }
}
