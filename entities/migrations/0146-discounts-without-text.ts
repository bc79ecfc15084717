import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, dropIndex } from '../database/build-index';

/** Few sales are told with a discount whose text is not known, and they are asked for by it. */
export class DiscountsWithoutText1700000000146 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'ix_stripe_objects_without_text',
      `ON stripe_objects (workspace_id, mode, (fact->>'discountId'))
        WHERE fact->>'code' IS NULL AND fact->>'discountId' IS NOT NULL`,
    );
  }

  down(runner: QueryRunner): Promise<void> {
    return dropIndex(runner, 'ix_stripe_objects_without_text');
  }
}
