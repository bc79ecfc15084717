import type { OutboxTopic } from '../../activities/journal/outbox';
import { newId } from '../../entities/ids';
import { relayHandlers } from '../../workers/relay/handlers';
import { workflowIds } from '../../runtime/temporal/messages';
import { buildCommission } from '../support/build/commissions';
import { buildParticipant, buildProgram } from '../support/build/programs';
import { useDeps } from '../support/app';

const deps = useDeps();

const idOf: Partial<Record<OutboxTopic, (ref: string) => string>> = {
  commission: workflowIds.commission,
  mail: workflowIds.mail,
  stripe_event: workflowIds.stripeEvent,
};

it.each(Object.entries(idOf) as [OutboxTopic, (ref: string) => string][])(
  'Temporal keeps with a workflow of %s whose share of the task queue it has',
  async (topic, workflowId) => {
    const program = await buildProgram(deps.db.manager);
    const participant = await buildParticipant(deps.db.manager, { program });
    const commission = await buildCommission(deps.db.manager, { program, participant });
    const { workspaceId } = program;
    const ref = topic === 'commission' ? commission.id : newId();
    const work = {
      id: 1,
      ref,
      workspaceId,
      payload: { mode: 'live' },
      // A mail has a workflow only if it was tried before.
      attempts: topic === 'mail' ? 2 : 1,
      deferrals: 0,
      waitedSeconds: 0,
      requestId: null,
    };
    const report = { refused: fail, defer: fail, away: fail };

    expect(await relayHandlers(deps)[topic].handle([work], report)).toEqual([1]);
    const handle = deps.temporal.client.workflow.getHandle(workflowId(ref));
    const { priority } = await handle.describe();
    await handle.terminate('test over');
    expect(priority?.fairnessKey).toBe(workspaceId);
  },
);

function fail(): never {
  throw new Error('Temporal did not take the work');
}
