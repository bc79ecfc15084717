import { createMaintenanceActivities } from '../../../activities/maintenance/activities';
import type { RepairBatch } from '../../../activities/maintenance/open-workflows';
import { execute, query } from '../../../entities/database/sql';
import { workflowIds } from '../../../runtime/temporal/messages';
import { useDeps } from '../../support/app';
import { asOwner } from '../../support/database';
import { until } from '../../support/eventually';
import { buildStripeEvents } from '../../support/build/stripe-events';
import { buildWorkspace } from '../../support/build/accounts';

const deps = useDeps();
beforeEach(() => asOwner(deps.config.databaseUrl, 'DELETE FROM outbox; DELETE FROM stripe_events'));

const ago = (minutes: number): Date => new Date(deps.clock.now().getTime() - minutes * 60_000);

const repair = (): Promise<RepairBatch> =>
  createMaintenanceActivities(deps).repairBatch({ part: 'stripe_events', cursor: null });

/** Events that were touched so many minutes ago, open unless told; their ids in that order. */
async function build(minutes: number[], status = 'retrying'): Promise<string[]> {
  const db = deps.db.manager;
  const scope = { workspaceId: (await buildWorkspace(db)).id, mode: 'test' as const };
  const stored = minutes.map((age) => ({ status: 'failed' as const, receivedAt: ago(age) }));
  await buildStripeEvents(db, scope, stored);
  await execute(db, 'UPDATE stripe_events SET status = $2 WHERE workspace_id = $1', [
    scope.workspaceId,
    status,
  ]);
  const rows = await query<{ id: string }>(
    db,
    'SELECT id FROM stripe_events WHERE workspace_id = $1 ORDER BY received_at DESC',
    [scope.workspaceId],
  );
  return rows.map(({ id }) => id);
}

async function queued(): Promise<string[]> {
  const text = `SELECT ref FROM outbox WHERE topic = 'stripe_event' ORDER BY id`;
  return (await query<{ ref: string }>(deps.db.manager, text)).map(({ ref }) => ref);
}

describe('an open event of Stripe', () => {
  it('is queued once when its workflow is lost, ten minutes after its last attempt', async () => {
    const [, lost = ''] = await build([9, 11]);
    await build([11], 'failed');
    expect(await repair()).toEqual({ cursor: null, repaired: 1, more: false });
    expect(await queued()).toEqual([lost]);
    expect(await repair()).toMatchObject({ repaired: 0 });
  });

  it('is left to the workflow that waits for its next attempt, however long', async () => {
    const [waiting = ''] = await build([59]);
    const { workflow } = deps.temporal.client;
    const workflowId = workflowIds.stripeEvent(waiting);
    const args = [{ eventId: waiting }];
    const run = { workflowId, taskQueue: 'without-a-worker', args };
    const handle = await workflow.start('processStripeEvent', run);
    const isListed = async (): Promise<boolean> => {
      const { count } = await workflow.count(
        `WorkflowId = '${workflowId}' AND ExecutionStatus = 'Running'`,
      );
      return count === 1;
    };
    await until(isListed);
    expect(await repair()).toMatchObject({ repaired: 0 });

    await handle.terminate();
    await until(async () => !(await isListed()));
    expect(await repair()).toMatchObject({ repaired: 1 });
    expect(await queued()).toEqual([waiting]);
  });
});
