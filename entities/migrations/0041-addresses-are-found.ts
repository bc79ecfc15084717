import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, buildUniqueIndex, dropIndex } from '../database/build-index';

const held = 'uq_partner_account_held';
const bound = 'ix_participants_bound';
const unproven = 'ix_participants_unproven';

/** One account stands for an address, and what waits for its proof is found by it. */
export class AddressesAreFound1700000000041 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildUniqueIndex(
      runner,
      held,
      `ON partner_accounts (held_email, held_workspace_id) NULLS NOT DISTINCT
         WHERE erased_at IS NULL AND held_email IS NOT NULL`,
    );
    await buildIndex(runner, bound, 'ON participants (bound_email) WHERE bound_email IS NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndex(runner, unproven);
    await dropIndex(runner, bound);
    await dropIndex(runner, held);
  }
}
