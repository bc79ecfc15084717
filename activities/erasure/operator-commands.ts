import { AppError } from '../../entities/errors';
import { boundedTransaction } from '../../entities/database/sql';
import type { OperatorNote } from '../../entities/rules/values/operator-note';
import { runCommand, operatorCause } from '../journal/operator';
import type { Deps } from '../../runtime/process/deps';
import { lockErasure } from './subject';

export interface RetriedErasure {
  erasureId: string;
  note: OperatorNote;
}

/**
 * The line in the audit log of an operator who has what an erasure waits for tried at once. NOT_FOUND
 * when it has no row, or was undone.
 */
export async function noteErasureRetry(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { erasureId, note }: RetriedErasure,
): Promise<void> {
  await boundedTransaction(db, async (tx) => {
    const { status } = await lockErasure(tx, erasureId);
    if (status === 'cancelled') throw new AppError('NOT_FOUND');
    const target = { type: 'erasure', id: erasureId };
    const command = { action: 'erasure.retried_now', target, workspaceId: null };
    const context = operatorCause(note, clock.now());
    const effect = (): Promise<void> => Promise.resolve();
    await runCommand(tx, context, { command, effect, otherwise: undefined });
  });
}
