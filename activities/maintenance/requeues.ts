import type { Scope } from '../../entities/rules/values/mode';
import { selectList } from '../../entities/database/columns';
import { query, rowsAtOnce, transaction } from '../../entities/database/sql';
import { WebhookRequeue } from '../../entities/tables/webhooks/webhook-requeue.entity';
import { workflowIds } from '../../runtime/temporal/messages';
import { systemCause } from '../journal/cause';
import { isNotQueued } from '../journal/outbox';
import type { Deps } from '../../runtime/process/deps';
import { queueRequeue, type Range } from '../webhooks/requeues';
import { lostAfterMs, withoutWorkflow } from './open-workflows';

const columns = selectList(WebhookRequeue, 'r', [
  'workspaceId',
  'mode',
  'endpointId',
  'since',
  'until',
]);

/** Ranges of dead letters whose workflow is lost are handed to one again; gives how many. */
export async function repairRequeues(deps: Deps): Promise<number> {
  const now = deps.clock.now();
  const waiting = await query<Scope & Range>(
    deps.db.manager,
    `SELECT ${columns} FROM webhook_requeues AS r
      WHERE r.created_at < $1 AND ${isNotQueued('webhook_requeue', 'r.endpoint_id')}
      ORDER BY r.created_at LIMIT ${rowsAtOnce}`,
    [new Date(now.getTime() - lostAfterMs)],
  );
  const workflowIdOf = ({ endpointId }: Range): string => workflowIds.webhookRequeue(endpointId);
  const lost = await withoutWorkflow(deps, { rows: waiting, workflowIdOf });
  await transaction(deps.db, async (tx) => {
    for (const { workspaceId, mode, ...range } of lost) {
      await queueRequeue(tx, { ...systemCause(now), scope: { workspaceId, mode } }, range);
    }
  });
  return lost.length;
}
