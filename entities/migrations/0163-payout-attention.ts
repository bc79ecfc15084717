import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, dropIndex } from '../database/build-index';

const attention = 'ix_payout_items_attention';

/** Items that a person has to look at are found. */
export class PayoutAttention1700000000163 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      attention,
      'ON payout_items (workspace_id, mode, payout_id) WHERE attention_reason IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndex(runner, attention);
  }
}
