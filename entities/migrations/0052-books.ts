import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, dropIndex } from '../database/build-index';

/** The ledger as a list of a workspace, and by partner for statements and balances of then. */
export class Books1700000000052 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const scope = 'ON ledger_entries (workspace_id, mode, created_at, id)';
    await buildIndex(runner, 'ix_ledger_scope', scope);
    const participant = 'ON ledger_entries (participant_id, created_at, id)';
    await buildIndex(runner, 'ix_ledger_participant', participant);
    await dropIndex(runner, 'ix_ledger_settled');
  }

  async down(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'ix_ledger_settled',
      `ON ledger_entries (workspace_id, mode, participant_id, created_at)
        WHERE type IN ('payout', 'payout_reversal', 'adjustment', 'reversal')`,
    );
    await dropIndex(runner, 'ix_ledger_participant');
    await dropIndex(runner, 'ix_ledger_scope');
  }
}
