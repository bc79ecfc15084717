import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import {
  createCommissionActivities,
  type OperatorDecision,
} from '../../../activities/commissions/activities';
import { useDeps } from '../../support/app';
import { buildCommission } from '../../support/build/commissions';
import { buildProgram } from '../../support/build/programs';

const deps = useDeps();

type Order = Partial<OperatorDecision> & { commissionId: string };

const attempt = (number: number, order: Order) => {
  const logger = new DefaultLogger('ERROR');
  const environment = new MockActivityEnvironment({ attempt: number }, { logger });
  const { decideAsOperator } = createCommissionActivities(deps);
  const note = { operator: 'op-17', reasonCode: 'TEST_ORDER' } as const;
  const command = { decision: 'reject', note, ...order } as const;
  return environment.run(decideAsOperator, command);
};

it("an operator's decision whose answer was lost is found by the next attempt", async () => {
  const { id: commissionId } = await buildCommission(deps.db.manager);
  const order = { commissionId };
  expect(await attempt(1, order)).toMatchObject({ status: 'rejected' });

  expect(await attempt(2, order)).toMatchObject({ status: 'rejected' });
  const refusal = { code: 'COMMISSION_TERMINAL' };
  await expect(attempt(1, order)).rejects.toMatchObject(refusal);
  const another = { operator: 'op-17', reasonCode: 'DUPLICATE' } as const;
  await expect(attempt(2, { ...order, note: another })).rejects.toMatchObject(refusal);
});

describe('a hold whose end was ordered, and whose answer was lost,', () => {
  const isTrue = [true, 'approved', 'COMMISSION_NOT_PENDING'] as const;
  const isFalse = [false, 'pending', 'COMMISSION_HOLD_NOT_ACTIVE'] as const;

  it.each([isTrue, isFalse])('is over (autoApprove %s)', async (autoApprove, status, code) => {
    const { id: commissionId } = await buildHeld(autoApprove);
    const order = { commissionId, decision: 'elapse_hold' } as const;
    const ended = await attempt(1, order);
    expect(ended).toMatchObject({ status, holdElapsed: true });

    expect(await attempt(2, order)).toEqual(ended);
    await expect(attempt(1, order)).rejects.toMatchObject({ code });
  });

  it('is no answer for one that was decided since, or ended in its own time', async () => {
    const { id: commissionId } = await buildHeld(false);
    const order = { commissionId, decision: 'elapse_hold' } as const;
    await attempt(1, order);
    await attempt(1, { commissionId });
    await expect(attempt(2, order)).rejects.toMatchObject({ code: 'COMMISSION_NOT_PENDING' });

    const over = await buildHeld(false, new Date('2026-01-01T00:00:00Z'));
    await expect(attempt(2, { ...order, commissionId: over.id })).rejects.toMatchObject({
      code: 'COMMISSION_HOLD_NOT_ACTIVE',
    });
  });
});

async function buildHeld(autoApprove: boolean, createdAt = new Date()) {
  const program = await buildProgram(deps.db.manager, { mode: 'test' });
  return buildCommission(deps.db.manager, { program, createdAt, terms: { autoApprove } });
}
