import { execute, query, rowsAtOnce, sliceMs } from '../../entities/database/sql';
import { minuteMs } from '../../entities/rules/values/duration';
import { workflowIds } from '../../runtime/temporal/messages';
import { enqueueSql, isNotQueued } from '../journal/outbox';
import { createPace } from '../../runtime/load/pace';
import type { Deps } from '../../runtime/process/deps';
import { counter, type Registry } from '../../runtime/observe/metrics';
import { idAfter, withoutWorkflow } from './open-workflows';

export interface SweptCommissions {
  /** Where the next round goes on; null at the end of the table. */
  cursor: string | null;
  /** Commissions that had no workflow. */
  woken: number;
}

/** There from the start of a worker. */
export function lostLifecycles(metrics: Registry) {
  const help = 'Pending commissions that were found without a workflow, and given one again';
  return counter(metrics, { name: 'lifecycles_lost_total', help, zeros: [{}] });
}

/**
 * Every pending commission has one open workflow: whatever lost it (a terminated workflow, a
 * Temporal server without its data), the next rounds find it.
 */
export async function repairLifecycles(
  deps: Deps,
  cursor: string | null,
  pace = listCalls,
): Promise<SweptCommissions> {
  const now = deps.clock.now();
  // The relay has a minute to start a new one.
  const settled = new Date(now.getTime() - minuteMs);
  const next = await query<{ id: string }>(
    deps.db.manager,
    `SELECT id FROM commissions
      WHERE status = 'pending' AND created_at < $1 AND ($2::uuid IS NULL OR id > $2)
      ORDER BY id LIMIT ${rowsAtOnce}`,
    [settled, cursor],
  );
  const workflowIdOf = ({ id }: { id: string }): string => workflowIds.commission(id);
  const lost = await withoutWorkflow(deps, { rows: next, workflowIdOf }, pace);
  const woken = await wakeLifecycles(
    deps,
    lost.map(({ id }) => id),
    now,
  );
  lostLifecycles(deps.metrics).inc(woken);
  return { cursor: idAfter(next), woken };
}

/** Temporal Web's own lists share what a server gives: 10 a second by default, 30 on Temporal Cloud. */
const listCalls = createPace(3);

/**
 * Looks at one batch after another until some have lost their workflow, or the time is over. At this
 * pace a million takes 55 minutes and leaves most of Temporal's list calls to people.
 */
export async function findLostLifecycles(
  deps: Deps,
  from: string | null,
  pace = listCalls,
): Promise<SweptCommissions> {
  const end = performance.now() + sliceMs;
  let swept = await repairLifecycles(deps, from, pace);
  while (performance.now() < end && swept.woken === 0 && swept.cursor !== null) {
    swept = await repairLifecycles(deps, swept.cursor, pace);
  }
  return swept;
}

/** Wakes lifecycles by the outbox, as everything that the relay carries; what is queued already stays once. */
async function wakeLifecycles({ db }: Pick<Deps, 'db'>, ids: string[], now: Date): Promise<number> {
  if (ids.length === 0) return 0;
  return execute(
    db.manager,
    enqueueSql({
      topic: 'commission',
      ref: 'c.id',
      workspaceId: 'c.workspace_id',
      availableAt: '$2',
      from: `commissions AS c WHERE c.id = ANY($1) AND ${isNotQueued('commission', 'c.id')}`,
    }),
    [ids, now],
  );
}
