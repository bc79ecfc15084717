import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, dropIndex } from '../database/build-index';

/** A discount is renamed: which text a buyer typed goes by the time of the sale. */
export class TextsOfDiscounts1700000000191 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE biller_discounts ADD COLUMN IF NOT EXISTS texts jsonb NOT NULL DEFAULT '[]'`,
    );
    await buildIndex(
      runner,
      'ix_stripe_objects_discount',
      `ON stripe_objects (workspace_id, mode, (fact->>'discountId'))
        WHERE fact->>'discountId' IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndex(runner, 'ix_stripe_objects_discount');
    await runner.query('ALTER TABLE biller_discounts DROP COLUMN texts');
  }
}
