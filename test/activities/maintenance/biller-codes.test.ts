import { explain } from '../../../activities/explain/explain';
import { createMaintenanceActivities } from '../../../activities/maintenance/activities';
import type { RepairBatch } from '../../../activities/maintenance/open-workflows';
import { addPromoCode } from '../../../activities/partners/promo-codes';
import { execute, query } from '../../../entities/database/sql';
import { systemActor } from '../../../entities/rules/values/actor';
import { workflowIds } from '../../../runtime/temporal/messages';
import { useDeps } from '../../support/app';
import { buildBillerShop } from '../../support/billers/shop';
import { until } from '../../support/eventually';

const deps = useDeps();
const db = () => deps.db.manager;

const repair = (): Promise<RepairBatch> =>
  createMaintenanceActivities(deps).repairBatch({ part: 'biller_codes', cursor: null });

/** A code that is to be made at Polar, asked for so many minutes ago; its id there. */
async function buildCode(minutesAgo: number): Promise<string> {
  const shop = await buildBillerShop(deps, 'polar', { apiKey: 'polar_oat_key' });
  const { scope, program, participant } = shop;
  const at = new Date(deps.clock.now().getTime() - minutesAgo * 60_000);
  const context = { scope, actor: systemActor, requestId: 'r', now: at };
  const discount = { percentOffBps: 1_000, months: null };
  const command = { programId: program.id, participantId: participant.id, code: 'ANNA10' };
  await addPromoCode(deps.db, context, { ...command, discount });
  const ids = 'SELECT id FROM biller_codes WHERE workspace_id = $1';
  const [row] = await query<{ id: string }>(db(), ids, [scope.workspaceId]);
  return row?.id ?? '';
}

async function queued(): Promise<string[]> {
  const text = `SELECT ref FROM outbox WHERE topic = 'biller_code' ORDER BY id`;
  return (await query<{ ref: string }>(db(), text)).map(({ ref }) => ref);
}

it('a code that waits for a biller is queued once when its workflow is lost', async () => {
  const [young, lost, working] = [await buildCode(9), await buildCode(11), await buildCode(600)];
  expect(await repair()).toMatchObject({ repaired: 0 });
  await execute(db(), "DELETE FROM outbox WHERE topic = 'biller_code'", []);
  const { workflow } = deps.temporal.client;
  const workflowId = workflowIds.billerCode(working);
  await workflow.start('billerCode', {
    ...{ workflowId, taskQueue: 'without-a-worker', args: [{ codeId: working }] },
  });
  await until(async () => {
    const running = `WorkflowId = '${workflowId}' AND ExecutionStatus = 'Running'`;
    return (await workflow.count(running)).count === 1;
  });
  expect(await repair()).toEqual({ cursor: null, repaired: 1, more: false });
  expect(await queued()).toEqual([lost]);
  expect(await repair()).toMatchObject({ repaired: 0 });

  const since = new Date(0);
  const told = (await explain(deps, { name: working, endpointId: null, since })).join('\n');
  expect(told).toContain(`code at a biller ${working}`);
  expect(told).toContain(`code ${working} at Polar: pending`);
  expect(told).toContain(`workflow ${workflowId}: RUNNING`);
  expect(told).not.toContain('ANNA10');
  expect(young).not.toBe('');
});
