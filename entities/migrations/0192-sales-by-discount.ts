import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, dropIndex } from '../database/build-index';

/** The sales of a discount are asked for when another text of it is told. */
export class SalesByDiscount1700000000192 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'ix_stripe_objects_discount',
      `ON stripe_objects (workspace_id, mode, (fact->>'discountId'))
        WHERE fact->>'discountId' IS NOT NULL`,
    );
  }

  down(runner: QueryRunner): Promise<void> {
    return dropIndex(runner, 'ix_stripe_objects_discount');
  }
}
