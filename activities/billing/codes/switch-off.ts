import { enqueueSql } from '../../journal/outbox';
import { execute, type Tx } from '../../../entities/database/sql';
import type { Biller } from '../../../entities/rules/billing/biller';
import type { CommandContext } from '../../journal/cause';

/** Tries again, with a new key, to switch off the codes that the key before could not. */
export async function switchOffLeftCodes(
  tx: Tx,
  { scope, now, requestId }: CommandContext,
  biller: Biller,
): Promise<void> {
  const queued = enqueueSql({
    topic: 'biller_code',
    ref: 'left_codes.id',
    payload: `jsonb_build_object('mode', left_codes.mode)`,
    workspaceId: 'left_codes.workspace_id',
    availableAt: '$4::timestamptz',
    requestId: '$5::text',
    from: 'left_codes',
  });
  await execute(
    tx,
    `WITH left_codes AS (
       UPDATE biller_codes SET status = 'pending', message = NULL, updated_at = $4
        WHERE workspace_id = $1 AND mode = $2 AND biller = $3 AND status = 'failed'
          AND removed_at IS NOT NULL
        RETURNING id, workspace_id, mode)
     ${queued}`,
    [scope.workspaceId, scope.mode, biller, now, requestId ?? null],
  );
}
