import { query, rowsAtOnce, transaction } from '../../entities/database/sql';
import type { Scope } from '../../entities/rules/values/mode';
import { workflowIds } from '../../runtime/temporal/messages';
import { enqueueAll, queuedAmong } from '../journal/outbox';
import type { Deps } from '../../runtime/process/deps';
import { before, idAfter, lostAfterMs, withoutWorkflow, type RepairBatch } from './open-workflows';

type PendingCode = Scope & { id: string };

/**
 * Codes that are to be made or switched off at a biller, and whose workflow was terminated or lost, get one
 * again. One batch in the order of ids.
 */
export async function repairBillerCodes(deps: Deps, cursor: string | null): Promise<RepairBatch> {
  const now = deps.clock.now();
  const db = deps.db.manager;
  const pending = await query<PendingCode>(
    db,
    `SELECT b.id, b.workspace_id AS "workspaceId", b.mode FROM biller_codes AS b
      WHERE b.status = 'pending' AND b.updated_at < $1 AND ($2::uuid IS NULL OR b.id > $2)
      ORDER BY b.id LIMIT ${rowsAtOnce}`,
    [before(now, lostAfterMs), cursor],
  );
  const ids = pending.map(({ id }) => id);
  const queued = await queuedAmong(db, 'biller_code', ids);
  const rows = pending.filter(({ id }) => !queued.has(id));
  const workflowIdOf = ({ id }: PendingCode): string => workflowIds.billerCode(id);
  const lost = await withoutWorkflow(deps, { rows, workflowIdOf });
  const work = lost.map(({ id: ref, workspaceId, mode }) => ({
    ...{ topic: 'biller_code' as const, ref, workspaceId, payload: { mode }, availableAt: now },
  }));
  await transaction(deps.db, (tx) => enqueueAll(tx, work));
  const next = idAfter(pending);
  return { cursor: next, repaired: lost.length, more: next !== null };
}
