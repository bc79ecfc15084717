import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, dropIndex } from '../database/build-index';

/** The sweep finds commissions that are flagged though their partner is not suspended any more. */
export class SuspendedCommissions1700000000032 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'ix_commissions_suspended',
      `ON commissions (participant_id)
        WHERE status = 'pending' AND 'PARTNER_SUSPENDED' = ANY (review_reasons)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndex(runner, 'ix_commissions_suspended');
  }
}
