import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, dropIndex } from '../database/build-index';

/** An erasure reads a workspace's stored answers in pages; those of conversions hold no name. */
export class StoredAnswers1700000000028 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'ix_idempotency_answers',
      `ON idempotency_keys (workspace_id, mode, created_at)
        WHERE answer IS NOT NULL AND path NOT LIKE '/api/v1/conversions%'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndex(runner, 'ix_idempotency_answers');
  }
}
