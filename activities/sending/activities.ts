import { heartbeat } from '@temporalio/activity';
import { AppError } from '../../entities/errors';
import { execute, transaction } from '../../entities/database/sql';
import type { OperatorNote } from '../../entities/rules/values/operator-note';
import { runCommand, operatorCause } from '../journal/operator';
import { advanceBatch, type BatchState } from './advance';
import { lockBatch } from './batches';
import type { SendingDeps } from './connection';

/**
 * The time between two signs of life while a provider is asked: when some of them are missing,
 * another worker goes on.
 */
const signEveryMs = 5_000;

/** The activities of payoutBatch: ids in, states out. */
export function createSendingActivities(deps: SendingDeps) {
  return {
    /** Does what is due of a batch: says it, asks what became of it, or gives up. */
    async advancePayoutBatch({ batchId }: { batchId: string }): Promise<BatchState> {
      const signs = setInterval(() => heartbeat(), signEveryMs);
      try {
        return await advanceBatch(deps, { batchId });
      } finally {
        clearInterval(signs);
      }
    },

    /** An operator has the provider asked, or told, now. NOT_FOUND for a batch that nothing comes of any more. */
    async orderPayoutBatch({
      batchId,
      note,
    }: {
      batchId: string;
      note: OperatorNote;
    }): Promise<void> {
      await transaction(deps.db, async (tx) => {
        const batch = await lockBatch(tx, batchId);
        if (!batch || batch.nextAt === null) throw new AppError('NOT_FOUND');
        const now = deps.clock.now();
        const { workspaceId, mode } = batch;
        const context = { scope: { workspaceId, mode }, ...operatorCause(note, now) };
        const target = { type: 'payout_batch', id: batchId };
        const command = { action: 'payout.batch_asked_now', target, workspaceId };
        const effect = async (): Promise<void> => {
          await execute(tx, 'UPDATE payout_batches SET next_at = $2 WHERE id = $1', [batchId, now]);
        };
        await runCommand(tx, context, { command, effect, otherwise: undefined });
      });
    },
  };
}
