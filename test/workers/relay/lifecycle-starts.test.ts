import { decideCommission } from '../../../activities/commissions/decide';
import { systemActor } from '../../../entities/rules/values/actor';
import { execute } from '../../../entities/database/sql';
import type { Deps } from '../../../runtime/process/deps';
import { commissionHandler } from '../../../workers/relay/lifecycle-starts';
import { workflowIds } from '../../../runtime/temporal/messages';
import { useDeps } from '../../support/app';
import { buildCommission, type CommissionOfSale } from '../../support/build/commissions';
import { relayOnce } from '../../support/workers/relay-once';

const deps = useDeps();

const relay = (by: Deps) => relayOnce(by, 'commission', commissionHandler(by));

async function approve({ id, programId, workspaceId, mode }: CommissionOfSale): Promise<void> {
  await decideCommission(
    deps.db.manager,
    { scope: { workspaceId, mode }, actor: systemActor, now: deps.clock.now() },
    { programId, commissionId: id, decision: 'approve_override', reason: 'a test' },
  );
}

/** What happens once between the relay's look at its rows and its call to Temporal. */
function meanwhile(happens: () => Promise<unknown>): Deps {
  let isOver = false;
  const within: Deps['temporal']['within'] = async (ms, work) => {
    if (!isOver) {
      isOver = true;
      await happens();
    }
    return deps.temporal.within(ms, work);
  };
  return { ...deps, temporal: { ...deps.temporal, within } };
}

it('a lifecycle that is started after its decision was signalled to nobody is signalled again', async () => {
  const commission = await buildCommission(deps.db.manager);
  const slow = meanwhile(async () => {
    await approve(commission);
    expect(await relay(deps)).toBe(1);
  });
  expect(await relay(slow)).toBe(1);
  const handle = deps.temporal.client.workflow.getHandle(workflowIds.commission(commission.id));
  const { events } = await handle.fetchHistory();
  const signals = events?.flatMap(
    ({ workflowExecutionSignaledEventAttributes: signal }) => signal?.signalName ?? [],
  );
  expect(signals).toEqual(['changed']);
  await handle.terminate();
});

const flagged = `review_reasons = '{FRAUD_SUSPECTED}'`;

it.each([
  ['Waits for a decision.', 'hold_until = NULL, hold_elapsed = true'],
  ['Waits for a manual review.', `hold_until = NULL, hold_elapsed = true, ${flagged}`],
  [
    'Held until 2030-01-01T00:00:00.000Z.',
    `hold_until = '2030-01-01T00:00Z', hold_elapsed = false, ${flagged}`,
  ],
])('says of a lifecycle that starts: %s', async (details, row) => {
  const commission = await buildCommission(deps.db.manager);
  await execute(deps.db.manager, `UPDATE commissions SET ${row} WHERE id = $1`, [commission.id]);
  await relay(deps);
  const handle = deps.temporal.client.workflow.getHandle(workflowIds.commission(commission.id));
  expect(await (await handle.describe()).staticDetails()).toBe(details);
  await handle.terminate();
});
