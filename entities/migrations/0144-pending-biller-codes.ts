import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, dropIndex } from '../database/build-index';

/** Few codes wait for a biller, of many. */
export class PendingBillerCodes1700000000144 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'ix_biller_codes_pending',
      "ON biller_codes (id) WHERE status = 'pending'",
    );
  }

  down(runner: QueryRunner): Promise<void> {
    return dropIndex(runner, 'ix_biller_codes_pending');
  }
}
