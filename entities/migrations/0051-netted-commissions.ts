import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, dropIndex } from '../database/build-index';

/** What waits to be netted, with debts that were written off, in place of the index that lacks those. */
export class NettedCommissions1700000000051 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'ix_commissions_netted',
      `ON commissions (program_id, participant_id)
        WHERE owed_cents <> reserved_cents AND (status IN ('paid', 'refunded', 'rejected')
          OR payout_id IS NOT NULL OR amount_cents < 0 OR adjustment_kind = 'write_off')`,
    );
    await dropIndex(runner, 'ix_commissions_carried');
  }

  async down(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'ix_commissions_carried',
      `ON commissions (program_id, participant_id)
        WHERE owed_cents <> reserved_cents AND (status IN ('paid', 'refunded', 'rejected')
          OR payout_id IS NOT NULL OR amount_cents < 0)`,
    );
    await dropIndex(runner, 'ix_commissions_netted');
  }
}
