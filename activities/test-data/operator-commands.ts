import { AppError } from '../../entities/errors';
import { boundedTransaction, queryOne } from '../../entities/database/sql';
import type { OperatorNote } from '../../entities/rules/values/operator-note';
import type { TestDataReset } from '../../entities/tables/test-data/test-data-reset.entity';
import { runCommand, operatorCause } from '../journal/operator';
import type { Deps } from '../../runtime/process/deps';
import { failReset } from './run-reset';

export interface StoppedReset {
  workspaceId: string;
  note: OperatorNote;
}

/**
 * Stops the open reset as an operator commands, with its line in the audit log: what was deleted is gone,
 * another reset may begin. NOT_FOUND without one; FORBIDDEN for the end of a closed workspace, which
 * would only begin again.
 */
export async function stopReset(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { workspaceId, note }: StoppedReset,
): Promise<void> {
  await boundedTransaction(db, async (tx) => {
    const last = await queryOne<Pick<TestDataReset, 'id' | 'scope' | 'status'>>(
      tx,
      `SELECT id, scope, status FROM test_data_resets WHERE workspace_id = $1
        ORDER BY created_at DESC, id DESC LIMIT 1 FOR UPDATE`,
      [workspaceId],
    );
    if (!last) throw new AppError('NOT_FOUND');
    const context = { scope: { workspaceId }, ...operatorCause(note, clock.now()) };
    const target = { type: 'test_data_reset', id: last.id };
    const command = { action: 'test_data.reset_stopped', target, workspaceId };
    const effect = async (): Promise<void> => {
      if (last.status !== 'queued' && last.status !== 'running') throw new AppError('NOT_FOUND');
      if (last.scope === 'workspace') throw new AppError('FORBIDDEN');
      await failReset(tx, context, { workspaceId });
    };
    await runCommand(tx, context, { command, effect, otherwise: undefined });
  });
}
